-- A stored VIN, empty if it only says that there is none: a word such as TBA, or one character again and again. What takes a
-- VIN refuses these; older versions did not.
create or replace function known_vin(vin text) returns text language sql immutable as $$
  select case
    when vin = repeat(left(vin, 1), length(vin)) or vin = any (array['TBA', 'TBC', 'TBD', 'TBN', 'NA', 'NIL', 'NONE', 'NULL',
      'UNK', 'UNKNOWN', 'UNKOWN', 'UNAVAILABLE', 'MISSING', 'PENDING', 'BLANK', 'EMPTY', 'VIN', 'NOVIN', 'NOTKNOWN',
      'NOTAVAILABLE', 'NOTAPPLICABLE', 'NOTSUPPLIED', 'NOTPROVIDED', 'NOTRECORDED', 'NOTYETKNOWN', 'TOBEADVISED',
      'TOBECONFIRMED'])
    then '' else vin end
$$;
