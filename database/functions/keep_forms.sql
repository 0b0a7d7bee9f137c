-- Keeps the outcomes of idempotency keys, in the order of the keys; returns how many of them were free. Waits a moment for
-- one that another transaction is about to keep, and then fails (55P03): the others of a group commit do not wait for what
-- that one waits for (docs/decisions/0013).
create or replace function keep_forms(keys uuid[], people uuid[], outcomes jsonb[]) returns bigint
language sql set lock_timeout = '100ms' as $$
  with kept as (
    insert into form_submission (key, person_id, outcome)
      select key, person_id, outcome from unnest(keys, people, outcomes) as form (key, person_id, outcome) order by key
      on conflict (key) do nothing returning 1
  )
  select count(*) from kept
$$;
