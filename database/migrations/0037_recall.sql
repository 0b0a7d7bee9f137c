-- A visit names the weighbridge of the register on which the truck was weighed. A weighbridge can be withdrawn from a day to a
-- day: the visits weighed there in that time then fail their check, whatever the policy, until the withdrawal is lifted.
alter table visit add foreign key (reference_id) references reference;
-- What the check 'reference' answers without a withdrawal, as a list of none or one; null while none covers the visit.
alter table visit add column without_recall jsonb;
-- The visits of a weighbridge by their day: what a withdrawal reaches, in the order in which it does.
create index visit_reference on visit (reference_id, visited_on, id) include (vehicle_id) where reference_id is not null;

create table reference_withdrawal (
  id               uuid primary key default gen_random_uuid(),
  reference_id     uuid not null references reference,
  from_on          date not null,
  to_on            date not null,             -- both days are covered
  reason           text not null check (reason in ('out of tolerance', 'verification revoked',
                     'instrument repaired without verification', 'record was wrong')),  -- public
  note             text not null default '' check (length(note) <= 500),  -- admins only
  proposed_by      bigint not null references actor,
  proposed_at      timestamptz not null,
  dropped_by       bigint references actor,   -- the proposal, before it was confirmed
  dropped_at       timestamptz,
  confirmed_by     bigint references actor,   -- in force from then on
  confirmed_at     timestamptz,
  is_alone         boolean not null default false,  -- no other admin could have confirmed
  lift_proposed_by bigint references actor,
  lift_proposed_at timestamptz,
  lifted_by        bigint references actor,   -- no longer in force from then on
  lifted_at        timestamptz,
  is_lift_alone    boolean not null default false,
  -- How far the confirmed withdrawal is applied to its visits, and then its lift: derived, so no leaf covers it. Null: not begun.
  applied_on       date,
  applied_through  uuid,
  applied_at       timestamptz,               -- all are, by then
  lift_applied_at  timestamptz,
  check (to_on >= from_on),
  check ((dropped_at is null) = (dropped_by is null)),
  check ((confirmed_at is null) = (confirmed_by is null)),
  check ((lift_proposed_at is null) = (lift_proposed_by is null)),
  check ((lifted_at is null) = (lifted_by is null)),
  check (dropped_at is null or confirmed_at is null),
  check (lift_proposed_at is null or confirmed_at is not null),
  check (lifted_at is null or lift_proposed_at is not null)
);
-- One proposal at a time about a weighbridge.
create unique index reference_withdrawal_proposed on reference_withdrawal (reference_id)
  where confirmed_at is null and dropped_at is null;
create index reference_withdrawal_of on reference_withdrawal (reference_id, confirmed_at);

-- What a withdrawal of a weighbridge says never changes, nor who decided what and when. Only the next step is set; a proposal to
-- lift it can be dropped, and made again. How far it is applied changes freely.
create or replace function only_decide_withdrawal() returns trigger language plpgsql as $$
begin
  if (new.id, new.reference_id, new.from_on, new.to_on, new.reason, new.note, new.proposed_by, new.proposed_at)
      is distinct from
      (old.id, old.reference_id, old.from_on, old.to_on, old.reason, old.note, old.proposed_by, old.proposed_at)
    or old.dropped_at is not null
    or (old.confirmed_at is not null and (new.confirmed_at, new.confirmed_by, new.is_alone)
      is distinct from (old.confirmed_at, old.confirmed_by, old.is_alone))
    or (old.lifted_at is not null and (new.lifted_at, new.lifted_by, new.is_lift_alone, new.lift_proposed_at)
      is distinct from (old.lifted_at, old.lifted_by, old.is_lift_alone, old.lift_proposed_at)) then
    raise exception 'a withdrawal of a weighbridge is never edited: it is confirmed, dropped or lifted'
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;

create trigger reference_withdrawal_only_decided before update on reference_withdrawal
  for each row execute function only_decide_withdrawal();
create trigger reference_withdrawal_never_removed before delete on reference_withdrawal
  for each statement execute function refuse_change();
create trigger reference_withdrawal_never_truncated before truncate on reference_withdrawal
  for each statement execute function refuse_change();
create constraint trigger reference_withdrawal_has_leaf after insert on reference_withdrawal
  deferrable initially deferred for each row execute function require_leaf();
