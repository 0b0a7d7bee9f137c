-- Whoever follows a vehicle by email. Nobody's address is public: neither here nor in a log.
create table follower (
  id           uuid primary key default gen_random_uuid(),
  email        text not null check (email = lower(email) and email !~ '[,\s]' and length(email) between 3 and 254),
  vehicle_id   uuid not null references vehicle,
  asked_at     timestamptz not null,
  confirmed_on date,                      -- in the registry's zone; null: not yet
  told_verdict text not null default '',  -- as last told, or as seen when it was confirmed
  look_on      date,                      -- on which day there may be something to tell; null: on none
  unique (vehicle_id, email)
);
create index follower_look on follower (look_on) where confirmed_on is not null and look_on is not null;
create index follower_unconfirmed on follower (asked_at) where confirmed_on is null;

-- Links in mails, by their hash. They go with the follower: leaving erases everything.
create table follower_link (
  token_hash  text primary key,
  follower_id uuid not null references follower on delete cascade,
  purpose     text not null check (purpose in ('confirm', 'leave')),
  made_at     timestamptz not null
);
create index follower_link_follower on follower_link (follower_id);

-- What a follower was told before a due date, so that nothing is told twice.
create table follower_notice (
  follower_id uuid not null references follower on delete cascade,
  occasion    text not null check (occasion in ('in-30-days', 'in-14-days', 'today')),
  due_on      date not null,
  noticed_at  timestamptz not null default now(),
  primary key (follower_id, occasion, due_on)
);

-- The last day on which was looked: a clock that is set back does not make yesterday come twice.
create table follower_day (
  only_row  boolean primary key default true check (only_row),
  looked_on date
);
insert into follower_day default values;

-- Whatever may change a verdict, whoever writes it: its followers are looked at again.
create function look_at_followers() returns trigger language plpgsql as $$
begin
  update follower set look_on = '-infinity' where vehicle_id = new.id;
  return null;
end $$;
create trigger vehicle_looks_at_followers after update on vehicle for each row
  when ((old.calibration_validated, old.next_calibration_due_on, old.last_calibrated_at is null, old.deleted_at is null)
    is distinct from
    (new.calibration_validated, new.next_calibration_due_on, new.last_calibrated_at is null, new.deleted_at is null))
  execute function look_at_followers();
create function look_at_all_followers() returns trigger language plpgsql as $$
begin
  update follower set look_on = '-infinity' where confirmed_on is not null;
  return null;
end $$;
create trigger policy_looks_at_followers after insert on policy
  for each statement execute function look_at_all_followers();
