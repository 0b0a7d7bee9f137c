-- What stands beside a leaf is of a leaf that is there: asked once a statement, and not of each row by a foreign key, which
-- also locks the leaf. Leaves are never removed, so there is nothing to lock against. An import writes seventeen such rows a
-- vehicle.
alter table record_leaf drop constraint record_leaf_leaf_index_fkey;
alter table leaf_opening drop constraint leaf_opening_leaf_index_fkey;

-- As a scalar, which is asked of the index leaf by leaf; NOT EXISTS may become a join that reads all of the log.
create function require_leaf_beside() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select distinct leaf_index from added) a
    where (select l.index from log_leaf l where l.index = a.leaf_index) is null
  ) then
    raise exception 'a row of % is of no leaf of the transparency log', tg_table_name
      using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
create trigger record_leaf_has_leaf after insert on record_leaf referencing new table as added
  for each statement execute function require_leaf_beside();
create trigger leaf_opening_has_leaf after insert on leaf_opening referencing new table as added
  for each statement execute function require_leaf_beside();
