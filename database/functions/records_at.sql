-- The records of the vehicles that have or had one of `names` (regos, VINs), as they stood when the log had `log_size` entries: rows
-- of their tables as JSON. What had come by a join belongs to the other vehicle, as it did then.
create or replace function records_at(names text[], log_size bigint)
returns table (kind text, "row" jsonb) language sql stable parallel safe as $$
  with recursive named (id) as (
    select v.id from vehicle v where v.rego = any(names) or (v.vin <> '' and v.vin = any(names))
    union select coalesce(f.from_vehicle, f.vehicle_id) from former_plate f
      where split_part(f.rego, '-', 1) = any(array(select split_part(n, '-', 1) from unnest(names) n)) and f.rego = any(names)),
  joined (id, truck) as (
    select n.id, n.id from named n
    union select j.vehicle_id, w.truck from joined w join joined_record j on j.kept_id = w.id
      cross join lateral (select row_at('joined_record', j.id::text, log_size) as row offset 0) at_end
      where at_end.row ->> 'joined_at' is not null and at_end.row ->> 'parted_at' is null),
  -- Also where the joined record was asked for by a plate of its own.
  own as materialized (select j.id, (array_agg(j.truck order by j.truck = j.id))[1] as truck from joined j group by j.id),
  stood as materialized (
    select k.kind, o.id, o.truck, row_at(k.kind, k.key, log_size) as row
    from record_keys(array(select o.id from own o)) k join own o on o.id = k.id),
  -- A text that came after the entry is empty, as it was for all.
  texts as materialized (
    select c.relname::text as kind, jsonb_object_agg(a.attname, '') as row from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and a.attnotnull and not a.attisdropped and a.atttypid = 'text'::regtype
    where c.oid = any(array(select distinct s.kind::regclass::oid from stood s)) group by c.oid),
  -- What entries do not cover, as it follows from the readings.
  last as materialized (
    select s.truck, max((s.row ->> 'calibrated_at')::timestamptz) as at from stood s where s.kind = 'calibration' group by s.truck)
  select s.kind, coalesce(t.row, '{}') || s.row || case
    when s.kind = 'vehicle' then jsonb_build_object('last_calibrated_at', l.at, 'is_calibrated', l.at is not null)
    when s.row ? 'vehicle_id' and s.kind <> 'validation'
      then jsonb_build_object('vehicle_id', s.truck, 'from_vehicle', nullif(s.id, s.truck))
    else '{}' end
  from stood s left join texts t on t.kind = s.kind left join last l on l.truck = s.id where s.row is not null
$$;
