-- An import drops no indexes any more. Those that a killed import of an older version left out are made here.
do $$
declare
  left_out record;
  is_any boolean := exists (select from deferred_index);
  grown text;
begin
  for left_out in select name, definition from deferred_index where to_regclass(quote_ident(name)) is null loop
    execute left_out.definition;
  end loop;
  if is_any then
    foreach grown in array string_to_array('vehicle calibration validation record_leaf log_leaf leaf_opening log_chain '
      'import_record activity_log activity_detail', ' ') loop
      execute format('alter table %I reset (autovacuum_enabled)', grown);
    end loop;
  end if;
end $$;
drop table deferred_index;
