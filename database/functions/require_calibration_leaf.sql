-- No reading without a leaf of the transparency log, checked at the commit. A rego's collation is "C", and so is that of a
-- text made of it; without the default one the index is not used. Without seqscan off, a session keeps the plan that it made
-- while the log was small, and reads all of it.
create or replace function require_calibration_leaf() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if not exists (
    select from record_leaf
    where record_table = 'calibration' and record_key = (new.rego || '/' || new.id) collate "default"
  ) then
    raise exception 'a record of calibration has no leaf in the transparency log';
  end if;
  return null;
end $$;
