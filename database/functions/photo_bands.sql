-- The five parts of a photo's difference hash, each a number of its own: two hashes at distance 4 or less have one in common.
-- An index keeps what it gives: only a migration changes it.
create or replace function photo_bands(dhash bit(64)) returns int[]
  language sql immutable parallel safe as $$
  select array[substring(dhash from 1 for 13)::bit(13)::int, 10000 + substring(dhash from 14 for 13)::bit(13)::int,
    20000 + substring(dhash from 27 for 13)::bit(13)::int, 30000 + substring(dhash from 40 for 13)::bit(13)::int,
    40000 + substring(dhash from 53 for 12)::bit(12)::int]
$$;
