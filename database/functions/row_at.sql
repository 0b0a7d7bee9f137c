-- A record as it stood when the log had `log_size` entries, as the last entry before then holds it; null: it was not there.
create or replace function row_at(in_table text, of_key text, log_size bigint) returns jsonb language sql stable parallel safe as $$
  select o.value -> (in_table || ' ' || of_key) from record_leaf r
  join leaf_opening o on o.leaf_index = r.leaf_index and o.field = 'rest'
  where r.record_table = in_table and r.record_key = of_key and r.leaf_index < log_size
  order by r.leaf_index desc limit 1
$$;
