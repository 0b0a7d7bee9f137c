// One statement reads what a vehicle's page rests on. It says what the single reads say, of every vehicle of the demo
// and of one to which all that can happen has happened, also where records are not what was logged.
import { sql, type RawBuilder } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { correctionSchema } from '#app/recording/calibration-entry.ts';
import { correctCalibration } from '#app/recording/correct-calibration.server.ts';
import { listCalibrations, listSets } from '#app/readings/queries.server.ts';
import { recordCalibrationSet } from '#app/recording/record-calibration-set.server.ts';
import { listVisits } from '#app/visits/visit-queries.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { FIRST_POLICY } from '#app/policy/policy.ts';
import { policyAndLogSize } from '#app/policy/queries.server.ts';
import { findMismatches } from '#app/transparency-log/vehicle-records.server.ts';
import { demoExport } from '#commands/demo/export.ts';
import { DEMO_BUCKET, openImportBench, type ImportBench } from '#test/import-run.ts';
import { addSignedIn } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, setInput, vehicleInput } from '#test/vehicles.ts';
import { decideValidation } from '#app/vehicles/decide-validation.server.ts';
import { findVehicle, listVehicleFilesEver } from '#app/vehicles/queries.server.ts';
import { readVehiclePage, vehiclePageStatement } from './read-vehicle-page.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { removeVehicle, restoreVehicle } from '#app/vehicles/remove-vehicle.server.ts';

const NOW = new Date('2026-11-21T01:00:00Z');
const VIN = '6T9HZ8FM2PA100418';
let bench: ImportBench;
let services: TestServices;
let admin: SignedIn;

beforeAll(async () => {
  bench = await openImportBench();
  await bench.run(demoExport('2026-11-21'), { bucket: DEMO_BUCKET });
  services = await createTestServices({ RATE_LIMITS: 'off' });
  services.now = () => NOW;
  admin = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
});
afterAll(async () => {
  await bench.close();
  await services.stop();
});

async function pageOf(db: Db, rego: string) {
  const found = await readVehiclePage(db, rego, 'whole');
  if (found.state !== 'live') throw new Error(found.state);
  return found.records;
}

async function expectSame(db: Db, rego: string) {
  const page = await pageOf(db, rego);
  const { since, policy, vehicle, readings, sets, visits, files, mismatches } = page;
  expect({ since, policy }).toEqual(await policyAndLogSize(db));
  expect({ state: 'live', vehicle }).toEqual(await findVehicle(db, rego));
  expect(readings).toEqual(await listCalibrations(db, vehicle.id));
  expect(sets).toEqual(await listSets(db, vehicle.id));
  expect(visits).toEqual(await listVisits(db, vehicle));
  expect(files).toEqual(await listVehicleFilesEver(db, vehicle.id));
  expect(mismatches).toEqual(await findMismatches(db, vehicle));
  return page;
}

test('of every vehicle of the demo it says what the single reads say', async () => {
  const { db } = bench.database;
  const regos = await db.selectFrom('vehicle').select('rego').where('deletedAt', 'is', null).execute();
  expect(regos.length).toBeGreaterThan(50);
  let [readings, files] = [0, 0];
  for (const { rego } of regos) {
    const page = await expectSame(db, rego);
    expect(page.mismatches).toEqual([]);
    expect(page.badge?.erased).toEqual([]);
    readings += page.readings.length;
    files += page.files.length;
  }
  expect(readings).toBeGreaterThan(2000);
  expect(files).toBeGreaterThan(10);
});

test('of one with a visit, a correction, decisions, a removal and its return', async () => {
  const { db } = services;
  expect(await readVehiclePage(db, 'ALL1', 'whole')).toEqual({ state: 'unknown' });
  await registerVehicle(services, admin, {
    input: vehicleInput({ rego: 'ALL1', vin: VIN, axle_groups: 'STEER' }),
    choice: NO_FILES,
    key: undefined,
  });
  expect((await expectSame(db, 'ALL1')).policy).toEqual(FIRST_POLICY);
  // Another rego that begins alike is not it.
  await registerVehicle(services, admin, {
    input: vehicleInput({ rego: 'ALL10', vin: `${VIN}0` }),
    choice: NO_FILES,
    key: undefined,
  });
  for (const [rego, vin] of [
    ['ALL1', VIN],
    ['ALL10', `${VIN}0`],
  ] as const) {
    const visit = { ...setInput(vin, new Date('2026-11-20T03:05:00Z')), due_date: '2027-05-14' };
    await recordCalibrationSet(services, admin, { rego, input: visit, photos: [], key: undefined });
  }
  const id = (await pageOf(db, 'ALL1')).readings[0]?.id ?? 0;
  const correction = correctionSchema.parse({
    axle: 'STEER',
    attribute: 'Loaded Weight',
    value: '5980',
    due_date: '2027-06-14',
    reason: 'Two digits swapped',
  });
  await correctCalibration(db, admin, {
    rego: 'ALL1',
    id,
    input: correction,
    now: NOW,
    key: undefined,
    zone: 'Australia/Sydney',
  });
  // The earliest due date of the visit is still there.
  expect((await pageOf(db, 'ALL1')).vehicle).toMatchObject({ nextCalibrationDueOn: '2027-05-14', restsOn: 'visit' });
  await decideValidation(db, admin, { rego: 'ALL1', validated: true, reason: 'Seen' });
  await removeVehicle(db, admin, { rego: 'ALL1' });
  const removed = await readVehiclePage(db, 'ALL1', 'whole');
  expect(removed).toEqual(await findVehicle(db, 'ALL1'));
  expect(removed.state).toBe('removed');
  const { id: vehicleId } = await db
    .selectFrom('vehicle')
    .select('id')
    .where('rego', '=', 'ALL1')
    .executeTakeFirstOrThrow();
  await restoreVehicle(db, admin, { id: vehicleId });
  const { readings, sets, events, mismatches } = await expectSame(db, 'ALL1');
  expect({ readings: readings.length, sets: sets.length, mismatches }).toEqual({
    readings: 5,
    sets: 1,
    mismatches: [],
  });
  expect(events.map(({ kind, validated, nextDueOn }) => [kind, validated, nextDueOn])).toEqual(
    expect.arrayContaining([
      ['validation', true, expect.anything()],
      [expect.stringMatching(/^calibration/), null, '2027-05-14'],
      ['vehicle.removed', null, null],
      ['vehicle.restored', null, null],
    ]),
  );
});

test.each([
  ['calibration', sql`value = value || '1'`, sql`value = left(value, -1)`],
  ['calibration_set', sql`notes = notes || '1'`, sql`notes = left(notes, -1)`],
  ['visit', sql`is_stretched = not is_stretched`, sql`is_stretched = not is_stretched`],
  ['validation', sql`reason = reason || '1'`, sql`reason = left(reason, -1)`],
  ['vehicle', sql`make = make || '1'`, sql`make = left(make, -1)`],
  ['actor', sql`name = name || '1'`, sql`name = left(name, -1)`],
] as const)(
  'a page that was found right is checked again when what it rests on has changed: %s',
  async (table, by, back) => {
    const { db } = services;
    const mismatches = async () => {
      const found = await readVehiclePage(db, 'ALL1', 'newest');
      return found.state === 'live' ? found.records.mismatches : [found.state];
    };
    const alter = (change: RawBuilder<unknown>) =>
      db.transaction().execute(async (tx) => {
        await sql`set local session_replication_role = replica`.execute(tx);
        await sql`update ${sql.table(table)} set ${change}`.execute(tx);
      });
    expect(await mismatches()).toEqual([]);
    await alter(by);
    const found = await mismatches();
    expect(found.length).toBeGreaterThan(0);
    expect(await mismatches()).toEqual(found);
    await alter(back);
    expect(await mismatches()).toEqual([]);
  },
);

test('also when the file of its certificate has changed', async () => {
  const { db } = bench.database;
  const { rego } = await db
    .selectFrom('vehicleFile')
    .innerJoin('vehicle', 'vehicle.id', 'vehicleFile.vehicleId')
    .select('vehicle.rego')
    .where('role', '=', 'certificate')
    .where('removedAt', 'is', null)
    .where('fileId', 'is not', null)
    .executeTakeFirstOrThrow();
  const mismatches = async () => {
    const found = await readVehiclePage(db, rego, 'newest');
    return found.state === 'live' ? found.records.mismatches : [found.state];
  };
  expect(await mismatches()).toEqual([]);
  await sql`update stored_file set sha256 = reverse(sha256)`.execute(db);
  expect(await mismatches()).toEqual([expect.stringContaining('certificate')]);
  await sql`update stored_file set sha256 = reverse(sha256)`.execute(db);
  expect(await mismatches()).toEqual([]);
});

test('what was altered or taken away behind the log is said as the single reads say it', async () => {
  const { db } = services;
  const [first, second] = (await pageOf(db, 'ALL10')).readings;
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`update calibration set value = '1' where rego = 'ALL10' and id = ${first?.id}`.execute(tx);
    await sql`delete from calibration where rego = 'ALL10' and id = ${second?.id}`.execute(tx);
  });
  const { mismatches } = await expectSame(db, 'ALL10');
  expect(mismatches).toHaveLength(2);
  expect((await expectSame(db, 'ALL1')).mismatches).toEqual([]);
});

test.each(['newest', 'whole'] as const)(
  'each record is found by an index, with the rego as its condition: %s',
  async (scope) => {
    // With what an import writes, and the statistics with which it ends.
    const plan = await bench.database.db.transaction().execute(async (tx) => {
      // So small a registry would be read whole, and a bitmap hides which rows an index gives.
      await sql`set local enable_seqscan = off`.execute(tx);
      await sql`set local enable_bitmapscan = off`.execute(tx);
      const { rows } = await sql<{
        'QUERY PLAN': string;
      }>`explain ${vehiclePageStatement('XV04KL', '', scope)}`.execute(tx.withoutPlugins());
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(plan).toMatch(/using record_leaf_readings on record_leaf.*\n\s*Index Cond: \(\(record_key ~>=~/);
    if (scope === 'whole') expect(plan).toMatch(/activity_log_vehicle.*\n\s*Index Cond: \(activity_vehicle\(/);
    else {
      const found = plan.match(/activity_log_subject.*\n\s*Index Cond: \(\(subject = .* AND \(subject_id = /g) ?? [];
      // Beside those that ask when an admin who decided was imported.
      expect(found.filter((lines) => !lines.includes("'admin'"))).toHaveLength(3);
    }
    expect(plan).not.toMatch(
      /Seq Scan on (record_leaf|log_leaf|leaf_opening|activity_log|calibration|validation|vehicle|visit|visit_decision)/,
    );
  },
);
