-- Whether a vehicle is validated: an admin ticked it, and a visit of it counts, or what was taken over. The one place of this
-- rule in SQL; the planner puts its text in the place of the call.
create or replace function is_validated(ticked boolean, rests_on text) returns boolean language sql immutable parallel safe
  as $$ select ticked and rests_on <> 'nothing' $$;
