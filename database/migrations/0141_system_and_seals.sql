-- The scale's system, as its maker names it, and what a visit says of its firmware, settings and seals. '' is not known: rows of
-- before say no more than they did.
alter table vehicle
  add column scale_make text not null default '',
  add column scale_model text not null default '',
  add column scale_category text not null default '' check (scale_category in ('', 'A', 'B', 'C', 'none')),
  add column conformance_certificate text not null default '',
  add column firmware text not null default '';
alter table calibration_set
  add column firmware text not null default '',
  add column settings_locked text not null default '' check (settings_locked in ('', 'yes', 'no')),
  add column seals_found text not null default '',
  add column seals_left text not null default '',
  add column seals_reason text not null default '' check (seals_reason in ('', 'replaced', 'broken', 'misread'));
