-- The dashboard's readings a month are sums of counts that each write appends to, as the verdicts are: counting them took as long
-- as there were readings in a year.
-- The quarter of an hour of UTC in which a reading was taken. Readings in each are counted beside the grams of a search and
-- compacted with them: a quarter begins with '@', which no gram does. A month of any zone is a sum over these: every zone is
-- whole quarters away from UTC. The texts are in the order of time. The counts are stored: only a migration changes it.
create or replace function reading_quarter(taken timestamptz) returns text language sql stable as $$
  select '@' || to_char(date_bin('15 minutes', taken, '2000-01-01T00:00Z') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI')
$$;

-- Appends how many readings this statement added to each quarter of an hour. A correction is none. Readings are never removed,
-- and their time never changes.
create or replace function count_readings() returns trigger language plpgsql as $$
begin
  insert into vehicle_gram_delta (gram, n)
    select reading_quarter(calibrated_at) q, count(*) from after_rows
    where corrects_id is null and calibrated_at is not null group by q;
  return null;
end $$;

create trigger readings_counted after insert on calibration referencing new table as after_rows
  for each statement execute function count_readings();
insert into vehicle_gram_count (gram, n)
  select reading_quarter(calibrated_at) q, count(*) from calibration
  where corrects_id is null and calibrated_at is not null group by q;
