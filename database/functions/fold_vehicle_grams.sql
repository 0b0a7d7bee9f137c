-- With the number of vehicles from which a gram of three characters is counted by block.
create or replace function fold_vehicle_grams() returns bigint language sql as $$ select fold_vehicle_grams(50000) $$;

-- Compacts the counts of a search: adds up what was appended (docs/decisions/0004). One at a time; a second caller returns at
-- once. Returns how many rows were added up. A gram of three characters that `common` vehicles hold is counted by block from
-- then on; a few at a time, as each reads all vehicles. A text has a block only where its block is counted: most texts of three
-- characters need none, and with one they are as many as texts and blocks together. The memory is for an import's million.
create or replace function fold_vehicle_grams(common bigint) returns bigint language plpgsql set work_mem = '64MB' as $$
declare
  folded bigint;
  zeros text[];
begin
  if not exists (select from vehicle_text_change) or not pg_try_advisory_xact_lock(hashtext('fold_vehicle_grams')) then
    return 0;
  end if;
  -- One statement, so one snapshot: what is counted again of a common gram has all of what is taken here, and nothing else.
  with changes as (
    delete from vehicle_text_change returning rego, vin, n
  ), texts as (
    select g as gram, case when length(g) <= 2 or g in (select gram from vehicle_gram_common) then left(t.rego, 2) end
      as block, sum(t.n) as n from changes t, vehicle_grams(t.rego, t.vin) g group by 1, 2
  ), summed as (
    insert into vehicle_gram_count as c (gram, n)
      select gram, sum(n) from texts group by gram having sum(n) <> 0 order by gram
      on conflict (gram) do update set n = c.n + excluded.n
      returning gram, n
  ), newly as (
    insert into vehicle_gram_common (gram)
      select gram from summed s where length(gram) = 3 and n >= common
        and not exists (select from vehicle_gram_common k where k.gram = s.gram)
      order by gram limit 5
      returning gram
  ), blocks as (
    insert into vehicle_gram_block as b (gram, block, n)
      select gram, block, n from (
        select gram, block, n from texts where n <> 0 and block is not null
        union all
        select newly.gram, left(v.rego, 2), count(*) from newly, vehicle v
          where v.deleted_at is null and (strpos(v.rego, newly.gram) > 0 or (strpos(v.vin, newly.gram) > 0 and known_vin(v.vin) <> '')) group by 1, 2
      ) a order by gram, block
      on conflict (gram, block) do update set n = b.n + excluded.n
      returning 1
  )
  select (select count(*) from changes), (select array_agg(gram) from summed where n = 0) into folded, zeros;
  delete from vehicle_gram_count where gram = any(zeros) and n = 0;
  delete from vehicle_gram_block where gram = any(zeros) and n = 0;
  return folded;
end $$;
