-- The first address that an entry's words name ('mia@site.example updated'), also where the former database wrote it
-- with commas for its dots. Under an index: only a migration changes it.
create or replace function activity_address(details text) returns text language sql immutable parallel safe as $$
  select lower(rtrim(replace(substring(details from '[^\s:;()<>"]+@[^\s:;()<>"]+'), ',', '.'), '.'))
$$;
