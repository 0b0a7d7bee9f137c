-- A month of the dashboard adds up days. Recorded readings lie at all times of the day, so quarters of an hour were up to
-- 35,000 counts a year.

-- Nobody records between the counts and the first change.
lock table calibration in share row exclusive mode;

-- The day of UTC in which a reading was taken. Readings in each are counted too, so that a month adds up its days, and quarters of
-- an hour only where it begins and ends within a day of UTC. A day begins with '@@', which no quarter does. The texts
-- are in the order of time. The counts are stored: only a migration changes it.
create or replace function reading_day(taken timestamptz) returns text language sql stable as $$
  select '@@' || to_char(taken at time zone 'UTC', 'YYYY-MM-DD')
$$;

-- Appends how many readings this statement added to each quarter of an hour, and to each day. A correction is none. Readings are
-- never removed, and their time never changes.
create or replace function count_readings() returns trigger language plpgsql as $$
begin
  insert into vehicle_gram_delta (gram, n)
    select gram, count(*)
    from after_rows cross join lateral (values (reading_quarter(calibrated_at)), (reading_day(calibrated_at))) as span (gram)
    where corrects_id is null and calibrated_at is not null group by gram;
  return null;
end $$;

insert into vehicle_gram_count (gram, n)
  select reading_day(calibrated_at) d, count(*) from calibration
  where corrects_id is null and calibrated_at is not null group by d;
