-- No version of the policy without a leaf of the transparency log, checked at the commit.
create or replace function require_policy_leaf() returns trigger language plpgsql as $$
begin
  if not exists (select from record_leaf where record_table = 'policy' and record_key = new.version::text) then
    raise exception 'a record of policy has no leaf in the transparency log';
  end if;
  return null;
end $$;
