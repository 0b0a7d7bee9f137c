-- A due date lies between the reading's day and 732 days after it, the most that any policy allows: the last guard behind the
-- forms, which refuse more than the policy in force allows. A day of grace each way, as the registry's zone decides which day
-- an instant lies in. Imported readings keep what they state, and a correction keeps the date of the reading that it corrects.
-- A trigger, not a check: a restored backup may hold older readings.
create or replace function refuse_far_due() returns trigger language plpgsql as $$
declare
  utc_day date := (new.calibrated_at at time zone 'UTC')::date;
begin
  if new.due_on between utc_day - 1 and utc_day + 733 then return new; end if;
  if new.corrects_id is not null and exists (
    select from calibration wrong
    where wrong.rego = new.rego and wrong.id = new.corrects_id and wrong.due_on = new.due_on
  ) then return new; end if;
  raise exception 'the due date % does not lie within 732 days of the reading', new.due_on using errcode = 'check_violation';
end $$;
