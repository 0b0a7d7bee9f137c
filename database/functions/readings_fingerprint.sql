-- The four readings of an axle group as one number: equal for readings that are equal to the digit, whatever zeros end them.
-- Fingerprints are stored: only a migration changes it.
create or replace function readings_fingerprint(empty_volt text, empty_weight text, loaded_volt text, loaded_weight text) returns bigint
  language sql immutable parallel safe as $$
  select hashtextextended(concat_ws(' ', trim_scale(nullif(empty_volt, '')::numeric), trim_scale(nullif(empty_weight, '')::numeric),
    trim_scale(nullif(loaded_volt, '')::numeric), trim_scale(nullif(loaded_weight, '')::numeric)), 0)
$$;
