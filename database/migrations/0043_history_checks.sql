-- A vehicle's page shows its newest visits, and says when its whole history was last held against the log: so every vehicle has
-- a row, no longer only those of which a record is not what was logged (transparency-log/history-checks.server.ts).
alter table history_finding rename to history_check;
alter table history_check rename column found_at to checked_at;
create index history_check_found on history_check (vehicle_id) where findings <> '{}';
