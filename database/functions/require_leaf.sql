-- No record without a leaf of the transparency log: checked at the commit, as the leaf comes last in a transaction. The
-- trigger may name the records otherwise than its table. Without
-- seqscan off, a session keeps the plan that it made while the log was small, and reads all of it.
create or replace function require_leaf() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  of_table text := coalesce(tg_argv[0], tg_table_name);
begin
  if not exists (select from record_leaf where record_table = of_table and record_key = new.id::text) then
    raise exception 'a record of % has no leaf in the transparency log', of_table;
  end if;
  return null;
end $$;
