-- What a withdrawal of a weighbridge says never changes, nor who decided what and when. Only the next step is set; a proposal to
-- lift it can be dropped, and made again. How far it is applied changes freely.
create or replace function only_decide_withdrawal() returns trigger language plpgsql as $$
begin
  if (new.id, new.reference_id, new.from_on, new.to_on, new.reason, new.note, new.proposed_by, new.proposed_at)
      is distinct from
      (old.id, old.reference_id, old.from_on, old.to_on, old.reason, old.note, old.proposed_by, old.proposed_at)
    or old.dropped_at is not null
    or (old.confirmed_at is not null and (new.confirmed_at, new.confirmed_by, new.is_alone)
      is distinct from (old.confirmed_at, old.confirmed_by, old.is_alone))
    or (old.lifted_at is not null and (new.lifted_at, new.lifted_by, new.is_lift_alone, new.lift_proposed_at)
      is distinct from (old.lifted_at, old.lifted_by, old.is_lift_alone, old.lift_proposed_at)) then
    raise exception 'a withdrawal of a weighbridge is never edited: it is confirmed, dropped or lifted'
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
