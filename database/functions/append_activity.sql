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
