-- The live vehicles that hold `needle` (three characters or more) in the order of their regos, found in the trigram index;
-- null when there are more than `few`.
create or replace function vehicle_hits(needle text, few int) returns uuid[] language plpgsql stable
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off
as $$
declare
  hits uuid[];
begin
  select array_agg(h.id order by h.rego) into hits from (
    select v.id, v.rego from vehicle v
    where v.deleted_at is null and (v.rego || ' ' || v.vin) like '%' || needle || '%'
      and (strpos(v.rego, needle) > 0 or known_vin(v.vin) <> '')
    limit few + 1
  ) h;
  return case when cardinality(hits) > few then null else coalesce(hits, '{}') end;
end $$;
