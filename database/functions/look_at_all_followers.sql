-- A new policy may change any verdict: all followers are checked again.
create or replace function look_at_all_followers() returns trigger language plpgsql as $$
begin
  update follower set look_on = '-infinity' where confirmed_on is not null;
  return null;
end $$;
