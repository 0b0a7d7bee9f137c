-- Accounts: the tables of the sign-in library (better-auth), in snake_case. An account's id is its person's id, so
-- records, roles and sign-in speak of one identity. A role is no column: whoever is a live admin or technician is one.
create table "user" (
  id                 uuid primary key references person,
  name               text not null,
  email              text not null unique,
  email_verified     boolean not null default false,
  image              text,
  two_factor_enabled boolean not null default false,
  must_change_password boolean not null default false,
  created_at         timestamptz not null default now(),
  updated_at         timestamptz not null default now()
);
create table session (
  id         uuid primary key default gen_random_uuid(),
  user_id    uuid not null references "user" on delete cascade,
  token      text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index session_by_user on session (user_id);
create table account (
  id                       uuid primary key default gen_random_uuid(),
  user_id                  uuid not null references "user" on delete cascade,
  account_id               text not null,
  provider_id              text not null,
  access_token             text,
  refresh_token            text,
  id_token                 text,
  access_token_expires_at  timestamptz,
  refresh_token_expires_at timestamptz,
  scope                    text,
  password                 text,
  created_at               timestamptz not null default now(),
  updated_at               timestamptz not null default now(),
  unique (provider_id, account_id)
);
create index account_by_user on account (user_id);
create table verification (
  id         uuid primary key default gen_random_uuid(),
  identifier text not null,
  value      text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verification_identifier on verification (identifier);
create table two_factor (
  id           uuid primary key default gen_random_uuid(),
  user_id      uuid not null unique references "user" on delete cascade,
  secret       text not null,
  backup_codes text not null
);
