-- The removal of an admin ends their access at once, and stands when a second admin confirms it, or after seven days. Until then
-- the removed one counts as an admin who exists. A second admin may refuse it, and it lapses.
create table admin_removal (
  id          uuid primary key default gen_random_uuid(),
  admin_id    uuid not null references admin,
  proposed_by bigint not null references actor,
  proposed_at timestamptz not null,
  outcome     text check (outcome in ('confirmed', 'stood', 'refused')),  -- null while it waits
  ended_at    timestamptz,
  ended_by    bigint references actor,                                    -- null: it stood by itself
  check ((outcome is null) = (ended_at is null)),
  check ((outcome in ('confirmed', 'refused')) = (ended_by is not null))
);
create unique index admin_removal_open on admin_removal (admin_id) where outcome is null;
