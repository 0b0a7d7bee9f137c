-- Appends leaves in order. Each comes as the pieces of its canonical JSON between what is only known under the lock: the
-- time (never earlier than the leaf before), and the leaf's place in its vehicle's chain. Keys stand in the order of RFC
-- 8785: at, body … people, prev, rest, subject, subjectSeq, type, v. The rows of all leaves are inserted at once, and a
-- vehicle's chain is read and written once for all its leaves in a row. Returns the first index.
create or replace function append_leaves(leaves jsonb) returns bigint language plpgsql as $$
declare
  n int := jsonb_array_length(leaves);
  first bigint;
  moment timestamptz;
  frontier bytea[];
  at_index bigint;
  stamp text;
  leaf jsonb;
  chain log_chain%rowtype;
  entry text;
  entries text[] := '{}';
  hashes bytea[] := '{}';
  node bytea;
  level bigint;
begin
  update activity_state
    set leaf_size = leaf_size + n,
      leaf_at = greatest(date_trunc('milliseconds', clock_timestamp()), leaf_at)
    returning leaf_size - n, leaf_at, leaf_frontier into first, moment, frontier;
  stamp := to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
  at_index := first;
  for leaf in select e from jsonb_array_elements(leaves) with ordinality as t (e, place) order by place loop
    entry := '{"at":"' || stamp || '",' || (leaf ->> 'before');
    if leaf ->> 'vehicle' is null then
      entry := entry || (leaf ->> 'rest') || ',' || (leaf ->> 'after') || '}';
    else
      if (leaf ->> 'vehicle')::uuid is distinct from chain.vehicle_id then
        update log_chain set length = chain.length, head = chain.head where vehicle_id = chain.vehicle_id;
        select * into chain from log_chain where vehicle_id = (leaf ->> 'vehicle')::uuid;
        if not found then
          insert into log_chain (vehicle_id, salt, commitment)
            values ((leaf ->> 'vehicle')::uuid, leaf ->> 'salt', leaf ->> 'commitment')
            returning * into chain;
        end if;
      end if;
      if chain.length > 0 then
        entry := entry || ',"prev":"' || chain.head || '"';
      end if;
      entry := entry || (leaf ->> 'rest') || ',"subject":"' || chain.commitment || '","subjectSeq":' || chain.length + 1
        || ',' || (leaf ->> 'after') || '}';
    end if;
    node := sha256('\x00'::bytea || convert_to(entry, 'UTF8'));
    entries := entries || entry;
    hashes := hashes || node;
    if leaf ->> 'vehicle' is not null then
      chain.length := chain.length + 1;
      chain.head := encode(node, 'base64');
    end if;
    -- RFC 9162 section 2.1.1, kept as the roots of complete subtrees.
    level := at_index;
    while level % 2 = 1 loop
      node := sha256('\x01'::bytea || frontier[cardinality(frontier)] || node);
      frontier := frontier[1:cardinality(frontier) - 1];
      level := level / 2;
    end loop;
    frontier := frontier || node;
    at_index := at_index + 1;
  end loop;
  update log_chain set length = chain.length, head = chain.head where vehicle_id = chain.vehicle_id;
  insert into log_leaf (index, entry, hash)
    select first + place - 1, e, h from unnest(entries, hashes) with ordinality as t (e, h, place);
  insert into record_leaf (leaf_index, record_table, record_key)
    select first + place - 1, r ->> 'table', r ->> 'key'
    from jsonb_array_elements(leaves) with ordinality as t (e, place), jsonb_array_elements(e -> 'records') r;
  insert into leaf_opening (leaf_index, field, salt, value)
    select first + place - 1, o ->> 'field', o ->> 'salt', o -> 'value'
    from jsonb_array_elements(leaves) with ordinality as t (e, place), jsonb_array_elements(e -> 'openings') o;
  update activity_state set leaf_frontier = frontier;
  perform pg_notify('leaves', at_index::text);
  return first;
end $$;
