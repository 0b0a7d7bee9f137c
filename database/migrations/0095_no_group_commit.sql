-- A reading is one transaction: nothing keeps the idempotency keys of several at once.
drop function if exists keep_forms(uuid[], uuid[], jsonb[]);
delete from schema_function where name = 'keep_forms.sql';
