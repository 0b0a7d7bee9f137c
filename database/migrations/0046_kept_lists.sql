-- Searches and filters of the list of vehicles that somebody keeps under a name: the query of the list's address.
create table kept_list (
  id        uuid primary key default gen_random_uuid(),
  person_id uuid not null references person,
  name      text not null,
  query     text not null,
  kept_at   timestamptz not null default now(),
  unique (person_id, name)
);
