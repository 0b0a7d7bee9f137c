-- Check visits: a truck is to be weighed again by somebody else than the technician of a visit. An admin asks for one, or it was
-- drawn at random when its visit began to count. None moves a verdict.
create table check_visit (
  id         uuid primary key default gen_random_uuid(),
  vehicle_id uuid not null references vehicle,
  visit_id   uuid not null references visit,  -- that is to be checked
  why        text not null check (why in ('asked', 'drawn')),  -- for admins
  asked_by   bigint references actor,
  asked_at   timestamptz not null,
  until_on   date not null,                   -- the last day on which it is wanted
  note       text not null default '' check (length(note) <= 500),  -- admins only; no leaf covers it, so it can be erased
  state      text not null default 'open' check (state in ('open', 'done', 'lapsed', 'withdrawn')),
  ended_at   timestamptz,
  ended_by   bigint references actor,         -- who withdrew it, or removed the truck
  closed_by  uuid references visit,
  result     text check (result in ('agrees', 'disagrees', 'cannot be told')),
  check ((why = 'asked') = (asked_by is not null)),
  check ((state = 'open') = (ended_at is null)),
  check ((state = 'done') = (closed_by is not null)),
  check ((closed_by is null) = (result is null)),
  check (ended_by is null or state = 'withdrawn'),
  check (closed_by <> visit_id)
);
create unique index check_visit_open on check_visit (vehicle_id) where state = 'open';
create index check_visit_vehicle on check_visit (vehicle_id, asked_at desc);

-- What a check visit is about, who asked and when never changes, and neither does the note but to be erased. Its state does: a
-- visit that closed it may be set aside.
create or replace function only_end_check_visit() returns trigger language plpgsql as $$
begin
  if (new.id, new.vehicle_id, new.visit_id, new.why, new.asked_by, new.asked_at, new.until_on) is distinct from
      (old.id, old.vehicle_id, old.visit_id, old.why, old.asked_by, old.asked_at, old.until_on)
    or new.note not in (old.note, '') then
    raise exception 'a check visit is never edited: it ends, or is wanted again'
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;

create trigger check_visit_only_ends before update on check_visit
  for each row execute function only_end_check_visit();
create trigger check_visit_never_removed before delete on check_visit
  for each statement execute function refuse_change();
create trigger check_visit_never_truncated before truncate on check_visit
  for each statement execute function refuse_change();
create constraint trigger check_visit_has_leaf after insert on check_visit
  deferrable initially deferred for each row execute function require_leaf();
