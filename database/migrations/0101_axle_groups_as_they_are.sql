-- A vehicle may be a trailer or a dolly ('' is a truck), may have more groups than four, and each group its axles, tyres
-- and reference mass. What nobody said stays ''. Rows of before satisfy the wider checks: they are not read again.
alter table vehicle
  add column kind text not null default '' check (kind in ('', 'trailer', 'dolly')),
  add column group_details text not null default '';
alter table calibration drop constraint calibration_axle_check;
alter table calibration add constraint calibration_axle_check
  check (axle ~ '^(STEER|DRIVE|TRAILER[A-D]|DOLLY[A-C]|FRONT|REAR)$') not valid;
alter table calibration_set drop constraint calibration_set_not_behind_check;
alter table calibration_set add constraint calibration_set_not_behind_check
  check (not_behind ~ '^(TRAILER[A-D]|DOLLY[A-C])( (TRAILER[A-D]|DOLLY[A-C]))*$') not valid;
alter table calibration_set drop constraint calibration_set_axles_check;
alter table calibration_set add constraint calibration_set_axles_check
  check (jsonb_typeof(axles) = 'array' and jsonb_array_length(axles) between 1 and 8) not valid;
