// The activity log against its own chain, and the chain against the heads that the public log has: finds an entry that
// was changed, removed or put in. Everything is worked out by statements of this file, and not by functions of the
// database, which somebody with its password may have replaced.
//
// The text of an entry is that of `append_activity`: its hash is of the hash before and that text. In it the person and
// the words stand as salted commitments, so each is compared with its own first; what was erased can no longer be, and
// an entry says so.
import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '#app/platform/database/database.server.ts';
import type { ActivityHead, Find } from './verify-entries.server.ts';

const TOLD_MAX = 100;
/** Of the entry of `person.erased`: the field that lists the entries whose words were erased. */
export const ERASED_ENTRIES = 'erased_entries';

const entryText = sql`convert_to(json_build_array(l.index, extract(epoch from l.at), extract(epoch from l.occurred_at), l.kind,
  l.origin, l.actor_id, encode(a.commitment, 'hex'), l.subject, l.subject_id, l.rego, l.topics,
  case when d.index is not null then coalesce(encode(d.commitment, 'hex'),
    json_build_array(d.action, d.details, d.changes, d.erased_at is not null)::text) end)::text, 'UTF8')`;
const entries = sql`activity_log l left join actor a on a.id = l.actor_id left join activity_detail d on d.index = l.index`;

/** Verifies all entries. `heads`: those of the public log, in its order. */
export async function verifyActivities(tx: Tx, find: Find, heads: readonly ActivityHead[]): Promise<void> {
  for (const [found, sentence] of FINDINGS) {
    const { rows } = await sql<{ index: number }>`
      select * from (${found}) f (index) order by index limit ${TOLD_MAX}`.execute(tx);
    for (const { index } of rows) find(sentence(index));
  }
  const state = await tx.selectFrom('activityState').selectAll().executeTakeFirstOrThrow();
  const { size, chainFrom, chainStart, head } = state;
  if (!(await startOf(tx, chainFrom)).equals(chainStart))
    find(`The activities before ${chainFrom}, from before the chain, are not those that it began with.`);
  const hashAt = async (length: number) => {
    if (length === chainFrom) return chainStart;
    const at = tx
      .selectFrom('activityLog')
      .select('hash')
      .where('index', '=', length - 1);
    return (await at.executeTakeFirst())?.hash ?? undefined;
  };
  if ((await hashAt(size))?.equals(head) !== true) find('The last hash of the activities is not the one that is kept.');
  for (const { index, activities, hash } of heads)
    if ((await hashAt(activities))?.toString('base64') !== hash)
      find(`The first ${activities} activities are not those of entry ${index} of the log: they were rewritten.`);
}

const chain = sql`(
  select l.index, l.hash, s.chain_from, s.size, lag(l.index) over w as last, coalesce(lag(l.hash) over w, s.chain_start) as before,
    ${entryText} as text
  from ${entries} cross join activity_state s where l.index >= s.chain_from window w as (order by l.index)) chain`;
const actorText = sql`convert_to(json_build_array('actor', a.person_id, a.name, a.email)::text, 'UTF8')`;
const wordsText = sql`convert_to(json_build_array('words', d.index, d.action, d.details, d.changes)::text, 'UTF8')`;

// Each: a statement that gives the numbers of what is wrong, and the sentence about one.
const FINDINGS: readonly (readonly [found: RawBuilder<unknown>, sentence: (index: number) => string])[] = [
  [
    sql`select a.id from actor a where a.erased_at is null and a.commitment is distinct from sha256(a.salt || ${actorText})`,
    (id) => `Actor ${id}: the person, name or address is not the one who acted.`,
  ],
  [
    sql`select a.id from actor a where a.erased_at is not null and not exists (
      select from activity_log where kind = 'person.erased' and subject = 'person' and subject_id = a.person_id::text)`,
    (id) => `Actor ${id} was erased, and no activity says so.`,
  ],
  [
    sql`select d.index from activity_detail d
      where d.erased_at is null and d.commitment is not null and d.commitment is distinct from sha256(d.salt || ${wordsText})`,
    (index) => `Activity ${index}: its words were changed.`,
  ],
  [
    sql`select d.index from activity_detail d
      where d.erased_at is not null and d.commitment is not null and d.index::text not in (
        select entry from activity_log l join activity_detail by on by.index = l.index
          cross join jsonb_to_recordset(by.changes) as c (field text, "to" text)
          cross join string_to_table(c."to", ' ') entry
        where l.kind = 'person.erased' and c.field = ${sql.lit(ERASED_ENTRIES)})`,
    (index) => `Activity ${index}: its words were erased, and no activity says so.`,
  ],
  [
    sql`select index from ${chain} where index <> coalesce(last + 1, chain_from) or index >= size`,
    (index) => `Activity ${index} does not follow the one before it: one was removed or put in.`,
  ],
  [
    sql`select index from ${chain} where hash is distinct from sha256(before || text)`,
    (index) => `Activity ${index} was changed, or the one before it was.`,
  ],
];

/** The hash of all entries from before the chain, as the migration that began it did: of the hashes of blocks. */
async function startOf(tx: Tx, chainFrom: number): Promise<Buffer> {
  const { rows } = await sql<{ start: Buffer }>`
    select coalesce(sha256(string_agg(block, '' order by n)), sha256('')) as start from (
      select index / 10000 as n, sha256(string_agg(hash, '' order by index)) as block from (
        select l.index, sha256(${entryText}) as hash from ${entries} where l.index < ${chainFrom} offset 0) entry
      group by 1) blocks`.execute(tx);
  const [found] = rows;
  if (found === undefined) throw new Error('the query for the first hash of the activities returned no row');
  return found.start;
}
