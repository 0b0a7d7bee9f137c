// The pages of a truck and of its readings are proved after every event that moves a visit, the tick or the due date.
import { serve, type ServerType } from '@hono/node-server';
import { Hono } from 'hono';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { closeExpired } from '#app/visits/close-visit.server.ts';
import { correctionSchema } from '#app/recording/calibration-entry.ts';
import { correctCalibration } from '#app/recording/correct-calibration.server.ts';
import { decideVisit } from '#app/visits/decide-visit.server.ts';
import { listCalibrations } from '#app/readings/queries.server.ts';
import { readingBadge } from '#app/readings/reading-badge.server.ts';
import { checkShown } from '#app/tlog/check-shown.ts';
import { logApp } from '#app/transparency-log/http.server.ts';
import { keepPublishing } from '#app/transparency-log/keep-publishing.server.ts';
import { LOG_PREFIX } from '#app/transparency-log/log-address.ts';
import type { LogBadge } from '#app/transparency-log/proof-check.tsx';
import { readVehiclePage } from '#app/vehicle-page/read-vehicle-page.server.ts';
import { vehicleBadge } from '#app/vehicle-page/vehicle-badge.server.ts';
import { findVehicle, type Vehicle } from '#app/vehicles/queries.server.ts';
import { updateVehicle } from '#app/vehicles/update-vehicle.server.ts';
import { HELD_LEASE } from '#test/held-lease.ts';
import { addSignedIn } from '#test/people.ts';
import { addTruck, addWeighbridge, applyAll, lift, weighOn, withdraw } from '#test/withdrawals.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { recordAllButOne, recordHonestSet, recordSingles } from '#test/visits.ts';
import { apiApp } from './api.ts';

let services: TestServices;
let server: ServerType;
let origin: string;
let stop: () => Promise<void>;
let mia: SignedIn;
let ann: SignedIn;
let tech: SignedIn;
const ZONE = 'Australia/Sydney';

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  services.setNow('2026-11-02T01:00:00Z');
  [mia, ann] = [
    await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia'),
    await addSignedIn(services, 'admin', 'ann@registry.example', 'Ann'),
  ];
  tech = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
  const app = new Hono().route(LOG_PREFIX, logApp(services)).route('/api/v1', apiApp(services));
  origin = await new Promise<string>((resolve) => {
    server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
      resolve(`http://127.0.0.1:${port}`),
    );
  });
  stop = await keepPublishing(services, HELD_LEASE);
});
afterAll(async () => {
  await stop();
  server.close();
  await services.stop();
});

async function truck(rego: string): Promise<Vehicle> {
  const found = await findVehicle(services.db, rego);
  if (found.state !== 'live') throw new Error(found.state);
  return found.vehicle;
}
const visits = async (rego: string) =>
  services.db
    .selectFrom('visit')
    .select(['id', 'state'])
    .where('vehicleId', '=', (await truck(rego)).id)
    .orderBy('openedAt')
    .execute();

async function badgeOf(rego: string): Promise<LogBadge | null> {
  const found = await readVehiclePage(services.db, rego, 'newest');
  if (found.state !== 'live') throw new Error(found.state);
  return vehicleBadge(services, found.records);
}

async function answerTo(badge: LogBadge | null): Promise<string> {
  if (badge?.shown == null) return 'no proof';
  const { shown } = badge;
  const memory = { getItem: () => null, setItem: () => {} };
  const proved = () => checkShown(shown, (address) => fetch(`${origin}${address}`), { memory });
  await vi.waitFor(async () => expect((await proved()).result).not.toBe('could-not-tell'), { timeout: 10_000 });
  const { result, sentence } = await proved();
  return result === 'proved' ? result : `${result}: ${sentence}`;
}

async function expectProved(rego: string, event: string) {
  const vehicle = await truck(rego);
  const readings = await listCalibrations(services.db, vehicle.id);
  const answers = [
    await answerTo(await badgeOf(rego)),
    ...(await Promise.all(readings.map(async (reading) => answerTo(await readingBadge(services, reading))))),
  ];
  expect({ event, answers: new Set(answers) }).toEqual({ event, answers: new Set(['proved']) });
}
/** Moves the clock on. */
const pass = (days: number) => services.setNow(new Date(services.now().getTime() + days * 86_400_000).toISOString());

test('single readings: the first, the last of a visit, a correction, and a visit that closes by itself', async () => {
  await addTruck(services, mia, 'PROOF1');
  const last = await recordAllButOne(services, tech, 'PROOF1', 'STEER');
  await expectProved('PROOF1', 'single readings');
  await last();
  await recordSingles(services, tech, 'PROOF1', 'DRIVE');
  expect(await visits('PROOF1')).toMatchObject([{ state: 'counts' }]);
  await expectProved('PROOF1', 'the reading that closes a visit');
  const { id, axle, attribute, value } = (await listCalibrations(services.db, (await truck('PROOF1')).id))[0] ?? {};
  const entered = { axle: axle?.toLowerCase(), attribute, value, reason: 'Wrong day', due_date: '2027-01-04' };
  const moment = { now: services.now(), zone: ZONE, key: undefined };
  const input = correctionSchema.parse(entered);
  expect(await correctCalibration(services.db, tech, { rego: 'PROOF1', id: id ?? 0, input, ...moment })).toMatchObject({
    corrected: true,
  });
  expect(await truck('PROOF1')).toMatchObject({ nextCalibrationDueOn: '2027-01-04' });
  await expectProved('PROOF1', 'a correction');
  await addTruck(services, mia, 'PROOF2');
  await recordSingles(services, tech, 'PROOF2', 'STEER');
  pass(1);
  await closeExpired(services.db, { now: services.now(), zone: ZONE });
  expect(await visits('PROOF2')).toMatchObject([{ state: 'partial' }]);
  await expectProved('PROOF2', 'a visit that closes by itself');
});

test('sets, decisions, a due date set by hand, a withdrawal and its lift', async () => {
  await addTruck(services, mia, 'PROOF3');
  const bridge = await addWeighbridge(services, mia, 'Example Creek');
  await addTruck(services, mia, 'PROOF4');
  await recordHonestSet(services, tech, 'PROOF4', { nudge: 7 });
  // The same readings, digit for digit.
  await recordHonestSet(services, tech, 'PROOF3', { nudge: 7 });
  await expectProved('PROOF3', 'a set that waits');
  const [waiting] = await visits('PROOF3');
  const decide = async (decision: 'accepted' | 'set-aside', state: 'waits' | 'accepted') => {
    const reason = decision === 'accepted' ? 'weighed-again' : 'does-not-fit';
    const input = { decision, reason, note: '', openedState: state } as const;
    const moment = { now: services.now(), key: undefined };
    expect(await decideVisit(services.db, ann, { visitId: waiting?.id ?? '', input, ...moment })).toMatchObject({
      decided: true,
    });
    await expectProved('PROOF3', decision);
  };
  await decide('accepted', 'waits');
  pass(1);
  await weighOn(services, tech, 'PROOF3', bridge);
  await expectProved('PROOF3', 'a set that counts');
  await decide('set-aside', 'accepted');
  const { vin, version } = await truck('PROOF3');
  const fields = { rego: 'PROOF3', vin, axle_groups: 'STEER DRIVE', calibration_validated: 'yes' };
  const form = vehicleInput({
    ...fields,
    next_calibration_due: '2026-12-24',
    reason: 'Wear',
    version: String(version),
  });
  expect(await updateVehicle(services, mia, { rego: 'PROOF3', input: form, choice: NO_FILES, key: undefined })).toEqual(
    { updated: true },
  );
  await expectProved('PROOF3', 'a due date set by hand');
  const withdrawn = await withdraw(services, [mia, ann], bridge, ['2026-11-01', '2026-11-30']);
  await applyAll(services);
  expect(await truck('PROOF3')).toMatchObject({ restsOn: 'nothing' });
  await expectProved('PROOF3', 'a withdrawal');
  await lift(services, [mia, ann], withdrawn);
  await applyAll(services);
  expect(await truck('PROOF3')).toMatchObject({ nextCalibrationDueOn: '2026-12-24' });
  await expectProved('PROOF3', 'a lift');
  await services.db
    .updateTable('vehicle')
    .set({ nextCalibrationDueOn: '2027-11-01' })
    .where('rego', '=', 'PROOF3')
    .execute();
  expect(await answerTo(await badgeOf('PROOF3'))).toBe(
    'tampered: The log says nextDueOn "2026-12-24", and the page shows "2027-11-01".',
  );
});
