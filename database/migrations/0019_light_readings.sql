-- A reading touches no index of its vehicle, unless it moves the due date. It writes last_calibrated_at, which an index
-- held, though it asks only whether there is one: so PostgreSQL wrote the row anew and an entry into each of the nine
-- indexes, every one on a page of its own (https://www.postgresql.org/docs/current/storage-hot.html).

-- Room on each page for the next version of a row.
alter table vehicle set (fillfactor = 90);
alter table log_chain set (fillfactor = 90);

drop index vehicle_live_state;
alter table vehicle
  add column is_calibrated boolean not null generated always as (last_calibrated_at is not null) stored;
create index vehicle_live_state on vehicle (calibration_validated, next_calibration_due_on, rego)
  include (id, vin, is_calibrated) where deleted_at is null;
