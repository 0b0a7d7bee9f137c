-- A row beside a leaf needs its leaf. Once a statement, as a foreign key checks and locks row by row; leaves are never removed,
-- so there is nothing to lock against. As a scalar, which is found in the index leaf by leaf; NOT EXISTS may become a join that
-- reads all of the log.
create or replace function require_leaf_beside() returns trigger language plpgsql as $$
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
