-- No admin without a leaf of the transparency log: one whom somebody with the database's own password put in was never added.
-- Those who are here enter it with the first head of the activity log (app/transparency-log/log-activity-head.server.ts).
create constraint trigger admin_has_leaf after insert on admin
  deferrable initially deferred for each row execute function require_leaf();
