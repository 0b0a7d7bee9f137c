-- Reports that a record is wrong, from anybody. The record and what was decided are covered by the public log; who sent a report,
-- and all words and files, are not, and can be erased.
create table wrong_report (
  id           uuid primary key default gen_random_uuid(),
  year         int not null,
  number       int not null generated always as identity unique,  -- R-2026-0121
  kind         text not null check (kind in ('not-mine', 'figures', 'date', 'plate', 'never', 'photo', 'other')),
  vehicle_id   uuid references vehicle,
  visit_id     uuid references visit,
  reference_id uuid references reference,
  received_at  timestamptz not null,
  since        bigint not null,                   -- the size of the activity log when it came: what is in it was before
  opened_on    date,                              -- an admin saw that it is no spam: from then on it is public that there is one
  decision     text check (decision in ('right', 'corrected', 'set-aside', 'withdrawn', 'plate', 'photo', 'taken-back')),
  decided_on   date,
  leaf_index   bigint,                            -- the last entry of the log about it
  email        text,                              -- of the reporter; null once erased
  person_id    uuid references person,            -- the technician who is asked; null: nobody, or erased
  state        text not null default 'received',
  due_on       date not null,
  told_days    int not null default 0,            -- after how many days the reporter was last told that it is open
  check ((vehicle_id is null) <> (reference_id is null)),
  check ((decision is null) = (decided_on is null)),
  check (decision is null or opened_on is not null)
);
create index wrong_report_vehicle on wrong_report (vehicle_id) where opened_on is not null;
create index wrong_report_reference on wrong_report (reference_id) where opened_on is not null;
create index wrong_report_state on wrong_report (state, due_on);
create index wrong_report_email on wrong_report (email) where email is not null;
create index wrong_report_person on wrong_report (person_id) where person_id is not null;
create trigger wrong_report_never_removed before delete on wrong_report
  for each row when (old.opened_on is not null) execute function refuse_change();
create trigger wrong_report_never_truncated before truncate on wrong_report
  for each statement execute function refuse_change();
create constraint trigger wrong_report_has_leaf after insert or update of opened_on, decision, decided_on on wrong_report
  deferrable initially deferred for each row when (new.opened_on is not null) execute function require_leaf();

-- What was done about a report, in order. Erasing a person empties their words.
create table wrong_report_step (
  id        bigint generated always as identity primary key,
  report_id uuid not null references wrong_report on delete cascade,
  step      text not null,
  by        text not null check (by in ('reporter', 'technician', 'office')),
  actor_id  bigint references actor,              -- null: the reporter
  words     text not null default '',
  act_index bigint,                               -- of a decision: the entry of the activity log that it rests on
  is_alone  boolean not null default false,       -- no admin without a part in the record could have done it
  form_key  uuid unique,                          -- sent twice, it is one step
  on_day    date not null,
  at        timestamptz not null,
  check ((by = 'reporter') = (actor_id is null))
);
create index wrong_report_step_report on wrong_report_step (report_id, id);

create table wrong_report_file (
  id      uuid primary key default gen_random_uuid(),
  step_id bigint not null references wrong_report_step on delete cascade,
  file_id uuid not null references stored_file,
  name    text not null
);
create index wrong_report_file_step on wrong_report_file (step_id);
create index wrong_report_file_file on wrong_report_file (file_id);

-- Secret addresses, by their hash: of one report, or for an hour of all reports of an address.
create table wrong_report_link (
  token_hash text primary key,
  report_id  uuid references wrong_report on delete cascade,
  email      text,
  by_mail    boolean not null,                    -- who opens it can read the mails of the address
  made_at    timestamptz not null,
  check ((report_id is null) <> (email is null))
);
create index wrong_report_link_report on wrong_report_link (report_id);
