-- The cell of the four readings of an axle group (empty volts and weight, loaded volts and weight) in a grid of 0.02 V and 40 kg, as
-- one number: readings within a step (0.01 V, 20 kg) of each other lie in the same cell, or in ones that touch. Null where no volts
-- were typed to hundredths: there an equal reading is chance. Stored by an index: only a migration changes it.
create or replace function readings_cell(readings numeric[]) returns bigint
  language sql immutable parallel safe as $$
  select case when greatest(scale(readings[1]), scale(readings[3])) >= 2 then hashtextextended(concat_ws(' ',
    floor(readings[1] * 50), floor(readings[2] * 0.025), floor(readings[3] * 50), floor(readings[4] * 0.025)), 0) end
$$;
