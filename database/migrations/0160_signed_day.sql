-- The last checkpoint that was signed on each day of the registry's zone, from the upgrade that brought this on. It is public, and
-- signed: nobody can change it without being found.
create table signed_day (
  day       date primary key,
  size      bigint not null check (size > 0),
  note      text not null,
  signed_at timestamptz not null
);
