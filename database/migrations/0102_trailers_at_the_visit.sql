-- Which trailers were behind the truck, and which visits were recorded with one press: the id of the first of them.
alter table calibration_set
  add column trailers text check (trailers ~ '^(TRAILER[A-D]|DOLLY[A-C]|own) [A-Z0-9-]{1,24}(; (TRAILER[A-D]|DOLLY[A-C]|own) [A-Z0-9-]{1,24})*$'),
  add column together uuid;
create index calibration_set_together on calibration_set (together) where together is not null;
