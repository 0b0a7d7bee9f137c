-- The registry's policy: by which rules verdicts and agreement are worked out. Versions; each change is a new one.
create table policy (
  version             int primary key check (version >= 1),
  interval_days       int not null check (interval_days between 1 and 1830),
  due_soon_days       int not null check (due_soon_days between 1 and 365),
  tolerance_per_mille int not null check (tolerance_per_mille between 1 and 500),
  tolerance_kg        int not null check (tolerance_kg between 1 and 10000),
  reason              text not null default '',
  changed_at          timestamptz not null default now(),
  changed_by          bigint references actor,   -- null: the registry itself, for its first version
  check (due_soon_days < interval_days)
);

create trigger policy_never_changes before update or delete on policy
  for each statement execute function refuse_change();
create trigger policy_never_truncated before truncate on policy
  for each statement execute function refuse_change();

-- Which kinds of records the log covers is the code's closed list (record-snapshot.server.ts).
alter table record_leaf drop constraint record_leaf_record_table_check,
  add constraint record_leaf_record_table_check check (record_table ~ '^[a-z]+(_[a-z]+)*$');

create function require_policy_leaf() returns trigger language plpgsql as $$
begin
  if not exists (select from record_leaf where record_table = 'policy' and record_key = new.version::text) then
    raise exception 'a record of policy has no leaf in the transparency log';
  end if;
  return null;
end $$;
create constraint trigger policy_has_leaf after insert on policy
  deferrable initially deferred for each row execute function require_policy_leaf();
