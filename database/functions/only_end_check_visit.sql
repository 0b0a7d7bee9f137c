-- What a check visit is about, who asked and when never changes, and neither does the note but to be erased. Its state does: a
-- visit that closed it may be set aside. A join brings it to another record of its truck.
create or replace function only_end_check_visit() returns trigger language plpgsql as $$
begin
  if (new.id, coalesce(new.from_vehicle, new.vehicle_id), new.visit_id, new.why, new.asked_by, new.asked_at, new.until_on)
      is distinct from
      (old.id, coalesce(old.from_vehicle, old.vehicle_id), old.visit_id, old.why, old.asked_by, old.asked_at, old.until_on)
    or new.note not in (old.note, '') then
    raise exception 'a check visit is never edited: it ends, or is wanted again'
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
