-- What the back office's lists and dashboard ask at a size of a million vehicles, from indexes alone.

-- Filters and counts by verdict, and the due date within one; with rego and VIN, so that a search is counted here too.
create index vehicle_live_state on vehicle (calibration_validated, next_calibration_due_on, rego)
  include (id, vin, last_calibrated_at) where deleted_at is null;
drop index vehicle_live_verdict;  -- its first two columns

-- The columns that the list of vehicles is sorted by.
create index vehicle_live_vin on vehicle (vin, rego) include (id) where deleted_at is null;
create index vehicle_live_warranty on vehicle (warranty_expires_on, rego) include (id) where deleted_at is null;
create index vehicle_live_due on vehicle (next_calibration_due_on, rego) include (id) where deleted_at is null;

-- The change over a time: what left meanwhile.
create index vehicle_removed on vehicle (deleted_at) where deleted_at is not null;

-- Calibrations by month. A correction is no further calibration.
create index calibration_by_time on calibration (calibrated_at) where corrects_id is null;

-- How many live vehicles are in each state that a verdict is judged from: validated, calibrated, due day. Counted beside
-- the grams of a search and folded with them: a state begins with '#', which no gram does. What a verdict holds on any
-- day is a sum over these, so no day needs a recount.
create function vehicle_state(validated boolean, calibrated boolean, due date) returns text language sql stable as $$
  select '#' || case when validated then 'v' else '-' end || case when calibrated then 'c' else '-' end
    || coalesce(to_char(due, 'YYYY-MM-DD'), '')
$$;

create function count_vehicle_states() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into vehicle_gram_delta (gram, n)
      select vehicle_state(calibration_validated, last_calibrated_at is not null, next_calibration_due_on) s, count(*)
      from after_rows where deleted_at is null group by s;
  elsif tg_op = 'DELETE' then
    insert into vehicle_gram_delta (gram, n)
      select vehicle_state(calibration_validated, last_calibrated_at is not null, next_calibration_due_on) s, -count(*)
      from before_rows where deleted_at is null group by s;
  else
    insert into vehicle_gram_delta (gram, n)
      select s, sum(d) from (
        select vehicle_state(calibration_validated, last_calibrated_at is not null, next_calibration_due_on) s, 1 d
        from after_rows where deleted_at is null
        union all
        select vehicle_state(calibration_validated, last_calibrated_at is not null, next_calibration_due_on), -1
        from before_rows where deleted_at is null
      ) moved group by s having sum(d) <> 0;
  end if;
  return null;
end $$;
create trigger vehicle_states_inserted after insert on vehicle referencing new table as after_rows
  for each statement execute function count_vehicle_states();
create trigger vehicle_states_updated after update on vehicle referencing old table as before_rows new table as after_rows
  for each statement execute function count_vehicle_states();
create trigger vehicle_states_deleted after delete on vehicle referencing old table as before_rows
  for each statement execute function count_vehicle_states();
insert into vehicle_gram_count (gram, n)
  select vehicle_state(calibration_validated, last_calibrated_at is not null, next_calibration_due_on) s, count(*)
  from vehicle where deleted_at is null group by s;

-- One row for each state.
create view vehicle_state_total as
  select substr(gram, 2, 1) = 'v' as calibration_validated, substr(gram, 3, 1) = 'c' as calibrated,
    nullif(substr(gram, 4), '')::date as next_calibration_due_on, sum(n) as n
  from (
    select gram, n from vehicle_gram_count where gram >= '#' and gram < '$'
    union all
    select gram, n from vehicle_gram_delta where gram >= '#' and gram < '$'
  ) counted
  group by gram;
