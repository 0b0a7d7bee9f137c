-- The distinct substrings of 1 to 3 characters within rego or within VIN (never across the two), and the empty one,
-- which every vehicle holds: its total is the size of the registry. Counts of them are stored: only a migration changes it.
create or replace function vehicle_grams(rego text, vin text) returns setof text language sql immutable as $$
  select '' collate "C"
  union
  select substr(word, start, len) collate "C"
  from (values (rego), (vin)) w (word), generate_series(1, 3) len, generate_series(1, length(word) - len + 1) start
$$;
