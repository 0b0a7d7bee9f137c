-- When a correction, or the weighbridge that was found for it, made a visit wait that had not waited. Null: it waits since it closed.
alter table visit add column waits_since timestamptz;
