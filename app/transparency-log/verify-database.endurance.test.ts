// What somebody with the database's own password can do to records and to the log, one thing at a time: all is found.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enterFirstPolicy } from '#app/policy/enter-version.server.ts';
import { FIRST_POLICY } from '#app/policy/policy.ts';
import { columnsOf } from '#app/policy/queries.server.ts';
import { demoExport } from '#commands/demo/export.ts';
import { recordCheckVisit } from '#test/check-visits.ts';
import { enterAsOwner, type DatabaseOwner } from '#test/database-owner.ts';
import { DEMO_BUCKET, openImportBench, type ImportBench } from '#test/import-run.ts';
import { recordJoin } from '#test/recorded-join.ts';
import { recordReference } from '#test/recorded-reference.ts';
import { recordReport } from '#test/recorded-report.ts';
import { recordSetWithPhoto } from '#test/recorded-set.ts';
import { recordLiftedSuspension } from '#test/recorded-suspension.ts';
import { dropChecks, otherValue, storedColumns } from '#test/altered-column.ts';
import { appendLeaves } from './append-leaves.server.ts';
import { checkRecords, findingOf } from './check-records.server.ts';
import { unitOf } from '#app/readings/calibration.ts';
import { enterBeforeLog } from './enter-before-log.server.ts';
import { vehicleEvent } from './events.server.ts';
import { proposalEvent } from './policy-events.server.ts';
import { recordName, type RecordRef } from './record-snapshot.server.ts';
import type { RecordTable } from '#database/log-tables.ts';
import { RECORDS } from '#database/log-tables.ts';
import { verifyDatabase } from './verify-database.server.ts';

const NOT_COVERED: Partial<Record<RecordTable, readonly string[]>> = {
  // Worked out from the calibrations, and verified as such.
  vehicle: [],
  // How far it is applied is compared with the visits that it covers: app/withdrawals/apply-withdrawals.slow.test.ts
  // shows it.
  reference_withdrawal: ['applied_on', 'applied_through', 'applied_at', 'lift_applied_at'],
  // Who sent it and who is asked, what follows from its steps, and its place in the log.
  wrong_report: ['leaf_index', 'email', 'person_id', 'state', 'due_on', 'told_days'],
  // For admins, and erased with the technician's data.
  check_visit: ['note'],
  // An admin's or technician's own profile: no record of the trade.
  admin: 'version name phone address born_on role_label gender notes image_id image_url updated_at updated_by'.split(
    ' ',
  ),
  technician: 'version address rep_name rep_contact born_on gender notes image_id updated_at updated_by'.split(' '),
};

const BESIDE = 'log_leaf record_leaf log_chain leaf_opening activity_state actor stored_file'.split(' ');
/** Admins are a view of the office's people. */
const storedIn = (table: string) => (table === 'admin' ? 'staff' : table);
const TOUCHED = [...RECORDS.map(storedIn), ...BESIDE];

let bench: ImportBench;
let owner: DatabaseOwner;
const findings = async (signed?: { size: number; root: Uint8Array<ArrayBuffer> }) => {
  const found: string[] = [];
  const verdict = await verifyDatabase(bench.database.db, (finding) => found.push(finding), signed);
  expect(verdict.findings).toBe(found.length);
  return { found, verdict };
};

beforeAll(async () => {
  bench = await openImportBench();
  const whole: Record<string, Record<string, unknown>> = JSON.parse(JSON.stringify(demoExport('2026-11-21')));
  const few = Object.entries(whole['Vehicles'] ?? {}).slice(0, 6);
  await bench.run({ ...whole, Vehicles: Object.fromEntries(few) }, { bucket: DEMO_BUCKET });
  await enterFirstPolicy(bench.database.db);
  await proposePolicy(bench.database.db);
  await recordSetWithPhoto(bench.database.db, bench.folder);
  await recordCheckVisit(bench.database.db);
  await recordLiftedSuspension(bench.database.db);
  await recordReference(bench.database.db, bench.folder);
  await recordJoin(bench.database.db, bench.folder);
  await recordReport(bench.database.db, bench.folder);
  owner = await enterAsOwner(bench.database.address, TOUCHED);
  await owner.query('alter table validation alter column id drop identity');
  await owner.query('alter table wrong_report alter column number drop identity');
  await owner.query('alter table log_chain drop constraint log_chain_commitment_key');
});
afterAll(async () => {
  await owner.leave();
  await bench.close();
});

async function proposePolicy(db: ImportBench['database']['db']): Promise<void> {
  const { id: proposedBy } = await db.selectFrom('actor').select('id').limit(1).executeTakeFirstOrThrow();
  await db.transaction().execute(async (tx) => {
    const looser = { ...FIRST_POLICY, promptDays: 14 };
    const { id } = await tx
      .insertInto('policyProposal')
      .values({
        ...columnsOf(looser),
        baseVersion: 1,
        reason: '',
        proposedBy,
        proposedAt: new Date(),
        takesEffectAt: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await appendLeaves(tx, [proposalEvent('policy.proposed', id, looser)]);
  });
}

test('an untouched database has nothing to find, and extends what was signed of it', async () => {
  const { found, verdict } = await findings();
  expect(found).toEqual([]);
  expect(verdict.records).toBeGreaterThan(150);
  const { size, root } = { size: verdict.entries, root: Uint8Array.from(verdict.root) };
  expect((await findings({ size, root })).found).toEqual([]);
  expect((await findings({ size: size + 1, root })).found).toHaveLength(1);
  expect((await findings({ size, root: root.map((byte) => byte ^ 1) })).found).toHaveLength(1);
});

test('a column that came after an entry is nothing while it is empty, and found when it is not', async () => {
  await owner.query("alter table vehicle add column later_text text not null default '', add column later_day date");
  expect((await findings()).found).toEqual([]);
  for (const change of ["later_text = 'x'", "later_day = '2027-01-01'"]) {
    const [column] = change.split(' ');
    await owner.query(`update vehicle set ${change} where rego = (select min(rego) from vehicle)`);
    const { found } = await findings();
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`its ${column} is not what was logged`);
    await owner.query("update vehicle set later_text = '', later_day = null");
  }
  await owner.query('alter table vehicle drop column later_text, drop column later_day');
});

/** One record of a table that is logged. */
const anyOf = (table: string) => {
  const only = { vehicle_file: `where role = 'certificate'`, admin: `where role = 'admin'` }[table] ?? '';
  return `ctid = (select ctid from ${storedIn(table)} ${only} limit 1)`;
};

test('each stored column of each logged record, altered alone, is found; by its page too', async () => {
  const { db } = bench.database;
  const columns = await storedColumns(db, RECORDS);
  const covered = columns.filter(({ tableName, columnName }) => NOT_COVERED[tableName]?.includes(columnName) !== true);
  expect(covered.length).toBeGreaterThan(60);
  for (const table of ['visit_decision', 'former_plate'])
    await owner.query(`alter table ${table} alter column id drop identity`);
  for (const one of covered) {
    const { tableName: table, columnName: column } = one;
    await owner.query(dropChecks(storedIn(table)));
    const statement = `update ${storedIn(table)} set ${column} = ${otherValue(one)} where ${anyOf(table)}`;
    const found = await owner.whenDone(statement, async () => (await findings()).found);
    expect([statement, found.length > 0]).toEqual([statement, true]);
  }
}, 600_000);

const first = (table: string) => `ctid = (select ctid from ${table} order by ctid limit 1)`;

const OPENING = (field: string) =>
  `field = '${field}' and leaf_index = (select max(leaf_index) from leaf_opening where field = '${field}')`;

test.each([
  ...RECORDS.map((table) => [`delete from ${storedIn(table)} where ${anyOf(table)}`]),
  [`insert into vehicle (rego) values ('PUTIN1')`],
  [
    `insert into calibration (rego, id, vehicle_id, axle, attribute, value, calibrated_at) select rego, 1, id, 'STEER', 'Empty Volt', '1', now() from vehicle limit 1`,
  ],
  [`insert into validation (id, vehicle_id, validated) select 99999999, id, true from vehicle limit 1`],
  [
    `insert into vehicle_file (vehicle_id, role, external_url, removed_at) select id, 'certificate', 'http://x.example', now() from vehicle limit 1`,
  ],
  [`update log_leaf set entry = replace(entry, '"v":1', '"v":2') where index = 7`],
  [
    `update log_leaf set entry = replace(entry, 'STEER', 'DRIVE') where index = (select min(index) from log_leaf where entry like '%STEER%')`,
  ],
  [`update log_leaf set hash = sha256('x') where index = 7`],
  [`delete from log_leaf where index = 7`],
  [`delete from log_leaf where index = (select max(index) from log_leaf)`],
  [`update log_leaf a set entry = b.entry, hash = b.hash from log_leaf b where (a.index, b.index) in ((7, 8), (8, 7))`],
  [
    `update leaf_opening set value = jsonb_set(value, '{vehicle}', '1') where field = 'rest' and leaf_index = (select max(leaf_index) from record_leaf where record_table = 'vehicle')`,
  ],
  [
    `update leaf_opening set salt = 'AAAA' where field = 'rest' and leaf_index = (select max(leaf_index) from record_leaf where record_table = 'vehicle')`,
  ],
  [
    `update leaf_opening set salt = null, value = null, erased_at = now() where field = 'rest' and leaf_index = (select max(leaf_index) from record_leaf where record_table = 'vehicle')`,
  ],
  [
    `delete from leaf_opening where field = 'rest' and leaf_index = (select max(leaf_index) from record_leaf where record_table = 'vehicle')`,
  ],
  [`update log_chain set head = commitment where ${first('log_chain')}`],
  [`update log_chain set length = length + 1 where ${first('log_chain')}`],
  [`update log_chain set commitment = salt where ${first('log_chain')}`],
  [`delete from log_chain where ${first('log_chain')}`],
  [`update activity_state set leaf_size = leaf_size + 1`],
  [`update activity_state set leaf_frontier = leaf_frontier[1:1]`],
  [
    `delete from record_leaf where record_table = 'technician' and ${first('record_leaf').replace('order by', `where record_table = 'technician' order by`)}`,
  ],
  [
    `update record_leaf set leaf_index = leaf_index - 1 where record_table = 'calibration' and leaf_index = (select max(leaf_index) from record_leaf where record_table = 'calibration')`,
  ],
  // The entry before the last passes for the last: the row may be as it was then.
  [
    `delete from record_leaf r where record_table = 'vehicle' and leaf_index = (
      select max(leaf_index) from record_leaf o where o.record_table = 'vehicle' and o.record_key = r.record_key)
      and exists (select from record_leaf o where o.record_table = 'vehicle' and o.record_key = r.record_key and o.leaf_index < r.leaf_index)`,
  ],
  [
    `update log_chain set salt = (select max(other.salt) from log_chain other where other.salt <> log_chain.salt) where ${first('log_chain')}`,
  ],
  [
    `update log_chain a set salt = b.salt, commitment = b.commitment, length = b.length, head = b.head
      from log_chain b, (select min(commitment) as one, max(commitment) as two from log_chain) c
      where (a.commitment, b.commitment) in ((c.one, c.two), (c.two, c.one))`,
  ],
  [`update leaf_opening set value = '"Somebody else"' where ${OPENING('people.technician')}`],
  [`update leaf_opening set salt = null, value = null, erased_at = now() where ${OPENING('people.technician')}`],
  [`delete from leaf_opening where ${OPENING('people.technician')}`],
  [`update leaf_opening set value = '"${'0'.repeat(64)}"' where ${OPENING('certificate')}`],
  [`insert into leaf_opening (leaf_index, field, salt, value) values (7, 'people.driver', 'AAAA', '"x"')`],
  [`insert into leaf_opening (leaf_index, field, salt, value) values (1000000, 'rest', 'AAAA', '{}')`],
  [`update actor set name = 'Somebody else' where id = (select min(technician_id) from calibration)`],
  [
    `update stored_file set sha256 = '${'0'.repeat(64)}' where id = (select file_id from vehicle_file where role = 'certificate' and file_id is not null limit 1)`,
  ],
  [`update vehicle set last_calibrated_at = now() where ${first('vehicle')}`],
  [`update activity_state set before_log = false`],
  [
    `insert into record_leaf (leaf_index, record_table, record_key) values (1000000, 'vehicle', gen_random_uuid()::text)`,
  ],
  [`insert into record_leaf (leaf_index, record_table, record_key) values (7, 'vehicle', gen_random_uuid()::text)`],
])('%s: found', async (statement) => {
  expect((await owner.whenDone(statement, findings)).found).not.toEqual([]);
});

test('who and what a record names by its id is checked on its page too', async () => {
  const { db } = bench.database;
  const { rego, id, technicianId } = await db
    .selectFrom('calibration')
    .select(['rego', 'id', 'technicianId'])
    .where('technicianId', 'is not', null)
    .limit(1)
    .executeTakeFirstOrThrow();
  const file = await db
    .selectFrom('vehicleFile')
    .select(['id', 'fileId'])
    .where('role', '=', 'certificate')
    .where('fileId', 'is not', null)
    .limit(1)
    .executeTakeFirstOrThrow();
  const reading: RecordRef = { table: 'calibration', key: `${rego}/${id}` };
  const certificate: RecordRef = { table: 'vehicle_file', key: file.id };
  const said = async (ref: RecordRef) => findingOf(ref, (await checkRecords(db, [ref])).get(recordName(ref)));
  for (const [ref, statement, what] of [
    [
      reading,
      `update actor set name = 'Tim' where id = ${technicianId}`,
      'its people.technician is not what was logged',
    ],
    [
      reading,
      `update leaf_opening set salt = null, value = null, erased_at = now() where field = 'people.technician'`,
      'what opens its people.technician was taken away',
    ],
    [reading, `delete from leaf_opening where field = 'people.technician'`, 'nothing opens its people.technician'],
    [
      certificate,
      `update stored_file set sha256 = '${'0'.repeat(64)}' where id = '${file.fileId}'`,
      'its certificate is not what was logged',
    ],
  ] as const)
    expect(await owner.whenDone(statement, () => said(ref))).toContain(what);
  expect([await said(reading), await said(certificate)]).toEqual([undefined, undefined]);
});

test('a record put in once the log has begun does not enter it as older, whatever marks are taken back', async () => {
  const { db } = bench.database;
  const found = await owner.whenDone(`insert into vehicle (rego) values ('PUTIN2')`, async () => {
    await owner.query('update activity_state set before_log = false');
    expect(await enterBeforeLog(db, unitOf)).toBe(0);
    return (await findings()).found;
  });
  expect(found.join('\n')).toMatch(/that mark was taken back.\n.*the log has no entry about it/);
});

test('64 readings of a page are checked in little time', async () => {
  const { db } = bench.database;
  const rows = await db.selectFrom('calibration').select(['rego', 'id']).limit(64).execute();
  const refs = rows.map(({ rego, id }) => ({ table: 'calibration' as const, key: `${rego}/${id}` }));
  const begun = performance.now();
  const checks = await checkRecords(db, refs);
  console.info(`${refs.length} records checked in ${(performance.now() - begun).toFixed(1)} ms`);
  for (const ref of refs) expect(findingOf(ref, checks.get(`calibration ${ref.key}`))).toBeUndefined();
});

test('nobody is accused because somebody writes meanwhile', async () => {
  const { db } = bench.database;
  const vehicle = await db.selectFrom('vehicle').select(['id', 'rego']).limit(1).executeTakeFirstOrThrow();
  const ref: RecordRef = { table: 'vehicle', key: vehicle.id };
  const state = { calibrationValidated: false, nextCalibrationDueOn: null };
  // Until as much was written and checked as there must be, whichever is the slower.
  const [writes, checks] = [100, 60];
  let written = 0;
  let checked = 0;
  const isEnough = () => written >= writes && checked >= checks;
  const write = async () => {
    for (; !isEnough(); written += 1)
      await db.transaction().execute(async (tx) => {
        await tx
          .updateTable('vehicle')
          .set({ ...state, notes: `note ${written}` })
          .where('id', '=', vehicle.id)
          .execute();
        await appendLeaves(tx, [vehicleEvent('vehicle.updated', vehicle, { ...state })]);
      });
  };
  const found: unknown[] = [];
  const check = async () => {
    for (; !isEnough(); checked += 1) {
      found.push(findingOf(ref, (await checkRecords(db, [ref])).get(recordName(ref))));
      if (checked % 20 === 0) found.push(...(await findings()).found);
    }
  };
  await Promise.all([write(), check()]);
  expect(found.filter((finding) => finding !== undefined)).toEqual([]);
});
