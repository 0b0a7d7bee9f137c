// A vehicle's page reads the newest part of its history. What it says is what the whole history says: of every vehicle
// of the demo, whose readings are in part without visits, and of trucks with long histories.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { decideVisit } from '#app/visits/decide-visit.server.ts';
import { readingsOfLines } from '#app/visits/evidence.ts';
import { presentVehicleLines } from '#app/readings/vehicle-lines.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { FIRST_POLICY } from '#app/policy/policy.ts';
import { demoExport } from '#commands/demo/export.ts';
import { DEMO_BUCKET, openImportBench, type ImportBench } from '#test/import-run.ts';
import { addSignedIn } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { recordHonestSet, recordSingles } from '#test/visits.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { readVehiclePage, type VehiclePageRecords } from './read-vehicle-page.server.ts';
import type { Scope } from './shown-records.server.ts';
import { evidenceOfPage, judgementOf, shownHistory } from './vehicle-history.server.ts';
import { vehicleTimeline } from './vehicle-timeline.server.ts';

const ZONE = 'Australia/Sydney';
const TODAY = '2026-11-21';
const DAY_MS = 86_400_000;
let bench: ImportBench;
let services: TestServices;
let mia: SignedIn;
let noa: SignedIn;
let jo: SignedIn;

beforeAll(async () => {
  bench = await openImportBench();
  await bench.run(demoExport(TODAY), { bucket: DEMO_BUCKET });
  services = await createTestServices({ RATE_LIMITS: 'off' });
  mia = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  noa = await addSignedIn(services, 'admin', 'noa@registry.example', 'Noa');
  jo = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
});
afterAll(async () => {
  await bench.close();
  await services.stop();
});

async function partOf(db: Db, rego: string, scope: Scope): Promise<VehiclePageRecords> {
  const found = await readVehiclePage(db, rego, scope);
  if (found.state !== 'live') throw new Error(found.state);
  return found.records;
}

const said = (records: VehiclePageRecords, now: Date) => ({
  judgement: judgementOf(records, ZONE, now),
  evidence: evidenceOfPage(records, ZONE, 'office'),
  readingsTotal: records.readingsTotal,
  waitingTotal: records.waitingTotal,
  files: records.files,
  mismatches: records.mismatches,
  badge: records.badge,
});
// Beside the newest lines it draws those that it has read, fewer than the whole history has.
const linesOf = ({ readings, visits, sets }: VehiclePageRecords) =>
  presentVehicleLines(readingsOfLines(readings, visits), sets, {
    zone: ZONE,
    asked: new URLSearchParams({ steer: '2', drive: '2' }),
    tolerance: FIRST_POLICY,
    details: {},
  });
const withoutEarlier = (lines: ReturnType<typeof linesOf>) => ({
  calculated: lines?.calculated,
  lines: lines?.shown?.lines.map(({ chart: _chart, ...line }) => line),
});
const timelineOf = (records: VehiclePageRecords, today: string) =>
  vehicleTimeline(records, shownHistory(records, ZONE, null), { today, zone: ZONE, policy: FIRST_POLICY });

/** Compares them; returns the newest part. */
async function expectAlike(db: Db, rego: string, now: Date) {
  const [newest, whole] = [await partOf(db, rego, 'newest'), await partOf(db, rego, 'whole')];
  expect(said(newest, now), rego).toEqual(said(whole, now));
  expect(withoutEarlier(linesOf(newest)), rego).toEqual(withoutEarlier(linesOf(whole)));
  const [part, all] = [shownHistory(newest, ZONE, null), shownHistory(whole, ZONE, null)];
  expect(part.length, rego).toBeGreaterThanOrEqual(Math.min(all.length, 1));
  expect(part, rego).toEqual(all.slice(0, part.length));
  if (newest.from === null) expect(part.length, rego).toBe(all.length);
  const today = now.toISOString().slice(0, 10);
  const [shown, full] = [timelineOf(newest, today), timelineOf(whole, today)];
  const { from } = newest;
  const since = from === null ? '' : from.toISOString().slice(0, 10);
  // The day on which the shown part begins is in part before it.
  const after = ({ day }: { day: string }) => day > since;
  expect(shown.items.filter(after), rego).toEqual(full.items.filter(after));
  expect(shown.periods.at(-1)?.verdict, rego).toBe(full.periods.at(-1)?.verdict);
  return { newest, visits: part.length, all: all.length };
}

test('of every vehicle of the demo', async () => {
  const { db } = bench.database;
  const regos = await db.selectFrom('vehicle').select('rego').where('deletedAt', 'is', null).execute();
  let cut = 0;
  for (const { rego } of regos) {
    const { newest, visits, all } = await expectAlike(db, rego, new Date(`${TODAY}T01:00:00Z`));
    if (newest.from !== null) {
      cut += 1;
      expect(visits, rego).toBeLessThanOrEqual(Math.max(3, all - 1));
    }
  }
  expect(cut).toBeGreaterThan(10);
});

async function register(rego: string) {
  services.setNow('2018-05-20T01:00:00Z');
  const fields = { rego, vin: `VIN${rego}`, scale_serial_number: rego, axle_groups: 'STEER DRIVE' };
  await registerVehicle(services, mia, {
    input: vehicleInput({ ...fields, calibration_validated: 'yes' }),
    choice: NO_FILES,
    key: undefined,
  });
}
const later = (days: number) => services.setNow(new Date(services.now().getTime() + days * DAY_MS).toISOString());
const FAR = { DRIVE: { loaded_weight: '14000' } };
async function decideNewest(decision: 'accepted' | 'set-aside') {
  const visit = await services.db
    .selectFrom('visit')
    .select(['id', 'state'])
    .orderBy('openedAt', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  const input = { decision, reason: 'does-not-fit' as const, note: '', openedState: visit.state };
  await decideVisit(services.db, noa, { visitId: visit.id, input, now: services.now(), key: undefined });
}

test('of a truck with twenty visits it reads two, after each of them', async () => {
  await register('LONG1');
  for (let visit = 1; visit <= 20; visit += 1) {
    later(150);
    await recordHonestSet(services, jo, 'LONG1', { ticket_number: `T${visit}` });
    const { newest, visits } = await expectAlike(services.db, 'LONG1', services.now());
    expect(visits).toBe(Math.min(visit, 2));
    expect(newest.readings.length).toBeLessThanOrEqual(24);
  }
});

test('of a truck whose newest visits wait, were set aside, or are partial, it reads the one that rules too', async () => {
  await register('LONG2');
  for (let visit = 1; visit <= 4; visit += 1) {
    later(150);
    await recordHonestSet(services, jo, 'LONG2', { ticket_number: `U${visit}` });
  }
  for (let visit = 1; visit <= 8; visit += 1) {
    later(5);
    if (visit % 3 === 0) await recordSingles(services, jo, 'LONG2', 'STEER');
    else await recordHonestSet(services, jo, 'LONG2', { readings: FAR, ticket_number: `W${visit}` });
    if (visit === 2) await decideNewest('set-aside');
    const { newest } = await expectAlike(services.db, 'LONG2', services.now());
    expect(newest.visits.some(({ state }) => state === 'counts')).toBe(true);
  }
});
