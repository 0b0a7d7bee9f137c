// A visit with weighings: what is kept and logged, its tickets, and the withdrawal of one of its weighbridges.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { listSets } from '#app/readings/queries.server.ts';
import { weighingsIn, weighingsText, type Weighing } from '#app/readings/weighings.ts';
import { checksOf } from '#app/visits/visit-queries.server.ts';
import { differencesFromLog } from '#test/leaves.ts';
import { addSignedIn } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { addTruck, addWeighbridge, applyAll, lift, weighOn, withdraw, type Weighbridge } from '#test/withdrawals.ts';
import { uploadPhoto } from '#test/photos.ts';
import { honestSet, liveVehicle, type SetChange } from '#test/visits.ts';
import { recordCalibrationSet } from './record-calibration-set.server.ts';

let services: TestServices;
let admins: readonly [SignedIn, SignedIn];
let tech: SignedIn;
let own: Weighbridge;
let other: Weighbridge;
let count = 0;

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  services.setNow('2026-05-10T02:00:00Z');
  admins = [
    await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia'),
    await addSignedIn(services, 'admin', 'noor@registry.example', 'Noor'),
  ];
  tech = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
  own = await addWeighbridge(services, admins[0], 'Example Creek');
  other = await addWeighbridge(services, admins[0], 'Hollow Ridge');
});
afterAll(() => services.stop());

const STEER: Weighing = { load: 'loaded', deck: ['STEER'], kg: 5800 };
const BOTH: Weighing = { load: 'loaded', deck: ['STEER', 'DRIVE'], kg: 21_920 };

async function weigh(weighings: readonly Weighing[], change: SetChange = {}): Promise<string> {
  const rego = `WGH${(count += 1)}`;
  await addTruck(services, admins[0], rego);
  return weighOn(services, tech, rego, own, { weighings: weighingsText(weighings), ...change });
}
const visitOf = (id: string) =>
  services.db.selectFrom('visit').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const checkOf = async (id: string, check: string) =>
  checksOf((await visitOf(id)).checks).find((one) => one.check === check);
async function setOf(id: string) {
  const sets = await listSets(services.db, (await visitOf(id)).vehicleId);
  return sets.find((one) => one.id === id);
}

test('each weighing is kept with the weighbridge that it was on, and its interval', async () => {
  const id = await weigh([
    { ...STEER, on: '2026-05-08', at: other.line },
    { ...BOTH, on: '2026-05-08', at: 'A yard' },
    { ...BOTH, load: 'empty', kg: 9000 },
  ]);
  expect(weighingsIn((await setOf(id))?.weighings ?? '')).toEqual([
    { ...STEER, on: '2026-05-08', at: other.line, reference: other.id, e: 20 },
    { ...BOTH, on: '2026-05-08', at: 'A yard' },
    { ...BOTH, load: 'empty', kg: 9000, e: 20 },
  ]);
  expect(await checkOf(id, 'reference')).toMatchObject({ answer: 'cannot be told' });
  expect(await differencesFromLog(services.db)).toEqual([]);
});

test('a visit without weighings has no gross check, and says nothing of them', async () => {
  const id = await weigh([]);
  expect((await setOf(id))?.weighings).toBeNull();
  expect(await checkOf(id, 'gross')).toBeUndefined();
});

test('the ticket of the whole is held against the groups, and noted', async () => {
  const id = await weigh([STEER, BOTH, { ...BOTH, kg: 21_900 }]);
  expect(await checkOf(id, 'gross')).toMatchObject({
    rule: 'noted',
    answer: 'passed',
    sentence:
      'Loaded: the groups give 21,920\u00a0kg, the ticket of the whole 21,900\u00a0kg: 20\u00a0kg apart (limit 80\u00a0kg).',
  });
  const apart = await weigh([STEER, BOTH, { ...BOTH, kg: 22_100 }]);
  expect(await checkOf(apart, 'gross')).toMatchObject({ answer: 'failed' });
  expect(await visitOf(apart)).toMatchObject({ state: 'counts' });
});

test('a ticket used twice is found, whichever weighing it is of', async () => {
  const ticketOf = (id: string) => checkOf(id, 'ticket');
  expect(await ticketOf(await weigh([STEER, { ...BOTH, ticket: '7732' }]))).toMatchObject({ answer: 'passed' });
  // Of a weighing, and of the visit.
  expect(
    await ticketOf(
      await weigh([
        { ...STEER, ticket: '7731' },
        { ...BOTH, ticket: '7732' },
      ]),
    ),
  ).toMatchObject({
    answer: 'failed',
  });
  expect(await ticketOf(await weigh([], { ticket_number: '7731' }))).toMatchObject({ answer: 'failed' });
  expect(await ticketOf(await weigh([], { ticket_number: '9001' }))).toMatchObject({ answer: 'passed' });
  expect(await ticketOf(await weigh([{ ...STEER, ticket: '9001' }]))).toMatchObject({ answer: 'failed' });
  // Of another weighbridge it is another ticket.
  const elsewhere = [{ ...STEER, ticket: '7731', at: other.line }];
  expect(await ticketOf(await weigh(elsewhere))).toMatchObject({ answer: 'passed' });
  expect(await ticketOf(await weigh(elsewhere))).toMatchObject({ answer: 'failed' });
  expect(await ticketOf(await weigh([STEER]))).toMatchObject({ sentence: 'No ticket number is given.' });
});

const SIX = ['STEER', 'DRIVE', 'TRAILERA', 'DOLLYA', 'TRAILERB', 'TRAILERC'] as const;

test('six groups with nine weighings and four photos have a leaf under 4 kB', async () => {
  const rego = `WGH${(count += 1)}`;
  await addTruck(services, admins[0], rego);
  const empty = SIX.map((_axle, at): Weighing => ({
    load: 'empty',
    deck: SIX.slice(0, at + 1),
    kg: 4000 * (at + 1),
    at: `Hollow Ridge, a place with a long name ${at}`,
    ticket: `A48211-${at}`,
  }));
  const loaded = SIX.slice(3).map((_axle, at): Weighing => ({
    load: 'loaded',
    deck: SIX.slice(0, at + 4),
    kg: 20_000 * (at + 1),
  }));
  const photos = await Promise.all(
    ['#a01414', '#14a014', '#1414a0', '#a0a014'].map((colour) => uploadPhoto(services, tech, colour)),
  );
  const { vin } = await liveVehicle(services, rego);
  const input = {
    ...honestSet(vin, '', services.now(), { axles: SIX }),
    weighings: weighingsText([...empty, ...loaded]),
  };
  const answer = await recordCalibrationSet(services, tech, { rego, input, photos, key: undefined });
  expect(answer).toMatchObject({ recorded: true });
  const { entry } = await services.db
    .selectFrom('logLeaf')
    .select('entry')
    .orderBy('index', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  expect(entry.length).toBeLessThan(4096);
  const id = answer.recorded ? answer.setId : '';
  expect(weighingsIn((await setOf(id))?.weighings ?? '')).toHaveLength(9);
});

test('a withdrawn weighbridge reaches the visits of which one weighing was there on its days', async () => {
  const there = await weigh([{ ...STEER, on: '2026-05-04', at: other.line }, BOTH]);
  const later = await weigh([{ ...STEER, on: '2026-05-07', at: other.line }, BOTH]);
  const none = await weigh([STEER]);
  const both = await withdraw(services, admins, own, ['2026-05-09', '2026-05-10']);
  const id = await withdraw(services, admins, other, ['2026-05-03', '2026-05-05']);
  await applyAll(services);
  expect(await Promise.all([there, later, none].map(async (one) => (await visitOf(one)).state))).toEqual([
    'waits',
    'waits',
    'waits',
  ]);
  await lift(services, admins, both);
  await applyAll(services);
  // The other one still holds.
  expect(await Promise.all([there, later, none].map(async (one) => (await visitOf(one)).state))).toEqual([
    'waits',
    'counts',
    'counts',
  ]);
  expect(await checkOf(there, 'reference')).toMatchObject({ answer: 'failed', rule: 'must' });
  // One that is recorded meanwhile is held back at once.
  expect(await visitOf(await weigh([{ ...STEER, on: '2026-05-04', at: other.line }]))).toMatchObject({
    state: 'waits',
  });
  expect(await differencesFromLog(services.db)).toEqual([]);
  await lift(services, admins, id);
  await applyAll(services);
  expect(await visitOf(there)).toMatchObject({ state: 'counts' });
  expect(await differencesFromLog(services.db)).toEqual([]);
});
