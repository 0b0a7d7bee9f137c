-- The form with reception has an id that lasts too: a visit whose answer was lost may be kept on the phone and sent from there.
alter table calibration_set
  drop constraint calibration_set_check1,
  drop constraint calibration_set_check2,
  drop constraint calibration_set_check3,
  add constraint calibration_set_captured check ((captured_at is null) = (received_at is null)),
  add constraint calibration_set_captured_once check (captured_at is null or capture_id is not null),
  add constraint calibration_set_capture_hashed check (capture_id is null or capture_sha256 is not null);
