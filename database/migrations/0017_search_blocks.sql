-- Any page of a search for one or two characters, or for three that many vehicles hold, from indexes alone: hits are also
-- counted by block, which is the first two characters of the rego, so a page's place is found by adding up blocks, and no
-- more than the blocks in which it lies is read.
--
-- A write no longer adds up grams. It appends what it changed, a row a vehicle, and fold_vehicle_grams() makes grams of
-- many at once. A count is the folded one plus what is appended and not folded, so it is exact at any moment, also within
-- a snapshot. Writers share no row.

-- Nobody writes between the count and the first change.
lock table vehicle in share row exclusive mode;

create table vehicle_text_change (
  rego text collate "C" not null,
  vin  text collate "C" not null,
  n    int not null                          -- 1: live from now on, -1: no more
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

create table vehicle_gram_block (
  gram  text collate "C" not null,
  block text collate "C" not null,
  n     bigint not null,
  primary key (gram, block)
);
-- The grams of three characters that are counted by block.
create table vehicle_gram_common (
  gram text collate "C" primary key
);

insert into vehicle_gram_common (gram)
  select gram from vehicle_gram_count where length(gram) = 3 and gram not like '#%' and n >= 50000;
insert into vehicle_gram_block (gram, block, n)
  select g, left(v.rego, 2), count(*) from vehicle v, vehicle_grams(v.rego, v.vin) g
  where v.deleted_at is null and (length(g) <= 2 or g in (select gram from vehicle_gram_common)) group by 1, 2;

create or replace function count_vehicle_grams() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into vehicle_text_change select rego, vin, 1 from after_rows where deleted_at is null;
  elsif tg_op = 'DELETE' then
    insert into vehicle_text_change select rego, vin, -1 from before_rows where deleted_at is null;
  else
    insert into vehicle_text_change
      with moved as (
        select b.rego as old_rego, b.vin as old_vin, b.deleted_at as old_deleted_at, a.rego, a.vin, a.deleted_at
        from before_rows b join after_rows a using (id)
        where (b.rego, b.vin, b.deleted_at is null) is distinct from (a.rego, a.vin, a.deleted_at is null)
      )
      select rego, vin, 1 from moved where deleted_at is null
      union all
      select old_rego, old_vin, -1 from moved where old_deleted_at is null;
  end if;
  return null;
end $$;

-- The live vehicles that hold this gram of 0 to 3 characters: one statement, so one snapshot, so exact. Deltas of grams are
-- those of before this migration; states of vehicles (0005_lists.sql) have theirs still.
create or replace function vehicle_gram_total(wanted text) returns bigint language sql stable as $$
  select coalesce((select n from vehicle_gram_count where gram = wanted), 0)
       + coalesce((select sum(n) from vehicle_gram_delta where gram = wanted), 0)::bigint
       + coalesce((select sum(n) from vehicle_text_change where strpos(rego, wanted) > 0 or strpos(vin, wanted) > 0), 0)
$$;

-- Adds up what was appended. One at a time; a second caller returns at once. Returns how many rows were folded. A gram of
-- three characters that `common` vehicles hold is counted by block from then on; a few at a time, as each reads them all.
create function fold_vehicle_grams(common bigint) returns bigint language plpgsql as $$
declare
  folded bigint;
  zeros text[];
begin
  if not exists (select from vehicle_text_change) and not exists (select from vehicle_gram_delta)
    or not pg_try_advisory_xact_lock(hashtext('fold_vehicle_grams')) then
    return 0;
  end if;
  -- One statement, so one snapshot: what is counted anew of a common gram has all of what is taken here, and nothing else.
  with changes as (
    delete from vehicle_text_change returning rego, vin, n
  ), deltas as (
    delete from vehicle_gram_delta returning gram, n
  ), texts as (
    select g as gram, left(t.rego, 2) as block, sum(t.n) as n from changes t, vehicle_grams(t.rego, t.vin) g group by 1, 2
  ), summed as (
    insert into vehicle_gram_count as c (gram, n)
      select gram, sum(n) from (select gram, n from texts union all select gram, n from deltas) a
      group by gram having sum(n) <> 0 order by gram
      on conflict (gram) do update set n = c.n + excluded.n
      returning gram, n
  ), newly as (
    insert into vehicle_gram_common (gram)
      select gram from summed s where length(gram) = 3 and gram not like '#%' and n >= common
        and not exists (select from vehicle_gram_common k where k.gram = s.gram)
      order by gram limit 5
      returning gram
  ), blocks as (
    insert into vehicle_gram_block as b (gram, block, n)
      select gram, block, n from (
        select gram, block, n from texts t
          where n <> 0 and (length(gram) <= 2 or exists (select from vehicle_gram_common k where k.gram = t.gram))
        union all
        select newly.gram, left(v.rego, 2), count(*) from newly, vehicle v
          where v.deleted_at is null and (strpos(v.rego, newly.gram) > 0 or strpos(v.vin, newly.gram) > 0) group by 1, 2
      ) a order by gram, block
      on conflict (gram, block) do update set n = b.n + excluded.n
      returning 1
  )
  select (select count(*) from changes) + (select count(*) from deltas),
    (select array_agg(gram) from summed where n = 0)
    into folded, zeros;
  delete from vehicle_gram_count where gram = any(zeros) and n = 0;
  delete from vehicle_gram_block where gram = any(zeros) and n = 0;
  return folded;
end $$;
drop function fold_vehicle_grams();
create function fold_vehicle_grams() returns bigint language sql as $$ select fold_vehicle_grams(50000) $$;

-- As in 0014_search_page.sql, but for texts that are counted by block.
create or replace function search_vehicles(needle text, wanted int, size int, few int default 2000)
returns table (
  total bigint, page int, id uuid, rego text, vin text, warranty_expires_on date, scale_serial_number text,
  calibration_validated boolean, next_calibration_due_on date, last_calibrated_at timestamptz, certificate_file_id uuid,
  certificate_url text, version text, leaf_index bigint
) language plpgsql stable set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  found bigint;
  current int;
  skip bigint;
  shown int;
  from_end boolean;
  passed bigint;
  blocks text[];
  ahead bigint;
  ids uuid[];
begin
  if length(needle) <= 3 then
    found := vehicle_gram_total(needle);
  else
    ids := vehicle_hits(needle, few);
    found := coalesce(cardinality(ids), count_vehicle_hits(needle));
  end if;
  current := least(greatest(wanted, 1), greatest(1, ceil(found::numeric / size)));
  skip := (current - 1)::bigint * size;
  shown := least(size, found - skip);
  if found > 0 and (length(needle) <= 2 or exists (select from vehicle_gram_common k where k.gram = needle)) then
    select array_agg(p.block order by p.block), min(p.upto - p.n) into blocks, ahead from (
      select c.block, c.n, sum(c.n) over (order by c.block) as upto from (
        select a.block, sum(a.n) as n from (
          select b.block, b.n from vehicle_gram_block b where b.gram = needle
          union all
          select left(t.rego, 2), t.n from vehicle_text_change t where strpos(t.rego, needle) > 0 or strpos(t.vin, needle) > 0
        ) a group by a.block having sum(a.n) > 0
      ) c
    ) p where p.upto > skip and p.upto - p.n < skip + shown;
    -- All regos with these first characters: they have letters and digits only.
    select array_agg(k.id order by k.rego) into ids from (
      select h.id, h.rego from (select block collate "C" as block from unnest(blocks) as u (block)) b cross join lateral (
        select v.id, v.rego from vehicle v
        where v.deleted_at is null and v.rego >= b.block
          and v.rego < b.block || case when length(b.block) < 2 then '0' else '[' end
          and (strpos(v.rego, needle) > 0 or strpos(v.vin, needle) > 0)
        order by v.rego limit skip - ahead + shown
      ) h order by h.rego limit shown offset skip - ahead
    ) k;
  else
    -- Past the middle it is read from the end, as OFFSET costs what it skips.
    from_end := skip > found / 2;
    passed := case when from_end then found - skip else skip + shown end;
    -- Reading in the order of regos passes (passed / found) of the registry, at a tenth of what a hit of the trigram index
    -- costs, which are all to be sorted.
    if ids is null and length(needle) = 3 and found > 0 and found * found * 10 < passed * vehicle_gram_total('') then
      ids := vehicle_hits(needle, found::int);
    end if;
    if ids is not null then
      ids := ids[skip + 1 : skip + shown];
    elsif from_end then
      select array_agg(k.id order by k.rego) into ids from (
        select v.id, v.rego from vehicle v
        where v.deleted_at is null and (strpos(v.rego, needle) > 0 or strpos(v.vin, needle) > 0)
        order by v.rego desc limit shown offset found - skip - shown
      ) k;
    elsif found > 0 then
      select array_agg(k.id order by k.rego) into ids from (
        select v.id, v.rego from vehicle v
        where v.deleted_at is null and (strpos(v.rego, needle) > 0 or strpos(v.vin, needle) > 0)
        order by v.rego limit shown offset skip
      ) k;
    end if;
  end if;
  return query
    select found, current, v.id, v.rego, v.vin, v.warranty_expires_on, v.scale_serial_number, v.calibration_validated,
      v.next_calibration_due_on, v.last_calibrated_at, c.file_id, nullif(c.external_url, ''),
      v.xmin::text || v.ctid::text,
      (select r.leaf_index from record_leaf r where r.record_table = 'vehicle' and r.record_key = v.id::text
        order by r.leaf_index desc limit 1)
    from (select 1) always
    left join unnest(ids) with ordinality k (id, place) on true
    left join vehicle v on v.id = k.id
    left join vehicle_file c on c.vehicle_id = v.id and c.role = 'certificate' and c.removed_at is null
    order by k.place;
end $$;
