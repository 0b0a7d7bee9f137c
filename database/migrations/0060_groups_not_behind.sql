-- Axle groups of trailers that were not behind the truck at the visit, as its technician says. Null: all that the truck's list has
-- were there.
alter table calibration_set
  add column not_behind text check (not_behind in ('TRAILERA', 'TRAILERB', 'TRAILERA TRAILERB'));
