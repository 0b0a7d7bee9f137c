-- Appends the texts of the vehicles that this statement changed, for fold_vehicle_grams() (docs/decisions/0004): of a VIN what
-- a search finds. Writers share no row.
create or replace function count_vehicle_grams() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into vehicle_text_change select rego, known_vin(vin), 1 from after_rows where deleted_at is null;
  elsif tg_op = 'DELETE' then
    insert into vehicle_text_change select rego, known_vin(vin), -1 from before_rows where deleted_at is null;
  else
    insert into vehicle_text_change
      with moved as (
        select b.rego as old_rego, b.vin as old_vin, b.deleted_at as old_deleted_at, a.rego, a.vin, a.deleted_at
        from before_rows b join after_rows a using (id)
        where (b.rego, b.vin, b.deleted_at is null) is distinct from (a.rego, a.vin, a.deleted_at is null)
      )
      select rego, known_vin(vin), 1 from moved where deleted_at is null
      union all
      select old_rego, known_vin(old_vin), -1 from moved where old_deleted_at is null;
  end if;
  return null;
end $$;
