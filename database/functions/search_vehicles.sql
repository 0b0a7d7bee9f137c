-- A page of a search in one statement, so as of one moment: the total, where the page lies, and its rows. Each step is planned
-- once a session, for the way that suits it, which a plan made for an unknown text would not be.
--
-- `needle` is normalised to A-Z and 0-9. A page beyond the last is the last. There is always a row, with an id of null when
-- nothing is found. Up to `few` hits of a text of four characters or more are sorted at once; of more, the page is found in
-- the order of regos. A text that is counted by block (the first two characters of the rego) is found by adding up blocks.
-- `version` and `leaf_index` tell one state of a row, and of what the log has of it, from any other.
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
    -- All regos with these first characters: they have letters and digits, and a hyphen before a state, which comes before them.
    select array_agg(k.id order by k.rego) into ids from (
      select h.id, h.rego from (select block collate "C" as block from unnest(blocks) as u (block)) b cross join lateral (
        select v.id, v.rego from vehicle v
        where v.deleted_at is null and v.rego >= b.block
          and v.rego < b.block || case when length(b.block) < 2 then '-' else '[' end
          and (strpos(v.rego, needle) > 0 or (strpos(v.vin, needle) > 0 and known_vin(v.vin) <> ''))
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
        where v.deleted_at is null and (strpos(v.rego, needle) > 0 or (strpos(v.vin, needle) > 0 and known_vin(v.vin) <> ''))
        order by v.rego desc limit shown offset found - skip - shown
      ) k;
    elsif found > 0 then
      select array_agg(k.id order by k.rego) into ids from (
        select v.id, v.rego from vehicle v
        where v.deleted_at is null and (strpos(v.rego, needle) > 0 or (strpos(v.vin, needle) > 0 and known_vin(v.vin) <> ''))
        order by v.rego limit shown offset skip
      ) k;
    end if;
  end if;
  return query
    select found, current, v.id, v.rego, v.vin, v.warranty_expires_on, v.scale_serial_number,
      is_validated(v.calibration_validated, v.rests_on),
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
