-- The activity log as it is read: by time, by person, by kind, by the record it concerns; and what may become of its words.

-- ── The words of an entry may be erased, and nothing else ───────────────────────────────────────────────────────
-- They may hold personal data, and nobody may put other words in their place. The moment is the database's own, so it
-- cannot be chosen. DELETE and TRUNCATE were refused before.
create function allow_erasing_only() returns trigger language plpgsql as $$
begin
  if old.erased_at is null and new.erased_at is not null and new.index = old.index
    and new.action = '' and new.details = '' and new.changes is null then
    new.erased_at := now();
    return new;
  end if;
  raise exception 'UPDATE of activity_detail is refused: the words of an entry can be erased, once, and never changed'
    using errcode = 'integrity_constraint_violation';
end $$;
create trigger activity_detail_is_final before update on activity_detail
  for each row execute function allow_erasing_only();

-- ── When ────────────────────────────────────────────────────────────────────────────────────────────────────────
-- The list's order, with what its filters ask, so that a page is found in the index alone.
create index activity_log_time on activity_log (occurred_at, index) include (kind, actor_id);
drop index activity_log_kind;
create index activity_log_kind on activity_log (kind, occurred_at, index);

-- ── Which record ────────────────────────────────────────────────────────────────────────────────────────────────
-- The rego that an entry concerns, from the topic of its vehicle's page: a vehicle's own entries and its calibrations'.
create function activity_rego(topics text[]) returns text language sql immutable parallel safe as $$
  select substr(topic, 9) from unnest(topics) topic where topic like 'vehicle:%' limit 1
$$;
create index activity_log_rego on activity_log (activity_rego(topics)) where activity_rego(topics) is not null;

-- The first address that an entry's words name ('mia@site.example updated'), also where the former database wrote it
-- with commas for its dots.
create function activity_address(details text) returns text language sql immutable parallel safe as $$
  select lower(rtrim(replace(substring(details from '[^\s:;()<>"]+@[^\s:;()<>"]+'), ',', '.'), '.'))
$$;
create index activity_detail_address on activity_detail (activity_address(details))
  where activity_address(details) is not null;
