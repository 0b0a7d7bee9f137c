-- Appends what this statement changed in the number of live vehicles of each state. A vehicle is validated only while a visit
-- counts.
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
