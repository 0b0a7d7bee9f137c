-- Readings of one moment keep the outcomes of their forms with them, in one statement (docs/decisions/0013).

drop function claim_forms;

-- Keeps the outcomes of forms, in the order of their keys; returns how many of the keys were free. Waits a moment for one that
-- another transaction is about to keep, and then fails (55P03): those beside it are not to wait for what that one waits for.
create function keep_forms(keys uuid[], people uuid[], outcomes jsonb[]) returns bigint language sql set lock_timeout = '100ms' as $$
  with kept as (
    insert into form_submission (key, person_id, outcome)
      select key, person_id, outcome from unnest(keys, people, outcomes) as form (key, person_id, outcome) order by key
      on conflict (key) do nothing returning 1
  )
  select count(*) from kept
$$;
