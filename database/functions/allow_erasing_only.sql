-- The words of an entry may be erased, and nothing else: they may hold personal data, and nobody may put other words in
-- their place. The moment is the database's own, so it cannot be chosen. The salt goes with the words; what the chain of the
-- log commits to stays.
create or replace function allow_erasing_only() returns trigger language plpgsql as $$
begin
  if old.erased_at is null and new.erased_at is not null and new.index = old.index
    and new.action = '' and new.details = '' and new.changes is null
    and new.commitment is not distinct from old.commitment then
    new.erased_at := now();
    new.salt := null;
    return new;
  end if;
  raise exception 'UPDATE of activity_detail is refused: the words of an entry can be erased, once, and never changed'
    using errcode = 'integrity_constraint_violation';
end $$;
