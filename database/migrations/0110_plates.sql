-- Plates: a vehicle's rego may change, and two states may give out one text. `vehicle.rego` stays the one name of a live record;
-- of a second record with a text it has the state behind it, as in 123ABC-QLD.
alter table vehicle
  drop constraint vehicle_rego_check,
  add constraint vehicle_rego_check check (rego ~ '^[A-Z0-9]{1,20}(-(NSW|VIC|QLD|SA|WA|TAS|NT|ACT))?$'),
  add column plate_state text not null default ''
    check (plate_state in ('', 'NSW', 'VIC', 'QLD', 'SA', 'WA', 'TAS', 'NT', 'ACT'));

-- The records that have their state in their rego, by the text of the plate: few.
create index vehicle_second_state on vehicle (split_part(rego, '-', 1)) where strpos(rego, '-') > 0;

-- The plates that vehicles had: one row for each change, never edited. A vehicle has its present plate since the last of them
-- ended; one without a row has it since ever. `since_on` null: from before. A plate that was typed wrong never was on the truck:
-- the present one is as old as that.
create table former_plate (
  id           bigint generated always as identity primary key,
  vehicle_id   uuid not null references vehicle,
  rego         text collate "C" not null check (rego ~ '^[A-Z0-9]{1,20}(-(NSW|VIC|QLD|SA|WA|TAS|NT|ACT))?$'),
  state        text not null check (state in ('', 'NSW', 'VIC', 'QLD', 'SA', 'WA', 'TAS', 'NT', 'ACT')),
  since_on     date,
  until_on     date not null check (since_on is null or since_on <= until_on),
  why          text not null check (why in ('sold', 'another-state', 'lost', 'personalised', 'typed-wrong')),
  changed_at   timestamptz not null,
  changed_by   bigint not null references actor,
  confirmed_by bigint references actor  -- the admin who looked: who made the change, or confirmed it
);
create index former_plate_vehicle on former_plate (vehicle_id, id);
create index former_plate_text on former_plate (split_part(rego, '-', 1), until_on desc, id desc);
create trigger former_plate_is_final before update or delete on former_plate
  for each row execute function refuse_change();
create trigger former_plate_is_kept before truncate on former_plate
  for each statement execute function refuse_change();
create constraint trigger former_plate_has_leaf after insert on former_plate
  deferrable initially deferred for each row execute function require_leaf();

-- A change that a technician asked for, and an admin confirms or declines, because another vehicle has or had the text.
create table plate_request (
  id         uuid primary key default gen_random_uuid(),
  vehicle_id uuid not null references vehicle,
  rego       text collate "C" not null,   -- the text of the plate
  state      text not null,
  from_on    date not null,
  why        text not null,
  asked_by   bigint not null references actor,
  asked_at   timestamptz not null,
  ended      text check (ended in ('confirmed', 'declined')),
  ended_at   timestamptz,
  ended_by   bigint references actor,
  check ((ended is null) = (ended_at is null) and (ended is null) = (ended_by is null))
);
create unique index plate_request_open on plate_request (vehicle_id) where ended is null;
