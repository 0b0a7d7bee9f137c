-- Rows that are final change their truck in a join, and nothing else.
create or replace function only_change_truck() returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE' or to_jsonb(new) - array['vehicle_id', 'from_vehicle'] <> to_jsonb(old) - array['vehicle_id', 'from_vehicle']
    or coalesce(new.from_vehicle, new.vehicle_id) <> coalesce(old.from_vehicle, old.vehicle_id) then
    raise exception '% of % is refused: entries are never changed or removed', tg_op, tg_table_name
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
