-- Each reading asks whether its vehicle has an open visit, and which readings that has. By time, the index gave every open visit of
-- the registry; and a visit's readings were looked for among all of the vehicle's. Those of a set are those of its visit. Nothing
-- asks for readings by time since the dashboard has counts.
drop index visit_open;
create index visit_open on visit (vehicle_id) where state = 'open';
create index calibration_of_visit on calibration (visit_id) where visit_id is not null;
drop index calibration_of_set;
drop index calibration_by_time;
