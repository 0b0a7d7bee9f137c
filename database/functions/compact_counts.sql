-- Adds up what was appended to the counts of states and of readings: each state is one row again, and each span of the days that
-- were written to. Readers add up what they find, so they see the same before and after.
create or replace function compact_counts() returns void language sql as $$
  with taken as (
    delete from vehicle_state_count where exists (select from vehicle_state_count where is_new) returning *
  )
  insert into vehicle_state_count
    select calibration_validated, calibrated, next_calibration_due_on, sum(n), false from taken
    group by 1, 2, 3 having sum(n) <> 0;
  with taken as (
    delete from reading_count where day in (select day from reading_count where is_new) returning *
  )
  insert into reading_count select day, quarter, sum(n), false from taken group by 1, 2;
$$;
