-- As versions before 0028_activity_subjects.sql ask for the rego that an entry concerns, from the topic of its vehicle's page.
-- Under an index: only a migration changes it.
create or replace function activity_rego(topics text[]) returns text language sql immutable parallel safe as $$
  select substr(topic, 9) from unnest(topics) topic where topic like 'vehicle:%' limit 1
$$;
