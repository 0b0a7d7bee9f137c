-- The live vehicles that hold this gram of 0 to 3 characters: the compacted count and what was appended since, in one
-- statement, so one snapshot, so exact.
create or replace function vehicle_gram_total(wanted text) returns bigint language sql stable as $$
  select coalesce((select n from vehicle_gram_count where gram = wanted), 0)
       + coalesce((select sum(n) from vehicle_text_change where strpos(rego, wanted) > 0 or strpos(vin, wanted) > 0), 0)::bigint
$$;
