-- A verification period is never edited. A wrong one is withdrawn, once: only who, when and why are then set.
create or replace function only_withdraw_verification() returns trigger language plpgsql as $$
declare
  same reference_verification := new;
begin
  same.removed_at := old.removed_at;
  same.removed_by := old.removed_by;
  same.removed_reason := old.removed_reason;
  if same is distinct from old or old.removed_at is not null or new.removed_at is null then
    raise exception 'a verification period is never edited: a wrong one is withdrawn, once'
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
