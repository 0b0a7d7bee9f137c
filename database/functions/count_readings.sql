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
