-- The registry: people, vehicles, calibrations, files, applications, and what was done (activity_log).
-- Conventions: …_at is an instant (UTC), …_on a calendar day in the registry's time zone.
-- Normalised text (rego, vin, email) is normalised by the application and checked again here.

create extension if not exists pg_trgm;

-- ── People ──────────────────────────────────────────────────────────────────────────────────────────────────────
-- A person is an identity over time: the same address is the same person, also after removal and re-admission.
-- A technician whom an old record names without an address is a person without one.
create table person (
  id         uuid primary key default gen_random_uuid(),
  email      text unique check (email = lower(email) and email !~ '[,\s]' and length(email) between 3 and 254),
  created_at timestamptz not null default now()
);

-- What a person was called when he acted. Records and log entries refer to this row and keep no name themselves, so
-- a later rename leaves the past as it was, and a person's data can be erased without touching an entry.
create table actor (
  id        bigint generated always as identity primary key,
  person_id uuid not null references person,
  name      text not null check (length(name) between 1 and 200),
  email     text not null default '',
  erased_at timestamptz,
  unique (person_id, name, email)
);

-- ── Activity log ────────────────────────────────────────────────────────────────────────────────────────────────
-- Its index is given under the lock of one row that is held to the commit: gap-free and in commit order (a sequence
-- would leave gaps, and show 8 before 7). It is the cursor of live updates; the transparency log joins here.
create table activity_state (
  only_row boolean primary key default true check (only_row),
  size     bigint not null default 0,
  last_at  timestamptz not null default '-infinity'
);
insert into activity_state default values;

create table activity_log (
  index       bigint primary key check (index >= 0),
  at          timestamptz not null,          -- when it was logged: never earlier than the entry before
  occurred_at timestamptz not null,          -- when it happened: earlier than `at` for imported entries only
  kind        text not null check (kind ~ '^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$'),
  origin      text not null default 'recorded' check (origin in ('recorded', 'imported')),
  actor_id    bigint references actor,       -- null: the system itself
  subject     text not null default '',      -- the record's kind: vehicle, admin, application, technician, …
  subject_id  text not null default '',
  topics      text[] not null default '{}'   -- which open pages this concerns: live updates
);
create index activity_log_subject on activity_log (subject, subject_id, index desc);
create index activity_log_actor on activity_log (actor_id, index desc);
create index activity_log_kind on activity_log (kind, index desc);

-- The words and the changed fields of an entry. Apart from the entry, because they may hold personal data, which can
-- be erased later; the entry cannot be changed.
create table activity_detail (
  index     bigint primary key references activity_log,
  action    text not null default '',
  details   text not null default '',
  changes   jsonb,                           -- [{ field, from, to }]
  erased_at timestamptz
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % is refused: entries are never changed or removed', tg_op, tg_table_name
    using errcode = 'integrity_constraint_violation';
end $$;
create trigger activity_log_is_final before update or delete on activity_log
  for each row execute function refuse_change();
create trigger activity_log_is_kept before truncate on activity_log
  for each statement execute function refuse_change();
create trigger activity_detail_is_kept before truncate on activity_detail
  for each statement execute function refuse_change();
create trigger activity_detail_stays before delete on activity_detail
  for each row execute function refuse_change();

-- Appends entries and tells every listening process. Called LAST in the transaction of the write it describes, as it
-- holds the lock of the log's state row until the commit. `entries` is an array of objects with the columns of
-- activity_log (kind, origin, actor_id, subject, subject_id, topics, occurred_at) and activity_detail (action,
-- details, changes). Returns the index of the first entry.
create function append_activity(entries jsonb) returns bigint language plpgsql as $$
declare
  first bigint;
  moment timestamptz;
  n int := jsonb_array_length(entries);
begin
  update activity_state set size = size + n, last_at = greatest(clock_timestamp(), last_at)
    returning size - n, last_at into first, moment;
  with entry as (
    select first + ordinality - 1 as index, e from jsonb_array_elements(entries) with ordinality as t (e, ordinality)
  ), logged as (
    insert into activity_log (index, at, occurred_at, kind, origin, actor_id, subject, subject_id, topics)
    select index, moment, coalesce((e ->> 'occurred_at')::timestamptz, moment), e ->> 'kind',
      coalesce(e ->> 'origin', 'recorded'), (e ->> 'actor_id')::bigint, coalesce(e ->> 'subject', ''),
      coalesce(e ->> 'subject_id', ''),
      coalesce((select array_agg(value) from jsonb_array_elements_text(nullif(e -> 'topics', 'null'))), '{}')
    from entry
  )
  insert into activity_detail (index, action, details, changes)
  select index, coalesce(e ->> 'action', ''), coalesce(e ->> 'details', ''), nullif(e -> 'changes', 'null')
  from entry
  where e ->> 'action' <> '' or e ->> 'details' <> '' or jsonb_typeof(e -> 'changes') = 'array';
  perform pg_notify('activity', (first + n)::text);
  return first;
end $$;

-- ── Files ───────────────────────────────────────────────────────────────────────────────────────────────────────
-- A stored file never changes: its key holds the hash of its bytes. What it is used for says a link.
create table stored_file (
  id            uuid primary key default gen_random_uuid(),
  storage_key   text not null unique,
  sha256        text not null check (sha256 ~ '^[0-9a-f]{64}$'),         -- of the bytes that are stored
  source_sha256 text not null check (source_sha256 ~ '^[0-9a-f]{64}$'),  -- of the bytes that were received
  media_type    text not null check (media_type in ('application/pdf', 'image/jpeg', 'image/png', 'image/webp')),
  size          bigint not null check (size > 0),
  width         int,
  height        int,
  thumbnail_key text unique,
  created_at    timestamptz not null default now()
);
create index stored_file_source on stored_file (source_sha256);

-- ── Admins, applications, technicians ───────────────────────────────────────────────────────────────────────────
create table admin (
  id         uuid primary key default gen_random_uuid(),
  person_id  uuid not null references person,
  email      text not null check (email = lower(email) and email !~ '[,\s]'),
  name       text not null default '',
  phone      text not null default '',
  address    text not null default '',
  born_on    date,
  role_label text not null default '',       -- 'Role' of the specification: free text without power
  gender     text not null default '',
  notes      text not null default '',
  image_id   uuid references stored_file,
  image_url  text not null default '',       -- where the former storage had it, while the file itself is not here
  legacy_uid text not null default '',
  origin     text not null default 'recorded' check (origin in ('recorded', 'imported')),
  version    int not null default 1,
  added_at   timestamptz,
  added_by   bigint references actor,
  updated_at timestamptz,
  updated_by bigint references actor,
  deleted_at timestamptz,
  deleted_by bigint references actor
);
create unique index admin_live_email on admin (email) where deleted_at is null;

create table application (
  id                uuid primary key default gen_random_uuid(),
  email             text not null check (email = lower(email) and email !~ '[,\s]'),
  company_name      text not null default '',
  abn               text not null default '',
  trade_licence_num text not null default '',
  address           text not null default '',
  rep_name          text not null default '',
  rep_contact       text not null default '',
  origin            text not null default 'recorded' check (origin in ('recorded', 'imported')),
  requested_at      timestamptz,
  decision          text check (decision in ('approved', 'deleted')),
  decided_at        timestamptz,
  decided_by        bigint references actor,
  check ((decision is null) = (decided_at is null))
);
create unique index application_open_email on application (email) where decision is null;

create table technician (
  id                uuid primary key default gen_random_uuid(),
  person_id         uuid not null references person,
  application_id    uuid references application,
  email             text not null check (email = lower(email) and email !~ '[,\s]'),
  company_name      text not null default '',
  abn               text not null default '',
  trade_licence_num text not null default '',
  address           text not null default '',
  rep_name          text not null default '',
  rep_contact       text not null default '',
  legacy_uid        text not null default '',
  origin            text not null default 'recorded' check (origin in ('recorded', 'imported')),
  version           int not null default 1,
  requested_at      timestamptz,
  added_at          timestamptz,
  added_by          bigint references actor,
  deleted_at        timestamptz,
  deleted_by        bigint references actor
);
create unique index technician_live_email on technician (email) where deleted_at is null;

-- ── Vehicles ────────────────────────────────────────────────────────────────────────────────────────────────────
create table vehicle (
  id                       uuid primary key default gen_random_uuid(),
  rego                     text collate "C" not null check (rego ~ '^[A-Z0-9]{1,20}$'),
  vin                      text collate "C" not null default '' check (vin ~ '^[A-Z0-9]{0,30}$'),
  scale_serial_number      text not null default '',
  fitted_location          text not null default '',
  fitted_on                date,
  warranty_expires_on      date,
  company_name             text not null default '',
  driver_name              text not null default '',
  notes                    text not null default '',
  make                     text not null default '',
  model                    text not null default '',
  next_calibration_due_on  date,
  calibration_validated    boolean not null default false,
  last_calibrated_at       timestamptz,      -- of its newest calibration; kept by a trigger of calibration
  origin                   text not null default 'recorded' check (origin in ('recorded', 'imported')),
  version                  int not null default 1,
  added_at                 timestamptz,
  added_by                 bigint references actor,
  updated_at               timestamptz,
  updated_by               bigint references actor,
  deleted_at               timestamptz,
  deleted_by               bigint references actor
);
create unique index vehicle_live_rego on vehicle (rego) include (vin, id) where deleted_at is null;
create index vehicle_by_rego on vehicle (rego, deleted_at desc);
create index vehicle_live_search on vehicle using gin ((rego || ' ' || vin) gin_trgm_ops) where deleted_at is null;
create index vehicle_live_verdict on vehicle (calibration_validated, next_calibration_due_on) where deleted_at is null;
create index vehicle_added on vehicle (added_at);

-- Every change of 'calibration validated' or of the due date beside a validation: who, when, why.
create table validation (
  id              bigint generated always as identity primary key,
  vehicle_id      uuid not null references vehicle,
  validated       boolean not null,
  next_due_on     date,
  reason          text not null default '',
  origin          text not null default 'recorded' check (origin in ('recorded', 'imported')),
  decided_at      timestamptz not null default now(),
  decided_by      bigint references actor
);
create index validation_vehicle on validation (vehicle_id, id desc);

-- ── Calibrations ────────────────────────────────────────────────────────────────────────────────────────────────
-- One reading. Its id is the millisecond of recording, unique per rego over all records that rego ever had, because
-- /calibrations/{rego}/{id} must name one reading for ever. Never edited: a correction is a new reading that names
-- the old one.
create table calibration (
  rego            text collate "C" not null,
  id              bigint not null check (id >= 0),
  vehicle_id      uuid not null references vehicle,
  set_id          uuid,                      -- readings recorded as one set share it
  axle            text not null check (axle in ('STEER', 'DRIVE', 'TRAILERA', 'TRAILERB')),
  attribute       text not null check (attribute in ('Empty Volt', 'Loaded Volt', 'Empty Weight', 'Loaded Weight')),
  value           text not null check (value ~ '^(-?[0-9]{1,15}(\.[0-9]{1,15})?)?$'),  -- exactly as entered; '' only imported
  due_on          date,
  calibrated_at   timestamptz not null,
  technician_id   bigint references actor,
  origin          text not null default 'recorded' check (origin in ('recorded', 'imported')),
  stated_at_text  text not null default '',  -- the former database's locale string, kept as it was
  corrects_id     bigint,
  correction_reason text not null default '',
  recorded_at     timestamptz not null default now(),
  primary key (rego, id),
  foreign key (rego, corrects_id) references calibration (rego, id),
  check (value <> '' or origin = 'imported')
);
create index calibration_vehicle on calibration (vehicle_id, id desc);
create index calibration_technician on calibration (technician_id, id desc);
create unique index calibration_corrected_once on calibration (rego, corrects_id) where corrects_id is not null;

create function keep_last_calibrated() returns trigger language plpgsql as $$
begin
  update vehicle v set last_calibrated_at = n.last
  from (select vehicle_id, max(calibrated_at) as last from changed group by vehicle_id) n
  where v.id = n.vehicle_id and (v.last_calibrated_at is null or v.last_calibrated_at < n.last);
  return null;
end $$;
create trigger calibration_inserted after insert on calibration referencing new table as changed
  for each statement execute function keep_last_calibrated();
create trigger calibration_updated after update on calibration referencing new table as changed
  for each statement execute function keep_last_calibrated();

-- ── Files of a vehicle ──────────────────────────────────────────────────────────────────────────────────────────
create table vehicle_file (
  id            uuid primary key default gen_random_uuid(),
  vehicle_id    uuid not null references vehicle,
  role          text not null check (role in ('certificate', 'image')),
  file_id       uuid references stored_file,
  external_url  text not null default '',    -- where the former storage had it, while the file itself is not here
  uploaded_name text not null default '',    -- for display only
  position      int not null default 0,
  added_at      timestamptz not null default now(),
  added_by      bigint references actor,
  removed_at    timestamptz,
  removed_by    bigint references actor,
  check (file_id is not null or external_url <> '')
);
create index vehicle_file_vehicle on vehicle_file (vehicle_id, role, position);
create index vehicle_file_file on vehicle_file (file_id);
create unique index vehicle_file_one_certificate on vehicle_file (vehicle_id)
  where role = 'certificate' and removed_at is null;

-- ── Import ──────────────────────────────────────────────────────────────────────────────────────────────────────
-- What became of each record of the former database's export: `key` is its path there ('Vehicles/ABC123').
create table import_record (
  key            text primary key,
  hash           text not null,              -- of the record as it stood in the export: unchanged means nothing to do
  target_id      text not null default '',   -- the vehicle, admin, … it became; empty: refused or skipped
  target_version int not null default 0,     -- the target's version then; a higher one now means it was edited here
  unplaced       jsonb,                      -- fields that the registry has no place for, as they were
  imported_at    timestamptz not null default now()
);
