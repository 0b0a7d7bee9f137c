-- Appends how many readings this statement added to each day of UTC, and to each quarter of an hour of it. A correction is none.
-- Readings are never removed, and their time never changes.
create or replace function count_readings() returns trigger language plpgsql as $$
begin
  insert into reading_count (day, quarter, n)
    select day, quarter, count(*) from (
      select (calibrated_at at time zone 'UTC')::date as day,
        date_bin('15 minutes', calibrated_at, '2000-01-01T00:00Z') as quarter
      from after_rows where corrects_id is null and calibrated_at is not null
    ) taken group by grouping sets ((day), (day, quarter));
  return null;
end $$;
