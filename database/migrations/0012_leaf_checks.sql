-- Whether a record has its leaf is asked once a record at the commit. A session keeps the plan that it made when the log
-- was small, which read all of it: an import into an empty registry grew slower with every block.
alter function require_leaf() set enable_seqscan = off;
alter function require_calibration_leaf() set enable_seqscan = off;
