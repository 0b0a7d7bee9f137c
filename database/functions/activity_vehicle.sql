-- The rego that an entry concerns; null where it concerns no vehicle. Entries from before, and those of an older version beside
-- this one, have it in the topic of the vehicle's page only. Under an index: only a migration changes it.
create or replace function activity_vehicle(rego text, topics text[]) returns text language sql immutable parallel safe as $$
  select nullif(coalesce(rego,
    (select substr(topic, 9) from unnest(topics) topic where topic like 'vehicle:%' limit 1)), '')
$$;
