-- For tables whose rows are never changed or removed.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % is refused: entries are never changed or removed', tg_op, tg_table_name
    using errcode = 'integrity_constraint_violation';
end $$;
