-- The public API shows the visits of a vehicle that wait, and reads no others to find them. Few wait at a time.
create index visit_waits on visit (vehicle_id, visited_on desc, opened_at desc) where state = 'waits';
