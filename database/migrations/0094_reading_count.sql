-- Readings of each day are counted in a table that says so. With them the last counts other than of grams leave vehicle_gram_count,
-- and the table of what was appended to it goes: a search appends to vehicle_text_change.

-- Nobody records between the counts and the first change.
lock table calibration in share row exclusive mode;

-- Readings taken on a day of UTC, and in each quarter of an hour of it: a month of any zone adds up days, and quarters only where it
-- begins and ends within a day of UTC, as every zone is whole quarters away from UTC. A null `quarter` is the whole day. Each write
-- appends; compact_counts() adds up.
create table reading_count (
  day date not null,
  quarter timestamptz,
  n bigint not null,
  is_new boolean not null default true
);
create index reading_count_day on reading_count (day, quarter);
create index reading_count_new on reading_count (day) where is_new;

-- Appends how many readings this statement added to each day of UTC, and to each quarter of an hour of it. A correction is none.
-- Readings are never removed, and their time never changes.
create or replace function count_readings() returns trigger language plpgsql as $$
begin
  insert into reading_count (day, quarter, n)
    select day, quarter, count(*) from (
      select (calibrated_at at time zone 'UTC')::date as day,
        date_bin('15 minutes', calibrated_at, '2000-01-01T00:00Z') as quarter
      from after_rows where corrects_id is null and calibrated_at is not null
    ) taken group by grouping sets ((day), (day, quarter));
  return null;
end $$;

-- Adds up what was appended to the counts of states and of readings: each state is one row again, and each span of the days that
-- were written to. Readers add up what they find, so they see the same before and after.
create or replace function compact_counts() returns void language sql as $$
  with taken as (
    delete from vehicle_state_count where exists (select from vehicle_state_count where is_new) returning *
  )
  insert into vehicle_state_count
    select calibration_validated, calibrated, next_calibration_due_on, sum(n), false from taken
    group by 1, 2, 3 having sum(n) <> 0;
  with taken as (
    delete from reading_count where day in (select day from reading_count where is_new) returning *
  )
  insert into reading_count select day, quarter, sum(n), false from taken group by 1, 2;
$$;

insert into reading_count
  select day, quarter, count(*), false from (
    select (calibrated_at at time zone 'UTC')::date as day, date_bin('15 minutes', calibrated_at, '2000-01-01T00:00Z') as quarter
    from calibration where corrects_id is null and calibrated_at is not null
  ) taken group by grouping sets ((day), (day, quarter));
delete from vehicle_gram_count where gram >= '@' and gram < 'A';
delete from vehicle_gram_delta where gram >= '@' and gram < 'A';
drop function reading_quarter(timestamptz);
drop function reading_day(timestamptz);
delete from schema_function where name in ('reading_quarter.sql', 'reading_day.sql');

-- What an upgrade from before 0017_search_blocks.sql has not compacted yet.
insert into vehicle_gram_count as c (gram, n)
  select gram, sum(n) from vehicle_gram_delta group by gram having sum(n) <> 0
  on conflict (gram) do update set n = c.n + excluded.n;
delete from vehicle_gram_count where n = 0;

-- The live vehicles that hold this gram of 0 to 3 characters: the compacted count and what was appended since, in one
-- statement, so one snapshot, so exact.
create or replace function vehicle_gram_total(wanted text) returns bigint language sql stable as $$
  select coalesce((select n from vehicle_gram_count where gram = wanted), 0)
       + coalesce((select sum(n) from vehicle_text_change where strpos(rego, wanted) > 0 or strpos(vin, wanted) > 0), 0)::bigint
$$;

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
          where v.deleted_at is null and (strpos(v.rego, newly.gram) > 0 or strpos(v.vin, newly.gram) > 0) group by 1, 2
      ) a order by gram, block
      on conflict (gram, block) do update set n = b.n + excluded.n
      returning 1
  )
  select (select count(*) from changes), (select array_agg(gram) from summed where n = 0) into folded, zeros;
  delete from vehicle_gram_count where gram = any(zeros) and n = 0;
  delete from vehicle_gram_block where gram = any(zeros) and n = 0;
  return folded;
end $$;

drop table vehicle_gram_delta;
