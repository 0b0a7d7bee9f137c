-- A vehicle knows the time of its newest calibration.
create or replace function keep_last_calibrated() returns trigger language plpgsql as $$
begin
  update vehicle v set last_calibrated_at = n.last
  from (select vehicle_id, max(calibrated_at) as last from changed group by vehicle_id) n
  where v.id = n.vehicle_id and (v.last_calibrated_at is null or v.last_calibrated_at < n.last);
  return null;
end $$;
