-- The day of UTC in which a reading was taken. Readings in each are counted too, so that a month adds up its days, and quarters of
-- an hour only where it begins and ends within a day of UTC. A day begins with '@@', which no quarter does. The texts
-- are in the order of time. The counts are stored: only a migration changes it.
create or replace function reading_day(taken timestamptz) returns text language sql stable as $$
  select '@@' || to_char(taken at time zone 'UTC', 'YYYY-MM-DD')
$$;
