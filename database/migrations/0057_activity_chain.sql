-- The activity log becomes a hash chain, whose head enters the public log: an entry that is changed, removed or put in by
-- somebody with the database's own password shows (npm run verify -- db). Why so: docs/decisions/0020.

-- 32 bytes that nobody can guess. PostgreSQL's own source of randomness without an extension is gen_random_uuid(): 122 bits each.
create or replace function random_salt() returns bytea language sql volatile as $$
  select sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
$$;

-- Who acted, as a commitment. Of those who were erased before, nothing is left to commit to.
alter table actor add column salt bytea, add column commitment bytea;
update actor set salt = case when erased_at is null then random_salt() end, commitment = random_salt();
update actor set commitment = sha256(salt || convert_to(json_build_array('actor', person_id, name, email)::text, 'UTF8'))
  where salt is not null;
alter table actor alter column commitment set not null, add check ((salt is null) = (erased_at is not null));

-- The activity log names a person by a commitment to their actor row: who that is, under which name and address. Erasing the
-- row takes away the salt, so that nothing can be guessed from what is left; the commitment stays, and the chain holds.
create or replace function commit_to_actor() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.salt := random_salt();
    new.commitment := sha256(new.salt || convert_to(json_build_array('actor', new.person_id, new.name, new.email)::text, 'UTF8'));
  elsif new.erased_at is not null then
    new.salt := null;
  end if;
  return new;
end $$;
create trigger actor_has_commitment before insert or update on actor
  for each row execute function commit_to_actor();

-- Null in entries from before the chain: one hash covers them all.
alter table activity_log add column hash bytea;
alter table activity_detail add column salt bytea, add column commitment bytea;

-- Of the entries from before, those whose words an erasing may reach are committed to like later ones.
alter table activity_detail disable trigger activity_detail_is_final;
update activity_detail d set salt = random_salt() from activity_log l
  where l.index = d.index and d.erased_at is null
    and (l.subject in ('technician', 'admin', 'application') or activity_address(d.details) is not null);
update activity_detail
  set commitment = sha256(salt || convert_to(json_build_array('words', index, action, details, changes)::text, 'UTF8'))
  where salt is not null;
alter table activity_detail enable trigger activity_detail_is_final;

-- The words of an entry may be erased, and nothing else: they may hold personal data, and nobody may put other words in
-- their place. The moment is the database's own, so it cannot be chosen. The salt goes with the words; what the chain of the
-- log commits to stays.
create or replace function allow_erasing_only() returns trigger language plpgsql as $$
begin
  if old.erased_at is null and new.erased_at is not null and new.index = old.index
    and new.action = '' and new.details = '' and new.changes is null
    and new.commitment is not distinct from old.commitment then
    new.erased_at := now();
    new.salt := null;
    return new;
  end if;
  raise exception 'UPDATE of activity_detail is refused: the words of an entry can be erased, once, and never changed'
    using errcode = 'integrity_constraint_violation';
end $$;

-- The chain: its first entry, the hash that it starts from, its last hash; and how many entries the last head in the public
-- log covers. Null: there is no such head yet, and what is older than the chain is to be entered with the first.
alter table activity_state
  add column chain_from  bigint not null default 0,
  add column chain_start bytea not null default sha256(''),
  add column head        bytea not null default sha256(''),
  add column head_logged bigint default 0;
update activity_state set chain_from = size, head_logged = case when size = 0 then 0 end;
-- The hash of the hashes of blocks, so that millions of entries need little memory.
update activity_state set chain_start = (
  select coalesce(sha256(string_agg(block, '' order by n)), sha256('')) from (
    select index / 10000 as n, sha256(string_agg(hash, '' order by index)) as block from (
      select l.index, sha256(convert_to(json_build_array(l.index, extract(epoch from l.at), extract(epoch from l.occurred_at),
        l.kind, l.origin, l.actor_id, encode(a.commitment, 'hex'), l.subject, l.subject_id, l.rego, l.topics,
        case when d.index is not null then coalesce(encode(d.commitment, 'hex'),
          json_build_array(d.action, d.details, d.changes, d.erased_at is not null)::text) end)::text, 'UTF8')) as hash
      from activity_log l left join actor a on a.id = l.actor_id left join activity_detail d on d.index = l.index offset 0) entry
    group by 1) blocks);
update activity_state set head = chain_start;

-- Appends entries and notifies every process. Called last in the transaction of the write that it describes, as it holds
-- the lock of the log's state row until the commit. `entries` is an array of objects with the columns of activity_log
-- (kind, origin, actor_id, subject, subject_id, rego, topics, occurred_at) and activity_detail (action, details, changes).
-- Returns the index of the first entry.
--
-- The entries are a hash chain: each hash is of the one before and of the entry, in which the person and the words stand as
-- salted commitments, so that erasing them changes no hash. app/transparency-log/verify-activities.server.ts has the same text.
create or replace function append_activity(entries jsonb) returns bigint language plpgsql as $$
declare
  first bigint;
  moment timestamptz;
  link bytea;
  n int := jsonb_array_length(entries);
  one record;
  salt bytea;
  words bytea;
begin
  update activity_state set size = size + n, last_at = greatest(clock_timestamp(), last_at)
    returning size - n, last_at, head into first, moment, link;
  for one in
    select first + place - 1 as index, coalesce((e ->> 'occurred_at')::timestamptz, moment) as occurred_at,
      e ->> 'kind' as kind, coalesce(e ->> 'origin', 'recorded') as origin, a.id as actor_id, a.commitment as actor,
      coalesce(e ->> 'subject', '') as subject, coalesce(e ->> 'subject_id', '') as subject_id, e ->> 'rego' as rego,
      coalesce((select array_agg(value) from jsonb_array_elements_text(nullif(e -> 'topics', 'null'))), '{}') as topics,
      coalesce(e ->> 'action', '') as action, coalesce(e ->> 'details', '') as details,
      nullif(e -> 'changes', 'null') as changes
    from jsonb_array_elements(entries) with ordinality as t (e, place)
    left join actor a on a.id = (e ->> 'actor_id')::bigint
    order by place
  loop
    salt := null;
    words := null;
    if one.action <> '' or one.details <> '' or jsonb_typeof(one.changes) = 'array' then
      salt := random_salt();
      words := sha256(salt || convert_to(
        json_build_array('words', one.index, one.action, one.details, one.changes)::text, 'UTF8'));
    end if;
    link := sha256(link || convert_to(json_build_array(one.index, extract(epoch from moment),
      extract(epoch from one.occurred_at), one.kind, one.origin, one.actor_id, encode(one.actor, 'hex'), one.subject,
      one.subject_id, one.rego, one.topics, encode(words, 'hex'))::text, 'UTF8'));
    insert into activity_log (index, at, occurred_at, kind, origin, actor_id, subject, subject_id, rego, topics, hash)
      values (one.index, moment, one.occurred_at, one.kind, one.origin, one.actor_id, one.subject, one.subject_id, one.rego,
        one.topics, link);
    if words is not null then
      insert into activity_detail (index, action, details, changes, salt, commitment)
        values (one.index, one.action, one.details, one.changes, salt, words);
    end if;
  end loop;
  update activity_state set head = link;
  perform pg_notify('activity', (first + n)::text);
  return first;
end $$;
