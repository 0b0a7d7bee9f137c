-- Calibration sets: what one visit recorded of the axles of a truck, at once. Its readings are calibrations as ever, each
-- with its own id and leaf, that name the set.
create table calibration_set (
  id            uuid primary key default gen_random_uuid(),
  vehicle_id    uuid not null references vehicle,
  visited_at    timestamptz not null,        -- as stated: recorded it was at recorded_at
  technician_id bigint not null references actor,
  weighbridge   text not null default '',
  ticket_number text not null default '',
  lift_axle     text not null default '' check (lift_axle in ('', 'none', 'raised', 'lowered')),
  notes         text not null default '',    -- of the office only
  photo_id      uuid references stored_file,
  photo_sha256  text check (photo_sha256 ~ '^[0-9a-f]{64}$'),  -- of its bytes, so that the log covers them
  photo_name    text not null default '',
  -- What an axle has beside its readings: [{ axle, check_volt, check_weight, as_found_empty, as_found_loaded,
  -- sensor_replaced }], numbers as decimal text or null. Never asked for apart from its set: one row, one leaf.
  axles         jsonb not null check (jsonb_typeof(axles) = 'array' and jsonb_array_length(axles) between 1 and 4),
  recorded_at   timestamptz not null default now(),
  check ((photo_id is null) = (photo_sha256 is null))
);
create index calibration_set_vehicle on calibration_set (vehicle_id, visited_at desc);
create index calibration_set_photo on calibration_set (photo_id) where photo_id is not null;

create trigger calibration_set_never_changes before update or delete on calibration_set
  for each row execute function refuse_change();
create trigger calibration_set_never_truncated before truncate on calibration_set
  for each statement execute function refuse_change();

-- Until now no reading named a set.
alter table calibration add foreign key (set_id) references calibration_set;
create index calibration_of_set on calibration (set_id) where set_id is not null;

-- Which kinds of records the log covers is the code's closed list (record-snapshot.server.ts).
alter table record_leaf drop constraint record_leaf_record_table_check,
  add constraint record_leaf_record_table_check check (record_table ~ '^[a-z]+(_[a-z]+)*$');

create constraint trigger calibration_set_has_leaf after insert on calibration_set
  deferrable initially deferred for each row execute function require_leaf();
