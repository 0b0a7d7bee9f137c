-- What a sensor put out may be in another unit than V, and of two sensors what each said: the value is then their mean.
-- Null: V of a Volt, kg of a Weight; one sensor.
alter table calibration
  add column unit text constraint calibration_unit_check
    check (unit is null or (unit in ('kPa', 'mV/V', 'counts') and attribute in ('Empty Volt', 'Loaded Volt'))),
  add column sides text constraint calibration_sides_check
    check (sides is null or (attribute in ('Empty Volt', 'Loaded Volt')
      and sides ~ '^-?\d{1,15}(\.\d{1,15})? -?\d{1,15}(\.\d{1,15})?$'));
