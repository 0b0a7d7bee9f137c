-- Live vehicles in each state of a verdict are counted in a table that says so, and no longer among the grams of a search.

-- Nobody writes a vehicle between the counts and the first change.
lock table vehicle in share row exclusive mode;

-- Each write appends what it changed, so that writers share no row; compact_counts() adds it up (docs/decisions/0004).
create table vehicle_state_count (
  calibration_validated boolean not null,
  calibrated boolean not null,
  next_calibration_due_on date,
  n bigint not null,
  is_new boolean not null default true
);

create or replace view vehicle_state_total as
  select calibration_validated, calibrated, next_calibration_due_on, sum(n) as n from vehicle_state_count group by 1, 2, 3;

-- Appends what this statement changed in the number of live vehicles of each state. A vehicle is validated only while a visit
-- counts.
create or replace function count_vehicle_states() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into vehicle_state_count
      select calibration_validated and rests_on <> 'nothing', last_calibrated_at is not null, next_calibration_due_on, count(*)
      from after_rows where deleted_at is null group by 1, 2, 3;
  elsif tg_op = 'DELETE' then
    insert into vehicle_state_count
      select calibration_validated and rests_on <> 'nothing', last_calibrated_at is not null, next_calibration_due_on, -count(*)
      from before_rows where deleted_at is null group by 1, 2, 3;
  else
    insert into vehicle_state_count
      select calibration_validated and rests_on <> 'nothing', last_calibrated_at is not null, next_calibration_due_on, sum(d)
      from (select *, 1 as d from after_rows union all select *, -1 from before_rows) moved
      where deleted_at is null group by 1, 2, 3 having sum(d) <> 0;
  end if;
  return null;
end $$;

insert into vehicle_state_count
  select calibration_validated and rests_on <> 'nothing', last_calibrated_at is not null, next_calibration_due_on, count(*), false
  from vehicle where deleted_at is null group by 1, 2, 3;
delete from vehicle_gram_count where gram >= '#' and gram < '$';
delete from vehicle_gram_delta where gram >= '#' and gram < '$';
drop function vehicle_state(boolean, boolean, date);
delete from schema_function where name = 'vehicle_state.sql';
