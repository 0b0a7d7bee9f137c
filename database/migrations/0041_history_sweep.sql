-- How far the present sweep of all vehicles' histories has come (transparency-log/sweep-histories.server.ts): one node holds each
-- against the public log, at least once a day.
create table history_sweep (
  only_row boolean primary key default true check (only_row),
  begun_at timestamptz,
  ended_at timestamptz,
  vehicles bigint not null default 0,
  after_id uuid not null default '00000000-0000-0000-0000-000000000000'
);
insert into history_sweep default values;

-- The vehicles of which a record is not what was logged, in sentences, as the last sweep found it.
create table history_finding (
  vehicle_id uuid primary key references vehicle on delete cascade,
  findings   text[] not null,
  found_at   timestamptz not null
);
