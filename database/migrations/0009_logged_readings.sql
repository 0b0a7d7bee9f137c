-- The readings that the log has of a rego, so that its page finds one that is gone.
create index record_leaf_readings on record_leaf (record_key text_pattern_ops) where record_table = 'calibration';
