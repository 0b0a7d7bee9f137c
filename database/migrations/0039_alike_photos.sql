-- The difference hash of a picture (dHash, 64 bits): alike in pictures that look alike, such as one that was cropped by little
-- or saved again. Null for files of before, and for PDFs.
alter table stored_file add column dhash bit(64);
alter table calibration_set add column photo_dhash bit(64);

-- The five parts of a photo's difference hash, each a number of its own: two hashes at distance 4 or less have one in common.
create function photo_bands(dhash bit(64)) returns int[]
  language sql immutable parallel safe as $$
  select array[substring(dhash from 1 for 13)::bit(13)::int, 10000 + substring(dhash from 14 for 13)::bit(13)::int,
    20000 + substring(dhash from 27 for 13)::bit(13)::int, 30000 + substring(dhash from 40 for 13)::bit(13)::int,
    40000 + substring(dhash from 53 for 12)::bit(12)::int]
$$;
create index calibration_set_photo_bands on calibration_set using gin (photo_bands(photo_dhash)) where photo_dhash is not null;
