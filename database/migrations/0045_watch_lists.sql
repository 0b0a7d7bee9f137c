-- Lists of trucks that somebody follows by email. Nobody's address is public: neither here nor in a log.
create table watch_list (
  id           uuid primary key default gen_random_uuid(),
  email        text not null check (email = lower(email) and email !~ '[,\s]' and length(email) between 3 and 254),
  list         text not null,                -- as it was given: one rego or VIN a line
  told         jsonb not null default '{}',  -- for each truck what its follower knows of it
  version      int not null default 1,       -- of the list
  asked_at     timestamptz not null,
  confirmed_on date,                         -- in the registry's zone; null: not yet
  looked_on    date                          -- the last day on which it was looked at
);
create index watch_list_look on watch_list (id) where confirmed_on is not null;
create index watch_list_unconfirmed on watch_list (asked_at) where confirmed_on is null;

-- Links in mails, by their hash. They go with the list: ending it erases everything.
create table watch_list_link (
  token_hash text primary key,
  list_id    uuid not null references watch_list on delete cascade,
  made_at    timestamptz not null
);
create index watch_list_link_list on watch_list_link (list_id);
