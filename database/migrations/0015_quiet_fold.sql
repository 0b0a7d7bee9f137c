-- Folding looks every five seconds. With nothing to fold it read all counts for those that are zero; now it reads none, and
-- else only those that it has changed.
create or replace function fold_vehicle_grams() returns bigint language plpgsql as $$
declare
  folded bigint;
  zeros text[];
begin
  if not exists (select from vehicle_gram_delta) or not pg_try_advisory_xact_lock(hashtext('fold_vehicle_grams')) then
    return 0;
  end if;
  with taken as (
    delete from vehicle_gram_delta returning gram, n
  ), summed as (
    insert into vehicle_gram_count as c (gram, n) select gram, sum(n) from taken group by gram order by gram
      on conflict (gram) do update set n = c.n + excluded.n
      returning gram, n
  )
  select (select count(*) from taken), (select array_agg(gram) from summed where n = 0) into folded, zeros;
  delete from vehicle_gram_count where gram = any(zeros) and n = 0;
  return folded;
end $$;
