-- Whether a visit counts decides the verdict too, so its followers are looked at again.
drop trigger vehicle_looks_at_followers on vehicle;
create trigger vehicle_looks_at_followers after update on vehicle for each row
  when ((old.calibration_validated, old.next_calibration_due_on, old.last_calibrated_at is null, old.deleted_at is null, old.rests_on)
    is distinct from
    (new.calibration_validated, new.next_calibration_due_on, new.last_calibrated_at is null, new.deleted_at is null, new.rests_on))
  execute function look_at_followers();
