-- Whatever may change a verdict, whoever writes it: the vehicle's followers are checked again.
create or replace function look_at_followers() returns trigger language plpgsql as $$
begin
  update follower set look_on = '-infinity' where vehicle_id = new.id;
  return null;
end $$;
