-- What opens a commitment of a leaf can be erased, once, and never changes.
create or replace function only_erase_opening() returns trigger language plpgsql as $$
begin
  if old.erased_at is not null or new.erased_at is null or new.salt is not null or new.value is not null
    or new.leaf_index <> old.leaf_index or new.field <> old.field then
    raise exception 'what opens a leaf never changes: it can be erased';
  end if;
  return new;
end $$;
