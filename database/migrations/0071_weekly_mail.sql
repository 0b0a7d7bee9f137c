-- What a technician chose of the weekly mail about their trucks, and the day on which it was last looked for them. No row: not yet.
create table weekly_mail (
  person_id  uuid primary key references person,
  is_stopped boolean not null default false,
  looked_on  date                             -- in the registry's zone
);
-- Links in the mails, by their hash: each stops them.
create table weekly_mail_link (
  token_hash text primary key,
  person_id  uuid not null references weekly_mail on delete cascade,
  made_at    timestamptz not null
);
create index weekly_mail_link_person on weekly_mail_link (person_id);
