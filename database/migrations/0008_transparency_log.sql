-- The transparency log: one leaf for each event of record (RFC 9162 section 2.1; the leaf's shape: app/transparency-log).

-- Leaves are numbered under the lock of activity_state, as activities are: gap-free and in commit order.
alter table activity_state
  add column leaf_size     bigint not null default 0,
  add column leaf_at       timestamptz not null default '-infinity',
  add column leaf_frontier bytea[] not null default '{}',  -- roots of the complete subtrees, the largest first
  add column before_log    boolean not null default false; -- whether records older than the log are all entered

create table log_leaf (
  index bigint primary key check (index >= 0),
  entry text not null check (octet_length(entry) <= 4096),  -- canonical JSON (RFC 8785), hashed as UTF-8
  hash  bytea not null check (length(hash) = 32)
);

-- Which records a leaf covers as they were left by its event. The last leaf of a record covers it as it is now.
create table record_leaf (
  leaf_index   bigint not null references log_leaf,
  record_table text not null check (record_table in ('vehicle', 'calibration', 'validation', 'vehicle_file', 'technician')),
  record_key   text not null,
  primary key (record_table, record_key, leaf_index)
);
create index record_leaf_index on record_leaf (leaf_index);

-- A vehicle's leaves are a chain. Its commitment is the same in all of them, so it has one salt.
create table log_chain (
  vehicle_id uuid primary key references vehicle,
  salt       text not null,
  commitment text not null unique,
  length     int not null default 0,
  head       text not null default ''   -- the hash of its last leaf, base64
);

-- What opens the commitments of a leaf. Erasing salt and value erases the fact; the leaf stays.
create table leaf_opening (
  leaf_index bigint not null references log_leaf,
  field      text not null,
  salt       text,
  value      jsonb,
  erased_at  timestamptz,
  primary key (leaf_index, field),
  check ((salt is null) = (erased_at is not null) and (value is null) = (erased_at is not null))
);

create trigger log_leaf_never_changes before update or delete on log_leaf
  for each statement execute function refuse_change();
create trigger log_leaf_never_truncated before truncate on log_leaf
  for each statement execute function refuse_change();
create trigger record_leaf_never_changes before update or delete on record_leaf
  for each statement execute function refuse_change();
create trigger record_leaf_never_truncated before truncate on record_leaf
  for each statement execute function refuse_change();
create trigger leaf_opening_never_deleted before delete on leaf_opening
  for each statement execute function refuse_change();
create trigger leaf_opening_never_truncated before truncate on leaf_opening
  for each statement execute function refuse_change();

create function only_erase_opening() returns trigger language plpgsql as $$
begin
  if old.erased_at is not null or new.erased_at is null or new.salt is not null or new.value is not null
    or new.leaf_index <> old.leaf_index or new.field <> old.field then
    raise exception 'what opens a leaf never changes: it can be erased';
  end if;
  return new;
end $$;
create trigger leaf_opening_only_erased before update on leaf_opening
  for each row execute function only_erase_opening();

-- Appends leaves in order. Each comes as the pieces of its canonical JSON between what is only known under the lock: the
-- time (never earlier than the leaf before), and the leaf's place in its vehicle's chain. Keys stand in the order of RFC
-- 8785: at, body … people, prev, rest, subject, subjectSeq, type, v. Returns the first index.
create function append_leaves(leaves jsonb) returns bigint language plpgsql as $$
declare
  n int := jsonb_array_length(leaves);
  first bigint;
  moment timestamptz;
  frontier bytea[];
  at_index bigint;
  stamp text;
  leaf jsonb;
  chain log_chain%rowtype;
  entry text;
  node bytea;
  level bigint;
begin
  update activity_state
    set leaf_size = leaf_size + n,
      leaf_at = greatest(date_trunc('milliseconds', clock_timestamp()), leaf_at)
    returning leaf_size - n, leaf_at, leaf_frontier into first, moment, frontier;
  stamp := to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
  at_index := first;
  for leaf in select e from jsonb_array_elements(leaves) with ordinality as t (e, place) order by place loop
    entry := '{"at":"' || stamp || '",' || (leaf ->> 'before');
    if leaf ->> 'vehicle' is null then
      entry := entry || (leaf ->> 'rest') || ',' || (leaf ->> 'after') || '}';
    else
      insert into log_chain (vehicle_id, salt, commitment)
        values ((leaf ->> 'vehicle')::uuid, leaf ->> 'salt', leaf ->> 'commitment')
        on conflict (vehicle_id) do nothing;
      select * into strict chain from log_chain where vehicle_id = (leaf ->> 'vehicle')::uuid;
      if chain.length > 0 then
        entry := entry || ',"prev":"' || chain.head || '"';
      end if;
      entry := entry || (leaf ->> 'rest') || ',"subject":"' || chain.commitment || '","subjectSeq":' || chain.length + 1
        || ',' || (leaf ->> 'after') || '}';
    end if;
    node := sha256('\x00'::bytea || convert_to(entry, 'UTF8'));
    insert into log_leaf (index, entry, hash) values (at_index, entry, node);
    insert into record_leaf (leaf_index, record_table, record_key)
      select at_index, r ->> 'table', r ->> 'key' from jsonb_array_elements(leaf -> 'records') r;
    insert into leaf_opening (leaf_index, field, salt, value)
      select at_index, o ->> 'field', o ->> 'salt', o -> 'value' from jsonb_array_elements(leaf -> 'openings') o;
    if leaf ->> 'vehicle' is not null then
      update log_chain set length = length + 1, head = encode(node, 'base64') where vehicle_id = chain.vehicle_id;
    end if;
    -- RFC 9162 section 2.1.1, kept as the roots of complete subtrees.
    level := at_index;
    while level % 2 = 1 loop
      node := sha256('\x01'::bytea || frontier[cardinality(frontier)] || node);
      frontier := frontier[1:cardinality(frontier) - 1];
      level := level / 2;
    end loop;
    frontier := frontier || node;
    at_index := at_index + 1;
  end loop;
  update activity_state set leaf_frontier = frontier;
  perform pg_notify('leaves', at_index::text);
  return first;
end $$;

-- No record without a leaf: asked at the commit, as the leaf comes last in a transaction.
create function require_leaf() returns trigger language plpgsql as $$
begin
  if not exists (select from record_leaf where record_table = tg_table_name and record_key = new.id::text) then
    raise exception 'a record of % has no leaf in the transparency log', tg_table_name;
  end if;
  return null;
end $$;
create function require_calibration_leaf() returns trigger language plpgsql as $$
begin
  if not exists (
    select from record_leaf where record_table = 'calibration' and record_key = new.rego || '/' || new.id
  ) then
    raise exception 'a record of calibration has no leaf in the transparency log';
  end if;
  return null;
end $$;
create constraint trigger vehicle_has_leaf after insert on vehicle
  deferrable initially deferred for each row execute function require_leaf();
create constraint trigger validation_has_leaf after insert on validation
  deferrable initially deferred for each row execute function require_leaf();
create constraint trigger certificate_has_leaf after insert on vehicle_file
  deferrable initially deferred for each row when (new.role = 'certificate') execute function require_leaf();
create constraint trigger technician_has_leaf after insert on technician
  deferrable initially deferred for each row execute function require_leaf();
create constraint trigger calibration_has_leaf after insert on calibration
  deferrable initially deferred for each row execute function require_calibration_leaf();

-- A registry without records has none to enter.
update activity_state set before_log = not exists (select from vehicle) and not exists (select from technician);
