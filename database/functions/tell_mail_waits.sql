-- Notifies every process that a mail waits.
create or replace function tell_mail_waits() returns trigger language plpgsql as $$
begin
  perform pg_notify('mail_waiting', '');
  return null;
end $$;
