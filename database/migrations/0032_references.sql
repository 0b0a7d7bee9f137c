-- The register of weighbridges (in code: references), on which trucks are weighed when their scales are calibrated.
-- Numbers that may have decimals are text, as the log's leaves hold no floats.
create table reference (
  id             uuid primary key default gen_random_uuid(),
  name           text not null check (name <> '' and length(name) <= 120),
  place          text not null check (place <> '' and length(place) <= 120),
  state          text not null check (state in ('NSW', 'VIC', 'QLD', 'SA', 'WA', 'TAS', 'NT', 'ACT')),
  latitude       text not null default '' check (latitude ~ '^(-?\d{1,2}(\.\d{1,6})?)?$'),
  longitude      text not null default '' check (longitude ~ '^(-?\d{1,3}(\.\d{1,6})?)?$'),
  operator       text not null default '' check (length(operator) <= 200),
  capacity_kg    int check (capacity_kg > 0),
  interval_kg    int check (interval_kg > 0),  -- the verification scale interval, e
  public_licence text not null default '' check (length(public_licence) <= 60),
  version        int not null default 0,
  added_at       timestamptz not null default now(),
  added_by       bigint not null references actor,
  updated_at     timestamptz not null default now(),
  updated_by     bigint not null references actor,
  check ((latitude = '') = (longitude = ''))
);
create unique index reference_named on reference (lower(name), lower(place), state);

-- The periods in which a verification holds. Several may cover a day.
create table reference_verification (
  id                 uuid primary key default gen_random_uuid(),
  reference_id       uuid not null references reference,
  certificate_number text not null check (certificate_number <> '' and length(certificate_number) <= 60),
  from_on            date not null,
  to_on              date not null,             -- the last day that it covers
  file_id            uuid references stored_file,
  file_sha256        text check (file_sha256 ~ '^[0-9a-f]{64}$'),  -- of its bytes, so that the log covers them
  file_name          text not null default '',
  added_at           timestamptz not null default now(),
  added_by           bigint not null references actor,
  removed_at         timestamptz,
  removed_by         bigint references actor,
  removed_reason     text not null default '',  -- admins only
  check (to_on >= from_on),
  check ((file_id is null) = (file_sha256 is null)),
  check ((removed_at is null) = (removed_by is null) and (removed_at is null) = (removed_reason = ''))
);
create index reference_verification_of on reference_verification (reference_id, to_on);
create unique index reference_verification_once on reference_verification (reference_id, certificate_number, from_on)
  where removed_at is null;
create index reference_verification_file on reference_verification (file_id) where file_id is not null;

create table reference_repair (
  id           uuid primary key default gen_random_uuid(),
  reference_id uuid not null references reference,
  on_day       date not null,
  note         text not null check (note <> '' and length(note) <= 200),
  added_at     timestamptz not null default now(),
  added_by     bigint not null references actor
);
create index reference_repair_of on reference_repair (reference_id, on_day);

-- A verification period is never edited. A wrong one is withdrawn, once: only who, when and why are then set.
create or replace function only_withdraw_verification() returns trigger language plpgsql as $$
declare
  same reference_verification := new;
begin
  same.removed_at := old.removed_at;
  same.removed_by := old.removed_by;
  same.removed_reason := old.removed_reason;
  if same is distinct from old or old.removed_at is not null or new.removed_at is null then
    raise exception 'a verification period is never edited: a wrong one is withdrawn, once'
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;

create trigger reference_never_removed before delete on reference
  for each statement execute function refuse_change();
create trigger reference_never_truncated before truncate on reference
  for each statement execute function refuse_change();
create trigger reference_verification_only_withdrawn before update on reference_verification
  for each row execute function only_withdraw_verification();
create trigger reference_verification_never_removed before delete on reference_verification
  for each statement execute function refuse_change();
create trigger reference_verification_never_truncated before truncate on reference_verification
  for each statement execute function refuse_change();
create trigger reference_repair_never_changes before update or delete on reference_repair
  for each statement execute function refuse_change();
create trigger reference_repair_never_truncated before truncate on reference_repair
  for each statement execute function refuse_change();

create constraint trigger reference_has_leaf after insert on reference
  deferrable initially deferred for each row execute function require_leaf();
create constraint trigger reference_verification_has_leaf after insert on reference_verification
  deferrable initially deferred for each row execute function require_leaf();
create constraint trigger reference_repair_has_leaf after insert on reference_repair
  deferrable initially deferred for each row execute function require_leaf();
