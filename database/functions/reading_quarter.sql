-- The quarter of an hour of UTC in which a reading was taken. Readings in each are counted beside the grams of a search and
-- compacted with them: a quarter begins with '@', which no gram does. A month of any zone is a sum over these: every zone is
-- whole quarters away from UTC. The texts are in the order of time. The counts are stored: only a migration changes it.
create or replace function reading_quarter(taken timestamptz) returns text language sql stable as $$
  select '@' || to_char(date_bin('15 minutes', taken, '2000-01-01T00:00Z') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI')
$$;
