-- The state that a verdict is judged from: validated, calibrated, due day. Live vehicles in each are counted beside the grams
-- of a search and compacted with them: a state begins with '#', which no gram does. What a verdict holds on any day is a sum
-- over these, so no day needs a recount. The counts are stored: only a migration changes it.
create or replace function vehicle_state(validated boolean, calibrated boolean, due date) returns text language sql stable as $$
  select '#' || case when validated then 'v' else '-' end || case when calibrated then 'c' else '-' end
    || coalesce(to_char(due, 'YYYY-MM-DD'), '')
$$;
