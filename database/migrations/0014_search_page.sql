-- A page of a search in one statement, so as of one moment: the total, where the page lies, and its rows. Within it each
-- step is planned once a session, for the way that suits it, which a plan made for an unknown text would not be.

-- The live vehicles that hold `needle` (three characters or more) in the order of their regos, found in the trigram index;
-- null when there are more than `few`.
create function vehicle_hits(needle text, few int) returns uuid[] language plpgsql stable
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off
as $$
declare
  hits uuid[];
begin
  select array_agg(h.id order by h.rego) into hits from (
    select v.id, v.rego from vehicle v
    where v.deleted_at is null and (v.rego || ' ' || v.vin) like '%' || needle || '%' limit few + 1
  ) h;
  return case when cardinality(hits) > few then null else coalesce(hits, '{}') end;
end $$;

create function count_vehicle_hits(needle text) returns bigint language plpgsql stable
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off
as $$
begin
  return (
    select count(*) from vehicle v where v.deleted_at is null and (v.rego || ' ' || v.vin) like '%' || needle || '%'
  );
end $$;

-- `needle` is normalised to A-Z and 0-9. A page beyond the last is the last. There is always a row, with an id of null when
-- nothing is found. Up to `few` hits of a text of four characters or more are sorted at once; of more, the page is found in
-- the order of regos. `version` and `leaf_index` tell one state of a row, and of what the log has of it, from any other.
create function search_vehicles(needle text, wanted int, size int, few int default 2000)
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
  n int;
  from_end boolean;
  passed bigint;
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
  n := least(size, found - skip);
  -- Past the middle it is read from the end, as OFFSET costs what it skips.
  from_end := skip > found / 2;
  passed := case when from_end then found - skip else skip + n end;
  -- Reading in the order of regos passes (passed / found) of the registry, at a tenth of what a hit of the trigram index
  -- costs, which are all to be sorted.
  if ids is null and length(needle) = 3 and found > 0 and found * found * 10 < passed * vehicle_gram_total('') then
    ids := vehicle_hits(needle, found::int);
  end if;
  if ids is not null then
    ids := ids[skip + 1 : skip + n];
  elsif from_end then
    select array_agg(k.id order by k.rego) into ids from (
      select v.id, v.rego from vehicle v
      where v.deleted_at is null and (strpos(v.rego, needle) > 0 or strpos(v.vin, needle) > 0)
      order by v.rego desc limit n offset found - skip - n
    ) k;
  elsif found > 0 then
    select array_agg(k.id order by k.rego) into ids from (
      select v.id, v.rego from vehicle v
      where v.deleted_at is null and (strpos(v.rego, needle) > 0 or strpos(v.vin, needle) > 0)
      order by v.rego limit n offset skip
    ) k;
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
