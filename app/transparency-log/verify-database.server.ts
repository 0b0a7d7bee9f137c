// The whole database against its log: every entry, every hash, every chain, every record. Finds what somebody with the
// database's own password changed, removed or put in.
import { sql } from 'kysely';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { subjectOf } from './draft-leaf.server.ts';
import { formatBase64, type Bytes } from '#app/tlog/bytes.ts';
import { checkRecords, findingOf, opens } from './check-records.server.ts';
import { keyOf, recordName, type RecordRef } from './record-snapshot.server.ts';
import { RECORDS, type RecordTable } from '#database/log-tables.ts';
import { isCovered, visitsWeighedAt } from './weighed-places.server.ts';
import { verifyActivities } from './verify-activities.server.ts';
import { firstRego, RESTS_ON_DAY, RESTS_ON_NOW } from './what-rests.server.ts';
import { wrongFingerprints } from './verify-fingerprints.server.ts';
import { verifyEntries, type Find, type SignedTree, type VerifiedEntries } from './verify-entries.server.ts';

const RECORDS_A_BLOCK = 500;

export type DatabaseVerdict = { entries: number; records: number; root: Bytes; findings: number };

/**
 * Verifies everything as it is at one moment, no matter who writes meanwhile; each finding is a sentence. `signed`: a
 * tree that this one must extend.
 */
export function verifyDatabase(db: Db, tell: (finding: string) => void, signed?: SignedTree): Promise<DatabaseVerdict> {
  let findings = 0;
  const find = (sentence: string) => {
    findings += 1;
    tell(sentence);
  };
  const asOfOneMoment = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return asOfOneMoment.execute(async (tx) => {
    const entries = await verifyEntries(tx, find, signed);
    await verifyState(tx, find, entries);
    await verifyActivities(tx, find, entries.heads);
    let records = 0;
    for (const table of RECORDS) records += await verifyRecords(tx, find, table);
    await verifyDerived(tx, find);
    return { entries: entries.size, records, root: entries.root, findings };
  });
}

async function verifyState(tx: Tx, find: Find, { size, hashes, chains, hasBegun }: VerifiedEntries): Promise<void> {
  const state = await tx.selectFrom('activityState').selectAll().executeTakeFirstOrThrow();
  if (state.leafSize !== size) find(`The log counts ${state.leafSize} entries and has ${size}.`);
  const kept = state.leafFrontier.map((hash) => formatBase64(Uint8Array.from(hash))).join(' ');
  if (kept !== hashes.map((hash) => formatBase64(hash)).join(' '))
    find('The tree that the log keeps is not that of its entries.');
  if (!state.beforeLog && hasBegun)
    find('Records could enter the log as older than it, and it has begun: that mark was taken back.');
  const unseen = new Map(chains);
  const kepts = await tx
    .selectFrom('logChain')
    .leftJoin('vehicle', 'vehicle.id', 'logChain.vehicleId')
    .select(['vehicleId', 'salt', 'commitment', 'length', 'head'])
    .select(firstRego(sql`vehicle.id`, sql`vehicle.rego`).as('rego'))
    .execute();
  for (const { vehicleId: id, salt, commitment, length, head, rego } of kepts) {
    const end = unseen.get(commitment);
    unseen.delete(commitment);
    if (end?.seq !== length || end.hash !== head) find(`The chain of vehicle ${id} is not that of its entries.`);
    if (!(await opens('subject', { salt, value: subjectOf({ id, rego: rego ?? '' }) }, commitment)))
      find(`The chain of vehicle ${id} is another vehicle's, or its rego was changed.`);
  }
  for (const [commitment] of unseen) find(`The entries of ${commitment} belong to no vehicle.`);
}

async function verifyRecords(tx: Tx, find: Find, table: RecordTable): Promise<number> {
  await declareKeys(tx, table);
  let checked = 0;
  for (;;) {
    const { rows } = await sql<{ key: string }>`fetch ${sql.lit(RECORDS_A_BLOCK)} from record_keys`.execute(tx);
    if (rows.length === 0) break;
    const refs = rows.map(({ key }): RecordRef => ({ table, key }));
    const checks = await checkRecords(tx, refs);
    for (const ref of refs) {
      const finding = findingOf(ref, checks.get(recordName(ref)));
      if (finding !== undefined) find(finding);
    }
    checked += refs.length;
  }
  await sql`close record_keys`.execute(tx);
  return checked;
}

// A join is logged when it is done, a report when an admin has seen it.
const ONLY: Partial<Record<RecordTable, string>> = {
  vehicle_file: "t.role = 'certificate'",
  joined_record: 't.joined_at is not null',
  wrong_report: 't.opened_on is not null',
};

// Of records that are there and of such that an entry is about: one that is gone is among them. Sorted once, by the
// database, and fetched in blocks.
async function declareKeys(tx: Tx, table: RecordTable): Promise<void> {
  const logged = sql.raw(ONLY[table] ?? 'true');
  await sql`declare record_keys cursor for
    select ${keyOf(table)} as key from ${sql.table(table)} t where ${logged}
    union select record_key from record_leaf where record_table = ${sql.lit(table)}
    order by key`.execute(tx);
}

// Derived values: not covered themselves, as they follow from what is.
async function verifyDerived(tx: Tx, find: Find): Promise<void> {
  const photos = await sql<{ id: string }>`
    select s.id from calibration_set s left join stored_file f on f.id = s.photo_id
    where s.photo_sha256 is distinct from f.sha256 order by s.id`.execute(tx);
  const more = await sql<{ id: string }>`
    select distinct s.id from calibration_set s
    cross join unnest(s.more_photo_ids, s.more_photo_sha256s) as picture (id, sha256)
    left join stored_file f on f.id = picture.id
    where picture.sha256 is distinct from f.sha256 order by s.id`.execute(tx);
  for (const { id } of [...photos.rows, ...more.rows])
    find(`calibration_set ${id}: the file kept as its photo is not the one recorded.`);
  const files = await sql<{ id: string }>`
    select v.id from reference_verification v left join stored_file f on f.id = v.file_id
    where v.file_sha256 is distinct from f.sha256 order by v.id`.execute(tx);
  for (const { id } of files.rows)
    find(`reference_verification ${id}: the file kept of its certificate is not the one recorded.`);
  const { rows } = await sql<{ rego: string; id: string }>`
    select v.rego, v.id from vehicle v
    left join (select vehicle_id, max(calibrated_at) as last from calibration group by vehicle_id) c on c.vehicle_id = v.id
    where v.last_calibrated_at is distinct from c.last order by v.rego`.execute(tx);
  for (const { rego, id } of rows)
    find(`vehicle ${id}: the last calibration kept of ${rego} is not that of its entries.`);
  await verifyRests(tx, find);
  await verifyJoined(tx, find);
  for (const { id, rego } of await wrongFingerprints(tx))
    find(`vehicle ${id}: the fingerprints kept of the readings of ${rego}, by which copies are found, are not theirs.`);
  await verifyWithdrawals(tx, find);
}

// On what the last entry about a vehicle says that its verdict rests follows from its calibrations and visits.
async function verifyRests(tx: Tx, find: Find): Promise<void> {
  const { rows } = await sql<{ id: string; index: number }>`
    select v.id, said.index from vehicle v
    cross join lateral (
      select r.leaf_index as index, l.entry::jsonb -> 'body' as body from record_leaf r join log_leaf l on l.index = r.leaf_index
      where r.record_table = 'vehicle' and r.record_key = v.id::text order by r.leaf_index desc limit 1) said
    where said.body ->> 'restsOn' <> ${RESTS_ON_NOW}
      or (said.body ? 'restsOnDay' and said.body ->> 'restsOnDay' is distinct from ${RESTS_ON_DAY}) order by v.id`.execute(
    tx,
  );
  for (const { id, index } of rows)
    find(`vehicle ${id}: entry ${index} of the log says that its verdict rests on something else than it does.`);
}

// What belongs to a record that was joined with another came with it. (Where both had a certificate, one stays.)
async function verifyJoined(tx: Tx, find: Find): Promise<void> {
  const tables = ['calibration', 'calibration_set', 'visit', 'check_visit'] as const;
  const left = tables.map(
    (table) => sql`select ${sql.lit(table)} as table, ${keyOf(table)}::text as key
      from ${sql.table(table)} t join vehicle v on v.id = t.vehicle_id where v.joined_into is not null`,
  );
  const { rows } = await sql<RecordRef>`${sql.join(left, sql` union all `)}`.execute(tx);
  for (const ref of rows) find(`${recordName(ref)}: its record was joined with another, and it did not come with it.`);
}

// How far a withdrawal of a weighbridge is applied follows from the visits that it covers, and is not covered itself.
async function verifyWithdrawals(tx: Tx, find: Find): Promise<void> {
  const days = { fromOn: sql`w.from_on`, toOn: sql`w.to_on` };
  const missed = await sql<{ id: string }>`
    select distinct v.id from reference_withdrawal w
      cross join lateral ${visitsWeighedAt(sql`w.reference_id`, days)} reached join visit v on v.id = reached.id
    where w.applied_at is not null and w.lifted_at is null
      and v.state not in ('open', 'taken-over') and v.without_recall is null order by v.id`.execute(tx);
  for (const { id } of missed.rows)
    find(`visit ${id}: the reference it was weighed on is withdrawn for that day, and its checks do not say so.`);
  const left = await sql<{ id: string }>`
    select v.id from visit v
    where v.without_recall is not null and not exists (
      select from reference_withdrawal w where ${isCovered('v')} and w.confirmed_at is not null and w.lift_applied_at is null)
    order by v.id`.execute(tx);
  for (const { id } of left.rows)
    find(`visit ${id}: its checks say that the reference was withdrawn, and no withdrawal covers that day.`);
}
