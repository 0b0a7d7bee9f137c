-- Two records of one truck are joined: one is closed, and its rows belong to the other from then on. A row that came with a join
-- says in `from_vehicle` under which record it was logged, so that its entry in the log covers it as ever; parted, it goes back.
alter table vehicle add column joined_into uuid references vehicle;
create index vehicle_joined_into on vehicle (joined_into) where joined_into is not null;

-- The live record that a vehicle's record is part of: itself, unless it was joined.
create or replace function joined_truck(id uuid) returns uuid language sql stable parallel safe as $$
  with recursive way (id, into_id) as (
    select v.id, v.joined_into from vehicle v where v.id = $1
    union select v.id, v.joined_into from way w join vehicle v on v.id = w.into_id)
  select w.id from way w where w.into_id is null
$$;

alter table calibration add column from_vehicle uuid references vehicle;
alter table calibration_set add column from_vehicle uuid references vehicle;
alter table visit add column from_vehicle uuid references vehicle;
alter table check_visit add column from_vehicle uuid references vehicle;
alter table vehicle_file add column from_vehicle uuid references vehicle;
alter table follower add column from_vehicle uuid references vehicle;

-- The plate of the closed record is a former plate of the other; once they are parted it is nobody's (`vehicle_id` null).
alter table former_plate
  add column from_vehicle uuid references vehicle,
  alter column vehicle_id drop not null,
  add constraint former_plate_of_truck check (vehicle_id is not null or (why = 'joined' and from_vehicle is not null)),
  drop constraint former_plate_why_check,
  add constraint former_plate_why_check
    check (why in ('sold', 'another-state', 'lost', 'personalised', 'typed-wrong', 'joined'));
create index former_plate_own on former_plate ((coalesce(from_vehicle, vehicle_id)), id);

-- Rows that are final change their truck in a join, and nothing else.
create or replace function only_change_truck() returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE' or to_jsonb(new) - array['vehicle_id', 'from_vehicle'] <> to_jsonb(old) - array['vehicle_id', 'from_vehicle']
    or coalesce(new.from_vehicle, new.vehicle_id) <> coalesce(old.from_vehicle, old.vehicle_id) then
    raise exception '% of % is refused: entries are never changed or removed', tg_op, tg_table_name
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
drop trigger calibration_set_never_changes on calibration_set;
create trigger calibration_set_never_changes before update or delete on calibration_set
  for each row execute function only_change_truck();
drop trigger former_plate_is_final on former_plate;
create trigger former_plate_is_final before update or delete on former_plate
  for each row execute function only_change_truck();

create or replace function only_end_check_visit() returns trigger language plpgsql as $$
begin
  if (new.id, coalesce(new.from_vehicle, new.vehicle_id), new.visit_id, new.why, new.asked_by, new.asked_at, new.until_on)
      is distinct from
      (old.id, coalesce(old.from_vehicle, old.vehicle_id), old.visit_id, old.why, old.asked_by, old.asked_at, old.until_on)
    or new.note not in (old.note, '') then
    raise exception 'a check visit is never edited: it ends, or is wanted again'
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;

-- A join: asked for, done (`joined_at`) or declined, and perhaps undone (`parted_at`). `kept_due_on`, `kept_rests_on`: what the
-- kept record had before.
create table joined_record (
  id            uuid primary key default gen_random_uuid(),
  vehicle_id    uuid not null references vehicle,  -- the record that is closed
  kept_id       uuid not null references vehicle check (kept_id <> vehicle_id),
  asked_by      bigint not null references actor,
  asked_at      timestamptz not null,
  declined_by   bigint references actor,
  declined_at   timestamptz,
  joined_by     bigint references actor,
  joined_at     timestamptz,
  is_alone      boolean not null default false,    -- no other admin could have looked
  kept_due_on   date,
  kept_rests_on text not null default '' check (kept_rests_on in ('', 'visit', 'nothing')),
  parted_by     bigint references actor,
  parted_at     timestamptz,
  check (num_nonnulls(declined_at, declined_by) in (0, 2) and num_nonnulls(joined_at, joined_by) in (0, 2)
    and num_nonnulls(parted_at, parted_by) in (0, 2)),
  check (declined_at is null or joined_at is null),
  check (parted_at is null or joined_at is not null)
);
create unique index joined_record_open on joined_record (vehicle_id, kept_id) where declined_at is null and joined_at is null;
create unique index joined_record_now on joined_record (vehicle_id) where joined_at is not null and parted_at is null;
create constraint trigger joined_record_has_leaf after insert or update on joined_record
  deferrable initially deferred for each row when (new.joined_at is not null) execute function require_leaf();
create trigger joined_record_is_kept before delete on joined_record for each row execute function refuse_change();
create trigger joined_record_never_truncated before truncate on joined_record
  for each statement execute function refuse_change();

-- Two live records with one VIN that are two trucks, as an admin said: nobody is asked about them again.
create table two_trucks (
  first_id  uuid not null references vehicle,
  second_id uuid not null references vehicle,
  vin       text not null,
  said_by   bigint not null references actor,
  said_at   timestamptz not null,
  primary key (first_id, second_id, vin),
  check (first_id < second_id)
);
create index two_trucks_second on two_trucks (second_id);
