-- What the leader does again and again: when each was last done, by which node, and why it failed if it did.
create table job (
  name text primary key,
  every_ms int not null,
  node text not null,
  ran_at timestamptz not null,
  error text
);
