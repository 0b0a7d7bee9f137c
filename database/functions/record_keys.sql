-- The records of vehicles, each in the hands of the vehicle under which it was logged: table, key and that vehicle. A visit's
-- weighbridge is among them.
create or replace function record_keys(ids uuid[])
returns table (kind text, key text, id uuid) language sql stable parallel safe as $$
  -- The rows of a joined record are with the vehicle that holds them now, which finds them by index.
  with own as materialized (select o.id, array[o.id, joined_truck(o.id)] as holders from unnest(ids) o (id)),
  visits as materialized (
    select t.id, t.reference_id, o.id as own_id from own o
    join visit t on t.vehicle_id = any(o.holders) and coalesce(t.from_vehicle, t.vehicle_id) = o.id)
  select 'vehicle', o.id::text, o.id from own o
  union all select 'calibration', t.rego || '/' || t.id, o.id from own o
    join calibration t on t.vehicle_id = any(o.holders) and coalesce(t.from_vehicle, t.vehicle_id) = o.id
  union all select 'calibration_set', t.id::text, o.id from own o
    join calibration_set t on t.vehicle_id = any(o.holders) and coalesce(t.from_vehicle, t.vehicle_id) = o.id
  union all select 'check_visit', t.id::text, o.id from own o
    join check_visit t on t.vehicle_id = any(o.holders) and coalesce(t.from_vehicle, t.vehicle_id) = o.id
  union all select 'vehicle_file', t.id::text, o.id from own o
    join vehicle_file t on t.vehicle_id = any(o.holders) and coalesce(t.from_vehicle, t.vehicle_id) = o.id
  union all select 'former_plate', t.id::text, o.id from own o
    join former_plate t on coalesce(t.from_vehicle, t.vehicle_id) = o.id
  union all select 'validation', t.id::text, o.id from own o join validation t on t.vehicle_id = o.id
  union all select 'visit', v.id::text, v.own_id from visits v
  union all select 'visit_decision', t.id::text, v.own_id from visits v join visit_decision t on t.visit_id = v.id
  union all select distinct on (v.reference_id) 'reference', v.reference_id::text, v.own_id from visits v where v.reference_id is not null
$$;
