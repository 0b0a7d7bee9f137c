-- What proves how a vehicle stood when the log had `log_size` entries: `entries`, those of its chain up to then and the next, those about
-- the rules, the last of then and the first after it; and what opens the vehicle and, where it was changed, its plate of then.
create or replace function past_entries(vehicle_id uuid, log_size bigint) returns jsonb language sql stable parallel safe as $$
  with chain as (
    select c.commitment, jsonb_build_object('salt', c.salt, 'value', jsonb_build_object('vehicle', v.id, 'rego', coalesce((
      select f.rego from former_plate f where coalesce(f.from_vehicle, f.vehicle_id) = v.id order by f.id limit 1), v.rego))) as subject
    from log_chain c join vehicle v on v.id = c.vehicle_id where c.vehicle_id = $1),
  own as materialized (
    select l.index, l.entry, l.entry::jsonb -> 'body' ? 'restsOn' as is_state from log_leaf l cross join chain
    where l.index in (select r.leaf_index from record_keys(array[$1]) k
        join record_leaf r on r.record_table = k.kind and r.record_key = k.key)
      and l.entry::jsonb ->> 'subject' = chain.commitment),
  needed as (
    select o.index from own o where o.index < log_size
    union (select o.index from own o where o.index >= log_size order by o.index limit 1)
    union select r.leaf_index from record_leaf r where r.record_table = 'policy'
    union values (log_size - 1), (log_size))
  select jsonb_build_object('subject', (select subject from chain),
    'plate', (select jsonb_build_object('salt', p.salt, 'value', p.value) from leaf_opening p
      where p.field = 'plate' and p.leaf_index = (select max(o.index) from own o where o.is_state and o.index < log_size)),
    'entries', (select jsonb_agg(jsonb_build_object('index', l.index, 'leaf', l.entry) order by l.index)
      from needed n join log_leaf l on l.index = n.index))
$$;
