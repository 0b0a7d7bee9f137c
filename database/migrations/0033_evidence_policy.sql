-- The rules by which a visit counts, as one value (EvidenceRules in app/policy/policy.ts). Null in versions from before them:
-- the first rules hold, and the row stays as its leaf has it.
alter table policy add column evidence jsonb;

-- A change that loosens the rules. It takes effect when a second admin confirms it; while there is only one admin, after a
-- public notice. It is about version `base_version`: once another version is in force, it can no longer take effect.
create table policy_proposal (
  id                  uuid primary key default gen_random_uuid(),
  base_version        int not null check (base_version >= 1),
  interval_days       int not null check (interval_days between 1 and 1830),
  due_soon_days       int not null check (due_soon_days between 1 and 365),
  tolerance_per_mille int not null check (tolerance_per_mille between 1 and 500),
  tolerance_kg        int not null check (tolerance_kg between 1 and 10000),
  evidence            jsonb not null,
  reason              text not null default '',
  proposed_by         bigint not null references actor,
  proposed_at         timestamptz not null,
  takes_effect_at     timestamptz,               -- null: another admin was there, and must confirm it
  outcome             text check (outcome in ('confirmed', 'took-effect', 'withdrawn')),
  ended_at            timestamptz,
  ended_by            bigint references actor,   -- null: it took effect by itself
  check (due_soon_days < interval_days),
  check (takes_effect_at > proposed_at),
  check ((outcome is null) = (ended_at is null)),
  check (ended_by is null or outcome in ('confirmed', 'withdrawn'))
);
create unique index policy_proposal_open on policy_proposal (base_version) where outcome is null;

-- A proposal ends once, and nothing else of it changes.
create or replace function only_end_proposal() returns trigger language plpgsql as $$
begin
  if old.outcome is null and new.outcome is not null
    and to_jsonb(new) - array['outcome', 'ended_at', 'ended_by'] = to_jsonb(old) - array['outcome', 'ended_at', 'ended_by'] then
    return new;
  end if;
  raise exception 'UPDATE of policy_proposal is refused: a proposal ends once, and never changes'
    using errcode = 'integrity_constraint_violation';
end $$;
create trigger policy_proposal_only_ends before update on policy_proposal
  for each row execute function only_end_proposal();
create trigger policy_proposal_never_removed before delete on policy_proposal
  for each statement execute function refuse_change();
create trigger policy_proposal_never_truncated before truncate on policy_proposal
  for each statement execute function refuse_change();
create constraint trigger policy_proposal_has_leaf after insert on policy_proposal
  deferrable initially deferred for each row execute function require_leaf();
