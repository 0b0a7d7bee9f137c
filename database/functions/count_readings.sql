-- Appends how many readings this statement added to each quarter of an hour. A correction is none. Readings are never removed,
-- and their time never changes.
create or replace function count_readings() returns trigger language plpgsql as $$
begin
  insert into vehicle_gram_delta (gram, n)
    select reading_quarter(calibrated_at) q, count(*) from after_rows
    where corrects_id is null and calibrated_at is not null group by q;
  return null;
end $$;
