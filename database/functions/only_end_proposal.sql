-- A proposal ends once, and nothing else of it changes.
create or replace function only_end_proposal() returns trigger language plpgsql as $$
begin
  if old.outcome is null and new.outcome is not null
    and to_jsonb(new) - array['outcome', 'ended_at', 'ended_by'] = to_jsonb(old) - array['outcome', 'ended_at', 'ended_by'] then
    return new;
  end if;
  raise exception 'UPDATE of policy_proposal is refused: a proposal ends once, and never changes'
    using errcode = 'integrity_constraint_violation';
end $$;
