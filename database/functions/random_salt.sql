-- 32 bytes that nobody can guess. PostgreSQL's own source of randomness without an extension is gen_random_uuid(): 122 bits each.
create or replace function random_salt() returns bytea language sql volatile as $$
  select sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
$$;
