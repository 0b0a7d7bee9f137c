-- What the registry found worth a look, and what admins did about it. For admins only; it moves no verdict, and no leaf covers it.

-- The looks at the whole, one a night; and how far the visits were looked at as they closed.
create table pattern_look (
  night          date primary key,
  method_version integer not null,
  looked_at      timestamptz not null,
  visits         integer not null,
  tests          integer not null,
  ground         jsonb not null              -- what was usual that night, for the visits of the next day
);
create table pattern_progress (
  only_row  boolean primary key default true check (only_row),
  closed_at timestamptz not null,            -- of the visit that was looked at last
  visit_id  uuid not null
);
insert into pattern_progress (closed_at, visit_id) values (now(), '00000000-0000-0000-0000-000000000000');

-- What a visit adds to a pattern by itself, for the admin who decides about it.
create table pattern_seen (
  visit_id       uuid not null references visit,
  pattern        text not null,
  method_version integer not null,
  n              integer not null,
  hits           integer not null,
  p              double precision not null check (p between 0 and 1),
  primary key (visit_id, pattern, method_version)
);

create table pattern_finding (
  id             uuid primary key default gen_random_uuid(),
  pattern        text not null,
  method_version integer not null,
  key            text not null,              -- what it is about, so that it is kept once
  person_id      uuid references person,     -- whose visits they are; null once erased
  visit_ids      uuid[] not null,
  n              integer not null,           -- cases that could have shown it
  hits           integer not null,           -- and that did
  p              double precision not null check (p between 0 and 1),  -- the chance of as much where nothing is behind it
  facts          jsonb not null,
  found_on       date not null,
  found_at       timestamptz not null,
  state          text not null default 'open' check (state in ('open', 'asked', 'decided')),
  outcome        text not null default '',
  unique (pattern, method_version, key)
);
create index pattern_finding_state on pattern_finding (state, found_at);
create index pattern_finding_person on pattern_finding (person_id, found_at);

-- Each step of an admin or of the technician. Erasing a person empties their words.
create table pattern_step (
  id         bigint generated always as identity primary key,
  finding_id uuid not null references pattern_finding,
  step       text not null check (step in ('opened', 'asked', 'answered', 'decided')),
  outcome    text not null default '',
  words      text not null default '',
  is_alone   boolean not null default false, -- no other admin could have decided
  actor_id   bigint not null references actor,
  on_day     date not null,
  at         timestamptz not null
);
create index pattern_step_finding on pattern_step (finding_id, id);
create unique index pattern_step_opened on pattern_step (finding_id, actor_id, on_day) where step = 'opened';
create index visit_closed on visit (closed_at, id) where closed_at is not null;
