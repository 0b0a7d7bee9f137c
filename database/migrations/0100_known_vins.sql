-- Placeholders for a VIN count as empty: no search finds them (known_vin). The records stay as they were logged; the counts
-- of the search lose these texts, as if each had been written without.
-- Nobody writes a vehicle between the counts and the first change.
lock table vehicle in share row exclusive mode;

-- A stored VIN, empty if it only says that there is none: a word such as TBA, or one character again and again. What takes a
-- VIN refuses these; older versions did not.
create or replace function known_vin(vin text) returns text language sql immutable as $$
  select case
    when vin = repeat(left(vin, 1), length(vin)) or vin = any (array['TBA', 'TBC', 'TBD', 'TBN', 'NA', 'NIL', 'NONE', 'NULL',
      'UNK', 'UNKNOWN', 'UNKOWN', 'UNAVAILABLE', 'MISSING', 'PENDING', 'BLANK', 'EMPTY', 'VIN', 'NOVIN', 'NOTKNOWN',
      'NOTAVAILABLE', 'NOTAPPLICABLE', 'NOTSUPPLIED', 'NOTPROVIDED', 'NOTRECORDED', 'NOTYETKNOWN', 'TOBEADVISED',
      'TOBECONFIRMED'])
    then '' else vin end
$$;
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
insert into vehicle_text_change (rego, vin, n)
  select v.rego, c.vin, c.n from vehicle v, lateral (values (v.vin, -1), ('', 1)) c (vin, n)
  where v.deleted_at is null and v.vin <> '' and known_vin(v.vin) = '';
