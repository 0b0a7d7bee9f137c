-- Which text of each SQL function is in force here (database/apply-functions.ts).
create table schema_function (
  name       text primary key,               -- its file in database/functions
  hash       text not null,                  -- SHA-256 of the file's text
  applied_at timestamptz not null default now()
);
