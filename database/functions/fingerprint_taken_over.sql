-- Readings without a visit: those of one axle, technician and day (or set) are one visit's when each attribute is there once.
create or replace function fingerprint_taken_over(vehicles uuid[]) returns void language sql as $$
  delete from axle_fingerprint where vehicle_id = any(vehicles) and visit_id is null;
  insert into axle_fingerprint (fingerprint, vehicle_id, axle, readings)
    select readings_fingerprint(empty_volt, empty_weight, loaded_volt, loaded_weight), vehicle_id, axle,
      array[empty_volt, empty_weight, loaded_volt, loaded_weight]::numeric[]
    from (
      select c.vehicle_id, c.axle, max(c.value) filter (where c.attribute = 'Empty Volt') as empty_volt,
        max(c.value) filter (where c.attribute = 'Empty Weight') as empty_weight,
        max(c.value) filter (where c.attribute = 'Loaded Volt') as loaded_volt,
        max(c.value) filter (where c.attribute = 'Loaded Weight') as loaded_weight
      from calibration c
      where c.vehicle_id = any(vehicles) and c.visit_id is null and c.value ~ '^-?[0-9]+(\.[0-9]+)?$'
        and not exists (select from calibration later where later.rego = c.rego and later.corrects_id = c.id)
      group by c.vehicle_id, c.axle, c.set_id, c.technician_id, (c.calibrated_at at time zone 'UTC')::date
      having count(*) = 4 and count(distinct c.attribute) = 4) four
$$;
