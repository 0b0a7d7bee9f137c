-- Appends what this statement changed in the number of live vehicles of each state.
create or replace function count_vehicle_states() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into vehicle_state_count
      select is_validated(calibration_validated, rests_on), last_calibrated_at is not null, next_calibration_due_on, count(*)
      from after_rows where deleted_at is null group by 1, 2, 3;
  elsif tg_op = 'DELETE' then
    insert into vehicle_state_count
      select is_validated(calibration_validated, rests_on), last_calibrated_at is not null, next_calibration_due_on, -count(*)
      from before_rows where deleted_at is null group by 1, 2, 3;
  else
    insert into vehicle_state_count
      select is_validated(calibration_validated, rests_on), last_calibrated_at is not null, next_calibration_due_on, sum(d)
      from (select *, 1 as d from after_rows union all select *, -1 from before_rows) moved
      where deleted_at is null group by 1, 2, 3 having sum(d) <> 0;
  end if;
  return null;
end $$;
