-- The activity log names a person by a commitment to their actor row: who that is, under which name and address. Erasing the
-- row takes away the salt, so that nothing can be guessed from what is left; the commitment stays, and the chain holds.
create or replace function commit_to_actor() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.salt := random_salt();
    new.commitment := sha256(new.salt || convert_to(json_build_array('actor', new.person_id, new.name, new.email)::text, 'UTF8'));
  elsif new.erased_at is not null then
    new.salt := null;
  end if;
  return new;
end $$;
