// Takes away what opens the log's commitments to a person, and says so in the log. The tree does not change.
import { sql } from 'kysely';
import type { Tx } from '#app/platform/database/database.server.ts';
import { appendLeaves } from './append-leaves.server.ts';
import type { LeafEvent } from './draft-leaf.server.ts';
import type { RecordRef } from './record-snapshot.server.ts';

/** What was taken away: of which leaf, the fields with spaces between; and the person's own records. */
export type Redacted = { leaves: { index: number; fields: string }[]; own: RecordRef[] };

/** Erases what opens them: the names in entries about what the person recorded, all in those about themselves. */
export async function erasePersonOpenings(tx: Tx, personId: string): Promise<Redacted> {
  // By the name that an entry commits to, and the actor in the record as it was then: a reading that was taken over
  // again under another technician has an entry that still names the first.
  const { rows } = await sql<{ leafIndex: number; field: string }>`
    with called as (select id, name from actor where person_id = ${personId})
    update leaf_opening o set salt = null, value = null, erased_at = now()
    from (
      select p.leaf_index, p.field from leaf_opening p
        join leaf_opening rest on rest.leaf_index = p.leaf_index and rest.field = 'rest'
        where p.field like 'people.%' and left(p.value #>> '{}', 200) in (select name from called)
          and exists (select from jsonb_each(rest.value) covered
            where (covered.key like 'calibration %' or covered.key like 'calibration_set %') and (covered.value ->> 'technician_id')::bigint in (select id from called))
      union
      select p.leaf_index, p.field from (
          select 'technician' as kind, id::text from technician where person_id = ${personId}
          union all select 'admin', id::text from admin where person_id = ${personId}) t
        join record_leaf r on r.record_table = t.kind and r.record_key = t.id
        join leaf_opening p on p.leaf_index = r.leaf_index
        where p.field = 'rest' or p.field like 'people.%'
    ) concerned
    where o.leaf_index = concerned.leaf_index and o.field = concerned.field and o.erased_at is null
    returning o.leaf_index, o.field`.execute(tx);
  const own = await sql<RecordRef>`
    with theirs as (
      select 'technician' as "table", id::text as key from technician where person_id = ${personId}
      union all select 'admin', id::text from admin where person_id = ${personId}
      union all select 'suspension', s.id::text from suspension s join technician t on t.id = s.technician_id
        where t.person_id = ${personId})
    select * from theirs
    where exists (select from record_leaf where record_table = theirs."table" and record_key = theirs.key)`.execute(tx);
  const leaves = [...Map.groupBy(rows, ({ leafIndex }) => leafIndex)]
    .toSorted(([a], [b]) => a - b)
    .map(([index, of]) => {
      const fields = of.map(({ field }) => field).toSorted();
      return { index, fields: fields.join(' ') };
    });
  return { leaves, own: own.rows };
}

/** Says so: one entry for each. The last covers what is left of the person's records, so that cannot change unseen. */
export async function appendRedactions(tx: Tx, { leaves, own }: Redacted): Promise<void> {
  if (leaves.length === 0) return;
  await appendLeaves(
    tx,
    leaves.map(({ index, fields }, place): LeafEvent => ({
      type: 'redaction',
      body: { redacts: index, erased: fields },
      records: place === leaves.length - 1 ? own : [],
    })),
  );
}
