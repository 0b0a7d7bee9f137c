-- When a follower ended it. The row goes a minute later: until then it can be undone.
alter table follower add column ended_at timestamptz;
create index follower_ended on follower (ended_at) where ended_at is not null;
