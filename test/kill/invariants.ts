// What holds in a registry at any rest, no matter who wrote what: records, activity log, transparency log and files say
// the same, and counts are those of the rows. Each query gives the sentences of what does not.
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { checkFiles } from '#app/files/check-files.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { openFileStore } from '#app/platform/storage/file-store.server.ts';
import { verifyDatabase } from '#app/transparency-log/verify-database.server.ts';
import { wrongBlocks } from '../search-blocks.ts';

type Find = (sentence: string) => void;

const ONE_ENTRY_EACH = [
  ['calibration', `rego || '/' || id`, ['calibration.recorded', 'calibration.corrected']],
  ['vehicle', 'id::text', ['vehicle.added']],
  ['technician', 'id::text', ['technician.approved']],
  ['application', 'id::text', ['application.submitted']],
  ['admin', 'id::text', ['admin.added']],
] as const;
/** An event in the transparency log, and the activity that it is of. */
const LEAF_AND_ENTRY = [
  ['vehicle.registered', 'vehicle.added'],
  ['vehicle.updated', 'vehicle.updated'],
  ['vehicle.deleted', 'vehicle.removed'],
  ['vehicle.restored', 'vehicle.restored'],
  ['calibration.recorded', 'calibration.recorded'],
  ['calibration.corrected', 'calibration.corrected'],
  ['visit.closed', 'visit.closed'],
  ['technician.approved', 'technician.approved'],
  ['technician.removed', 'technician.removed'],
] as const;

/**
 * Tells what does not fit. `seeded`: how addresses of admins end whom nobody added through it. Gives the log's size.
 */
export async function compareAll(db: Db, dataDir: string, seeded: string, find: Find): Promise<number> {
  for (const [table, key, kinds] of ONE_ENTRY_EACH) await compareEntries(db, find, { table, key, kinds, seeded });
  for (const [type, kind] of LEAF_AND_ENTRY) await compareCounts(db, find, type, kind);
  await compareIndexes(db, find);
  await compareValidations(db, find);
  await compareGrams(db, find);
  await compareVisits(db, find);
  const { entries } = await verifyDatabase(db, (finding) => find(`verify db: ${finding}`));
  const files = await openFileStore({ directory: path.join(dataDir, 'files') });
  await checkFiles({ db, files }, ({ key, wrong, usedBy }) => find(`file ${key} of ${usedBy.join()}: ${wrong}.`));
  return entries;
}

/** The files in the store that no record names. */
export async function filesWithoutRecord(db: Db, dataDir: string): Promise<string[]> {
  const folder = path.join(dataDir, 'files');
  const there = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  const rows = await db.selectFrom('storedFile').select(['storageKey', 'thumbnailKey']).execute();
  const named = new Set(rows.flatMap(({ storageKey, thumbnailKey }) => [storageKey, thumbnailKey]));
  return there.filter((key) => !named.has(key));
}

async function compareEntries(
  db: Db,
  find: Find,
  { table, key, kinds, seeded }: { table: string; key: string; kinds: readonly string[]; seeded: string },
): Promise<void> {
  const { rows } = await sql<{ key: string; records: number; entries: number }>`
    with record as (select ${sql.raw(key)} as key, count(*) as n from ${sql.table(table)}
      where origin = 'recorded' ${table === 'admin' ? sql`and email not like ${`%${seeded}`}` : sql``} group by 1),
    entry as (select subject_id as key, count(*) as n from activity_log
      where subject = ${table} and kind = any(${sql.val(kinds)}) and origin = 'recorded' group by 1)
    select key, coalesce(record.n, 0) as records, coalesce(entry.n, 0) as entries
    from record full join entry using (key) where record.n is distinct from entry.n`.execute(db);
  for (const { key, records, entries } of rows)
    find(`${table} ${key}: ${records} records, ${entries} entries of ${kinds.join(' or ')} in the activity log.`);
}

async function compareCounts(db: Db, find: Find, type: string, kind: string): Promise<void> {
  // What was taken over after the upgrade has one entry for many vehicles.
  const { rows } = await sql<{ leaves: number; entries: number }>`select
    (select count(*) from log_leaf where entry like ${`%"type":"${type}"%`} and entry like '%"origin":"recorded"%') as leaves,
    (select coalesce(sum(coalesce(substring(d.details from '^Axle groups of (\\d+) vehicles')::int, 1)), 0)::int
      from activity_log l left join activity_detail d using (index)
      where kind = ${kind} and origin = 'recorded') as entries`.execute(db);
  for (const { leaves, entries } of rows)
    if (leaves !== entries) find(`${leaves} leaves say ${type}, ${entries} entries of the activity log ${kind}.`);
}

async function compareIndexes(db: Db, find: Find): Promise<void> {
  const { rows } = await sql<{ size: number; entries: number; next: number }>`
    select size, (select count(*) from activity_log) as entries,
      (select coalesce(max(index) + 1, 0) from activity_log) as next from activity_state`.execute(db);
  for (const { size, entries, next } of rows)
    if (size !== entries || size !== next)
      find(`The activity log counts ${size} entries, has ${entries}, and its next would be ${next}.`);
}

async function compareValidations(db: Db, find: Find): Promise<void> {
  const { rows } = await sql<{ id: string; records: number; entries: number }>`
    with record as (select vehicle_id::text as id, count(*) as n from validation where origin = 'recorded' group by 1),
    entry as (select subject_id as id, count(*) as n from activity_log
      where kind in ('vehicle.validated', 'validation.withdrawn') group by 1)
    select id, coalesce(record.n, 0) as records, coalesce(entry.n, 0) as entries
    from record full join entry using (id) where record.n is distinct from entry.n`.execute(db);
  for (const { id, records, entries } of rows)
    find(`vehicle ${id}: ${records} validations, ${entries} entries of them in the activity log.`);
}

async function compareVisits(db: Db, find: Find): Promise<void> {
  const { rows: ruled } = await sql<{ rego: string; due: string | null; ruling: string | null }>`
    select rego, next_calibration_due_on::text as due, r.due_on::text as ruling
    from vehicle v left join lateral (
      select state, coalesce(hand_due_on, due_on) as due_on from visit
      where vehicle_id = v.id and state in ('counts', 'accepted', 'taken-over')
      order by visited_on desc, opened_at desc, id limit 1) r on true
    where exists (select from visit where vehicle_id = v.id and state <> 'open')
      and (v.next_calibration_due_on is distinct from r.due_on
        or v.rests_on <> case r.state when 'taken-over' then '' else case when r.state is null then 'nothing' else 'visit' end end)`.execute(
    db,
  );
  for (const { rego, due, ruling } of ruled)
    find(`vehicle ${rego} is due on ${due}, and the visit that rules is due on ${ruling}.`);
  // Without a reading, or complete and still open.
  const { rows: visits } = await sql<{ id: string; state: string; n: number }>`
    select v.id, v.state, count(c.id) as n
    from visit v left join calibration c on c.vehicle_id = v.vehicle_id and c.visit_id = v.id
    where v.state <> 'taken-over' group by v.id
    having count(c.id) = 0 or (v.state = 'open' and count(distinct c.attribute) filter (where c.axle = 'DRIVE') = 4)`.execute(
    db,
  );
  for (const { id, state, n } of visits) find(`visit ${id} is ${state} with ${n} readings.`);
}

async function compareGrams(db: Db, find: Find): Promise<void> {
  const { rows } = await sql<{ gram: string; counted: number; kept: number }>`
    with counted as (select gram, count(*) as n from (
      select vehicle_grams(rego, vin) as gram from vehicle where deleted_at is null union all
      select concat_ws(' ', 'state', calibration_validated and rests_on <> 'nothing', last_calibrated_at is not null, next_calibration_due_on)
      from vehicle where deleted_at is null union all
      select 'quarter ' || date_bin('15 minutes', calibrated_at, '2000-01-01T00:00Z')
      from calibration where corrects_id is null and calibrated_at is not null union all
      select 'day ' || (calibrated_at at time zone 'UTC')::date
      from calibration where corrects_id is null and calibrated_at is not null) g
      group by 1),
    kept as (select gram, sum(n)::bigint as n from (select * from vehicle_gram_count union all
      select concat_ws(' ', 'state', calibration_validated, calibrated, next_calibration_due_on), n from vehicle_state_count union all
      select coalesce('quarter ' || quarter, 'day ' || day), n from reading_count union all
      select vehicle_grams(rego, vin), n from vehicle_text_change) s group by 1)
    select gram, coalesce(counted.n, 0) as counted, coalesce(kept.n, 0) as kept
    from counted full join kept using (gram) where coalesce(counted.n, 0) <> coalesce(kept.n, 0) limit 5`.execute(db);
  for (const { gram, counted, kept } of rows)
    find(`${kept} are counted with ${JSON.stringify(gram)}, and there are ${counted}.`);
  for (const { gram, block, counted, kept } of await wrongBlocks(db))
    find(`${kept} vehicles of ${block} are counted with ${JSON.stringify(gram)}, and there are ${counted}.`);
}
