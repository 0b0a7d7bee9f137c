-- How many live vehicles hold `needle` (three characters or more), counted in the trigram index.
create or replace function count_vehicle_hits(needle text) returns bigint language plpgsql stable
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off
as $$
begin
  return (
    select count(*) from vehicle v where v.deleted_at is null and (v.rego || ' ' || v.vin) like '%' || needle || '%'
      and (strpos(v.rego, needle) > 0 or known_vin(v.vin) <> '')
  );
end $$;
