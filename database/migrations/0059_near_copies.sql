-- Copies are looked for among whole visits, and near ones too: each reading within a step of another truck's. So a fingerprint
-- keeps its readings, and an index their cell in a grid, of which a near one lies in one of sixteen. The registry goes through its
-- readings once: about 20 s for four million.
alter table axle_fingerprint add column readings numeric[];

-- The cell of the four readings of an axle group (empty volts and weight, loaded volts and weight) in a grid of 0.02 V and 40 kg, as
-- one number: readings within a step (0.01 V, 20 kg) of each other lie in the same cell, or in ones that touch. Null where no volts
-- were typed to hundredths: there an equal reading is chance. Stored by an index: only a migration changes it.
create or replace function readings_cell(readings numeric[]) returns bigint
  language sql immutable parallel safe as $$
  select case when greatest(scale(readings[1]), scale(readings[3])) >= 2 then hashtextextended(concat_ws(' ',
    floor(readings[1] * 50), floor(readings[2] * 0.025), floor(readings[3] * 50), floor(readings[4] * 0.025)), 0) end
$$;
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

update axle_fingerprint f set readings = four.readings
  from (
    select c.visit_id, c.axle, array[max(c.value) filter (where c.attribute = 'Empty Volt'),
      max(c.value) filter (where c.attribute = 'Empty Weight'), max(c.value) filter (where c.attribute = 'Loaded Volt'),
      max(c.value) filter (where c.attribute = 'Loaded Weight')]::numeric[] as readings
    from calibration c
    where c.visit_id is not null and c.value ~ '^-?[0-9]+(\.[0-9]+)?$'
      and not exists (select from calibration later where later.rego = c.rego and later.corrects_id = c.id)
    group by c.visit_id, c.axle
    having count(*) = 4 and count(distinct c.attribute) = 4) four
  where f.visit_id = four.visit_id and f.axle = four.axle;
select fingerprint_taken_over(array(select distinct vehicle_id from calibration where visit_id is null));
create index axle_fingerprint_cell on axle_fingerprint (readings_cell(readings));
