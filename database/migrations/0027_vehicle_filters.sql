-- The list of vehicles by company, and by scale serial number: parts of either, in any case, are found in these.
create index vehicle_live_company on vehicle using gin (company_name gin_trgm_ops) where deleted_at is null;
create index vehicle_live_serial on vehicle using gin (scale_serial_number gin_trgm_ops) where deleted_at is null;
