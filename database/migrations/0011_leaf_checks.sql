-- Whether a record has its leaf is asked once a record at the commit. A session keeps the plan that it made when the log
-- was small, which read all of it: an import into an empty registry grew slower with every block.
alter function require_leaf() set enable_seqscan = off;

-- A rego's collation is "C", and so is that of a text made of it; the index has the default one, and was not used.
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
