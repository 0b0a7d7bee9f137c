-- Exact totals for searches of one to three characters: how many live vehicles hold each substring of that length in
-- their rego or VIN. Longer searches count over the trigram index (vehicle_live_search).
--
-- A change appends (gram, ±n) rows to vehicle_gram_delta, so concurrent writers share no row and take no lock on a hot
-- gram; fold_vehicle_grams() adds them up from time to time. A total is the folded count plus its deltas, so it is
-- exact at any moment, also within a snapshot.
create table vehicle_gram_count (
  gram text collate "C" primary key,
  n    bigint not null
);
create table vehicle_gram_delta (
  gram text collate "C" not null,
  n    bigint not null
);
create index vehicle_gram_delta_gram on vehicle_gram_delta (gram);

-- The distinct substrings of 1 to 3 characters within rego or within VIN (never across the two), and the empty one,
-- which every vehicle holds: its total is the size of the registry.
create function vehicle_grams(rego text, vin text) returns setof text language sql immutable as $$
  select '' collate "C"
  union
  select substr(word, start, len) collate "C"
  from (values (rego), (vin)) w (word), generate_series(1, 3) len, generate_series(1, length(word) - len + 1) start
$$;

create function count_vehicle_grams() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into vehicle_gram_delta (gram, n)
      select g, count(*) from after_rows a, vehicle_grams(a.rego, a.vin) g where a.deleted_at is null group by g;
  elsif tg_op = 'DELETE' then
    insert into vehicle_gram_delta (gram, n)
      select g, -count(*) from before_rows b, vehicle_grams(b.rego, b.vin) g where b.deleted_at is null group by g;
  else
    insert into vehicle_gram_delta (gram, n)
      with moved as (
        select b.rego as old_rego, b.vin as old_vin, b.deleted_at as old_deleted_at, a.rego, a.vin, a.deleted_at
        from before_rows b join after_rows a using (id)
        where (b.rego, b.vin, b.deleted_at is null) is distinct from (a.rego, a.vin, a.deleted_at is null)
      )
      select g, sum(d) from (
        select g, 1 as d from moved m, vehicle_grams(m.rego, m.vin) g where m.deleted_at is null
        union all
        select g, -1 from moved m, vehicle_grams(m.old_rego, m.old_vin) g where m.old_deleted_at is null
      ) s group by g having sum(d) <> 0;
  end if;
  return null;
end $$;
create trigger vehicle_grams_inserted after insert on vehicle referencing new table as after_rows
  for each statement execute function count_vehicle_grams();
create trigger vehicle_grams_updated after update on vehicle referencing old table as before_rows new table as after_rows
  for each statement execute function count_vehicle_grams();
create trigger vehicle_grams_deleted after delete on vehicle referencing old table as before_rows
  for each statement execute function count_vehicle_grams();

-- The live vehicles that hold this gram of 0 to 3 characters: one statement, so one snapshot, so exact.
create function vehicle_gram_total(wanted text) returns bigint language sql stable as $$
  select coalesce((select n from vehicle_gram_count where gram = wanted), 0)
       + coalesce((select sum(n) from vehicle_gram_delta where gram = wanted), 0)::bigint
$$;

-- Adds the deltas up. One at a time; a second caller returns at once. Returns how many deltas were folded.
create function fold_vehicle_grams() returns bigint language plpgsql as $$
declare
  folded bigint;
begin
  if not pg_try_advisory_xact_lock(hashtext('fold_vehicle_grams')) then
    return 0;
  end if;
  with taken as (
    delete from vehicle_gram_delta returning gram, n
  ), summed as (
    insert into vehicle_gram_count as c (gram, n) select gram, sum(n) from taken group by gram order by gram
      on conflict (gram) do update set n = c.n + excluded.n
      returning 1
  )
  select count(*) into folded from taken;
  delete from vehicle_gram_count where n = 0;
  return folded;
end $$;

-- A registry does not forget: rows leave by deleted_at only, and TRUNCATE would bypass every trigger above.
create trigger vehicle_is_kept before truncate on vehicle for each statement execute function refuse_change();
create trigger calibration_is_kept before truncate on calibration for each statement execute function refuse_change();
