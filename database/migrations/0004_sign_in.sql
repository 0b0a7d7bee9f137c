-- Signing in: what the sign-in library (better-auth) needs beyond 0003, one-time links, mail, limits, and the end of
-- sessions told to every node.

-- ── The second factor and the signing keys, as the library keeps them ───────────────────────────────────────────
alter table two_factor
  add column verified                  boolean not null default true,
  add column failed_verification_count int not null default 0,
  add column locked_until              timestamptz;
create table jwks (
  id          uuid primary key default gen_random_uuid(),
  public_key  text not null,
  private_key text not null,                            -- sealed with AUTH_SECRET, which is not in the database
  created_at  timestamptz not null default now(),
  expires_at  timestamptz,
  alg         text,
  crv         text
);

-- ── The end of a session is told to every process, so that open event streams end with it ───────────────────────
create function tell_session_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_ended', old.id::text);
  return null;
end $$;
create trigger session_ended after delete on session for each row execute function tell_session_ended();

-- ── One-time links ──────────────────────────────────────────────────────────────────────────────────────────────
-- Only the hash is kept: who reads the database cannot use a link. A newer link replaces the older one.
create table reset_token (
  person_id  uuid primary key references person,
  token_hash text not null unique,
  expires_at timestamptz not null
);
create table setup_link (
  token_hash text primary key,                          -- one for each start: several nodes print one each
  created_at timestamptz not null default now()
);

-- ── Mail ────────────────────────────────────────────────────────────────────────────────────────────────────────
-- Written in the transaction of what it tells. The text is composed when it is sent: a one-time link is never here.
create table mail (
  id          bigint generated always as identity primary key,
  kind        text not null,
  recipient   text not null,
  facts       jsonb not null default '{}',
  queued_at   timestamptz not null default now(),
  attempts    int not null default 0,
  next_try_at timestamptz not null default '-infinity',  -- a new one at once, whatever the clocks say
  last_error  text not null default '',
  given_up_at timestamptz
);
create index mail_waiting on mail (next_try_at) where given_up_at is null;
create function tell_mail_waits() returns trigger language plpgsql as $$
begin
  perform pg_notify('mail_waiting', '');
  return null;
end $$;
create trigger mail_queued after insert on mail for each statement execute function tell_mail_waits();

-- ── Limits, and forms that were sent twice ──────────────────────────────────────────────────────────────────────
-- Unlogged: after a crash of the database limits begin anew, nothing else.
create unlogged table rate_limit (
  bucket text primary key,                              -- a hash: no address of a person is kept
  hits   timestamptz[] not null
);
create table form_submission (
  key       uuid primary key,
  person_id uuid not null references person,
  outcome   jsonb not null,
  at        timestamptz not null default now()
);
create index form_submission_at on form_submission (at);

-- ── Files chosen in a form, until the form is saved ─────────────────────────────────────────────────────────────
create table staged_upload (
  id            uuid primary key default gen_random_uuid(),
  person_id     uuid not null references person,
  file_id       uuid not null references stored_file,
  uploaded_name text not null default '',
  staged_at     timestamptz not null default now()
);
create index staged_upload_at on staged_upload (staged_at);

-- ── A technician's own profile, as an admin's ───────────────────────────────────────────────────────────────────
alter table technician
  add column born_on    date,
  add column gender     text not null default '',
  add column notes      text not null default '',
  add column image_id   uuid references stored_file,
  add column updated_at timestamptz,
  add column updated_by bigint references actor;
