-- Notifies every process that a session has ended, so that its open event streams end with it.
create or replace function tell_session_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_ended', old.id::text);
  return null;
end $$;
