-- A verdict rests on visits: a calibration set, or the single readings of one technician on one truck within 12 hours.
-- Readings without a visit were recorded before there were visits, or imported: they keep their effect as it stood.
create table visit (
  id            uuid primary key default gen_random_uuid(),  -- that of the calibration set, where there is one
  vehicle_id    uuid not null references vehicle,
  technician_id bigint references actor,
  visited_at    timestamptz not null,
  visited_on    date not null,                -- the day in the registry's zone
  opened_at     timestamptz not null default now(),
  closed_at     timestamptz,
  due_on        date,                         -- the earliest of its entries, from the close on
  hand_due_on   date,                         -- set by an admin instead; ends with this visit's rule
  state         text not null
    check (state in ('open', 'counts', 'partial', 'waits', 'accepted', 'set-aside', 'taken-over')),
  -- What the checks alone say, by the policy in force at the close.
  judged        text check (judged in ('counts', 'partial', 'waits')),
  checks        jsonb,
  policy_version int,
  vin           text not null default '',     -- the truck's at the close
  is_confirmed  boolean not null default false,  -- rego and VIN were read on the truck
  reference_id  uuid,
  is_stretched  boolean not null default false,  -- a late correction moved its due date later, and nobody decided yet
  -- The state before a recall held it back; null while none does.
  before_recall text check (before_recall in ('counts', 'accepted')),
  origin        text not null default 'recorded' check (origin in ('recorded', 'imported')),
  check ((state in ('open', 'taken-over')) = (judged is null)),
  check ((closed_at is null) = (state = 'open'))
);
-- The visit that rules: the newest by its day, then by recording.
create index visit_vehicle on visit (vehicle_id, visited_on desc, opened_at desc);
create index visit_open on visit (opened_at) where state = 'open';
-- The admins' lists of visits, and how long the decided ones waited.
create index visit_of_state on visit (state, closed_at) where state in ('waits', 'accepted', 'set-aside', 'partial');
create index visit_technician on visit (technician_id, opened_at desc);
create constraint trigger visit_has_leaf after insert on visit
  deferrable initially deferred for each row execute function require_leaf();
create trigger visit_is_kept before delete on visit for each row execute function refuse_change();
create trigger visit_never_truncated before truncate on visit for each statement execute function refuse_change();

alter table calibration add column visit_id uuid references visit;

-- What admins decided about a visit. `reason`: of a closed list, public; `note`: for admins.
create table visit_decision (
  id         bigint generated always as identity primary key,
  visit_id   uuid not null references visit,
  decision   text not null check (decision in ('accepted', 'set-aside')),
  reason     text not null default '',
  note       text not null default '',
  is_alone   boolean not null,                -- no other admin could have looked
  decided_by bigint not null references actor,
  decided_at timestamptz not null default now()
);
create index visit_decision_visit on visit_decision (visit_id, id);
create index visit_decision_at on visit_decision (decided_at);
create constraint trigger visit_decision_has_leaf after insert on visit_decision
  deferrable initially deferred for each row execute function require_leaf();
create trigger visit_decision_never_changes before update or delete on visit_decision
  for each row execute function refuse_change();
create trigger visit_decision_never_truncated before truncate on visit_decision
  for each statement execute function refuse_change();

-- '': as taken over; 'visit': on a visit that counts; 'nothing': visits are recorded, and none counts.
alter table vehicle add column rests_on text not null default '' check (rests_on in ('', 'visit', 'nothing'));

-- "This truck": the same VIN or serial number on another record, removed ones included.
create index vehicle_vin on vehicle (vin) where vin <> '';
create index vehicle_serial on vehicle (scale_serial_number) where scale_serial_number <> '';
-- "Ticket": the same number at another visit.
create index calibration_set_ticket on calibration_set (ticket_number) where ticket_number <> '';

create index calibration_set_photo_bytes on calibration_set (photo_sha256) where photo_sha256 is not null;

-- The four readings of an axle group as one number: equal for readings that are equal to the digit, whatever zeros end them.
create function readings_fingerprint(empty_volt text, empty_weight text, loaded_volt text, loaded_weight text) returns bigint
  language sql immutable parallel safe as $$
  select hashtextextended(concat_ws(' ', trim_scale(nullif(empty_volt, '')::numeric), trim_scale(nullif(empty_weight, '')::numeric),
    trim_scale(nullif(loaded_volt, '')::numeric), trim_scale(nullif(loaded_weight, '')::numeric)), 0)
$$;
-- Derived from the readings, so no leaf covers it: which visits have which four readings. `visit_id` is null for readings
-- from before there were visits.
create table axle_fingerprint (
  fingerprint bigint not null,
  vehicle_id uuid not null references vehicle,
  visit_id   uuid references visit,
  axle       text not null
);
create index axle_fingerprint_value on axle_fingerprint (fingerprint);
create index axle_fingerprint_visit on axle_fingerprint (vehicle_id, visit_id);

-- Readings without a visit: those of one axle, technician and day (or set) are one visit's when each attribute is there once.
create function fingerprint_taken_over(vehicles uuid[]) returns void language sql as $$
  delete from axle_fingerprint where vehicle_id = any(vehicles) and visit_id is null;
  insert into axle_fingerprint (fingerprint, vehicle_id, axle)
    select readings_fingerprint(max(c.value) filter (where c.attribute = 'Empty Volt'),
      max(c.value) filter (where c.attribute = 'Empty Weight'), max(c.value) filter (where c.attribute = 'Loaded Volt'),
      max(c.value) filter (where c.attribute = 'Loaded Weight')), c.vehicle_id, c.axle
    from calibration c
    where c.vehicle_id = any(vehicles) and c.visit_id is null and c.value ~ '^-?[0-9]+(\.[0-9]+)?$'
      and not exists (select from calibration later where later.rego = c.rego and later.corrects_id = c.id)
    group by c.vehicle_id, c.axle, c.set_id, c.technician_id, (c.calibrated_at at time zone 'UTC')::date
    having count(*) = 4 and count(distinct c.attribute) = 4
$$;
select fingerprint_taken_over(array(select distinct vehicle_id from calibration));

-- How far the first start of this version has gone through the vehicles that were here: their axle groups from their readings,
-- and due dates cut to the longest interval (vehicles/take-over-registry.server.ts). Nothing to do in a new registry.
create table taking_over (
  only_row boolean primary key default true check (only_row),
  after_id uuid not null default '00000000-0000-0000-0000-000000000000',
  done_at  timestamptz
);
insert into taking_over (done_at) values (case when exists (select from vehicle) then null else now() end);

-- As before; but a vehicle counts as validated only while a visit counts.
create or replace function count_vehicle_states() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into vehicle_gram_delta (gram, n)
      select vehicle_state(calibration_validated and rests_on <> 'nothing', last_calibrated_at is not null, next_calibration_due_on) s, count(*)
      from after_rows where deleted_at is null group by s;
  elsif tg_op = 'DELETE' then
    insert into vehicle_gram_delta (gram, n)
      select vehicle_state(calibration_validated and rests_on <> 'nothing', last_calibrated_at is not null, next_calibration_due_on) s, -count(*)
      from before_rows where deleted_at is null group by s;
  else
    insert into vehicle_gram_delta (gram, n)
      select s, sum(d) from (
        select vehicle_state(calibration_validated and rests_on <> 'nothing', last_calibrated_at is not null, next_calibration_due_on) s, 1 d
        from after_rows where deleted_at is null
        union all
        select vehicle_state(calibration_validated and rests_on <> 'nothing', last_calibrated_at is not null, next_calibration_due_on), -1
        from before_rows where deleted_at is null
      ) moved group by s having sum(d) <> 0;
  end if;
  return null;
end $$;
