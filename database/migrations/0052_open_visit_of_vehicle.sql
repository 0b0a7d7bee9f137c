-- Each reading asks whether its vehicle has an open visit. By time, the index gave every open visit of the registry.
drop index visit_open;
create index visit_open on visit (vehicle_id) where state = 'open';
