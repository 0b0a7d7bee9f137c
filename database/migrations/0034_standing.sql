-- A technician's standing: from when they are suspended, and how long their trade licence is valid. Both are null where
-- nothing is known, as in each record from before.
alter table technician
  add column suspended_from  date,           -- of the suspension that is not lifted
  add column licence_ends_on date;           -- the last day on which it is valid

-- Each suspension, for ever. Days are those of the registry's zone, both included.
create table suspension (
  id            uuid primary key default gen_random_uuid(),
  technician_id uuid not null references technician,
  from_on       date not null,
  to_on         date,                        -- null: not lifted. The day before from_on: lifted from its first day on
  reason        text not null,               -- for admins only; '' once the person's data were erased
  decided_by    bigint not null references actor,
  decided_at    timestamptz not null,
  ended_by      bigint references actor,
  ended_at      timestamptz,
  check (to_on >= from_on - 1),
  check ((to_on is null) = (ended_by is null) and (to_on is null) = (ended_at is null))
);
create unique index suspension_open on suspension (technician_id) where to_on is null;
create index suspension_technician on suspension (technician_id, decided_at);

create trigger suspension_never_deleted before delete on suspension
  for each statement execute function refuse_change();
create trigger suspension_never_truncated before truncate on suspension
  for each statement execute function refuse_change();
create constraint trigger suspension_has_leaf after insert on suspension
  deferrable initially deferred for each row execute function require_leaf();
