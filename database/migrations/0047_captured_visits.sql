-- Visits that were captured on a phone without reception, and sent later.
alter table calibration_set
  add column capture_id uuid unique,                            -- made on the phone, so that it is recorded once
  add column captured_at timestamptz,                           -- by the phone's clock
  add column received_at timestamptz,                           -- by ours
  add column captured_by bigint references actor,               -- whose phone it was, where somebody else sent its file
  add check ((capture_id is null) = (captured_at is null)),
  add check ((capture_id is null) = (received_at is null)),
  add check (captured_by is null or capture_id is not null);
