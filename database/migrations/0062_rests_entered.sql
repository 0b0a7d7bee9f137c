-- How far the entries that say on what the verdict of each vehicle rests have come: each vehicle of an upgraded registry gets one
-- (vehicles/enter-rests.server.ts), so that a proof that is carried answers as its page does. Every other entry about a vehicle says
-- it from now on, so there is nothing to do in a new registry.
create table rests_entered (
  only_row boolean primary key default true check (only_row),
  after_id uuid not null default '00000000-0000-0000-0000-000000000000',
  done_at  timestamptz
);
insert into rests_entered (done_at) values (case when exists (select from vehicle) then null else now() end);
