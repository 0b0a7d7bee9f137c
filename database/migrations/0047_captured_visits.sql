-- Visits that were captured on a phone without reception, and sent later; and visits with several photos.
alter table calibration_set
  add column capture_id uuid unique,                            -- made on the phone, so that it is recorded once
  add column captured_at timestamptz,                           -- by the phone's clock
  add column received_at timestamptz,                           -- by ours
  add column capture_sha256 text check (capture_sha256 ~ '^[0-9a-f]{64}$'),  -- of what was sent
  add column captured_by bigint references actor,               -- whose phone it was, where somebody else sent its file
  add check ((capture_id is null) = (captured_at is null)),
  add check ((capture_id is null) = (received_at is null)),
  add check ((capture_id is null) = (capture_sha256 is null)),
  add check (captured_by is null or capture_id is not null);

-- The photos beside the first: their files, and the hashes of their bytes, so that the log covers them.
alter table calibration_set
  add column more_photo_ids uuid[],
  add column more_photo_sha256s text[],
  add check (cardinality(more_photo_ids) between 1 and 3),
  add check (cardinality(more_photo_ids) is not distinct from cardinality(more_photo_sha256s)),
  add check (more_photo_ids is null or photo_id is not null);
create index calibration_set_more_photos on calibration_set using gin (more_photo_ids) where more_photo_ids is not null;
create index calibration_set_more_photo_bytes on calibration_set using gin (more_photo_sha256s)
  where more_photo_sha256s is not null;
