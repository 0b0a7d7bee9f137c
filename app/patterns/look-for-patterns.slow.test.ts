import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { addDays } from '#app/platform/time/calendar.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { addSignedIn } from '#test/people.ts';
import { rowsRead } from '#test/rows-read.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { recordHonestSet, type SetChange } from '#test/visits.ts';
import { decideFinding } from './decide-finding.server.ts';
import { keepFindings } from './keep-findings.server.ts';
import { lookAtClosed, lookAtNight, nightToLook } from './look-for-patterns.server.ts';

/** Fewer others say nothing about what is usual. */
const OTHERS = 21;
const TRUCKS = 3;
const COPIES = 12;
const NIGHT = '2026-11-30';

let services: TestServices;
let admin: SignedIn;
let copier: SignedIn;
let made = 0;
const looking = () => ({ db: services.db, now: services.now, zone: services.config.timeZone });

async function visit(who: SignedIn, rego: string, day: string, change: SetChange): Promise<void> {
  services.setNow(`${day}T02:00:00Z`);
  const recorded = await recordHonestSet(services, who, rego, change);
  if (!recorded.recorded) throw new Error(recorded.reason);
}

async function newTruck(): Promise<string> {
  const rego = `NIGHT${(made += 1)}`;
  await registerVehicle(services, admin, {
    input: vehicleInput({ rego, vin: `VIN${rego}`, axle_groups: 'STEER DRIVE' }),
    choice: NO_FILES,
    key: undefined,
  });
  return rego;
}

// So that no digit comes more often than others. The figures need not agree with each other here.
const volts = (seed: number, from: number): string => ((from + ((seed * 7919) % 97)) / 100).toFixed(2);
const readingsOf = (seed: number): SetChange => ({
  nudge: seed % 200,
  readings: {
    STEER: { empty_volt: volts(seed, 70), loaded_volt: volts(seed + 3, 180) },
    DRIVE: { empty_volt: volts(seed + 5, 80), loaded_volt: volts(seed + 11, 250) },
  },
});

/** Two visits half a year apart, the first on `day`. */
async function twoVisits(
  who: SignedIn,
  { isCopied, day = addDays('2026-02-01', made % 90) }: { isCopied: boolean; day?: string },
): Promise<void> {
  const rego = await newTruck();
  await visit(who, rego, day, readingsOf(made * 13));
  await visit(who, rego, addDays(day, 170), readingsOf(isCopied ? made * 13 : made * 13 + 6));
}

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  services.setNow('2026-01-01T02:00:00Z');
  await services.db
    .updateTable('patternProgress')
    .set({ closedAt: new Date('2026-01-01') })
    .execute();
  admin = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  copier = await addSignedIn(services, 'technician', 'copier@scales.example', 'Copier');
  for (let other = 0; other < OTHERS; other += 1) {
    const who = await addSignedIn(services, 'technician', `honest${other}@scales.example`, `Honest ${other}`);
    for (let truck = 0; truck < TRUCKS; truck += 1) await twoVisits(who, { isCopied: false });
  }
  for (let truck = 0; truck < COPIES; truck += 1) await twoVisits(copier, { isCopied: true });
}, 120_000);
afterAll(() => services.stop());

const findings = () =>
  services.db
    .selectFrom('patternFinding')
    .select(['id', 'pattern', 'personId', 'n', 'hits', 'visitIds', 'state'])
    .execute();

test('the whole is looked at once a night, from two o’clock on', async () => {
  services.setNow(`${NIGHT}T01:59:00+11:00`);
  expect(await nightToLook(looking())).toBeUndefined();
  services.setNow(`${NIGHT}T02:00:00+11:00`);
  expect(await nightToLook(looking())).toBe(NIGHT);
});

test('who repeats visits to the digit is listed, and nobody else', async () => {
  expect(await lookAtNight(looking(), NIGHT)).toBe(1);
  expect(await nightToLook(looking())).toBeUndefined();
  const [found, ...others] = await findings();
  expect(others).toEqual([]);
  expect(found).toMatchObject({
    pattern: 'same-as-before',
    personId: copier.personId,
    n: COPIES,
    hits: COPIES,
    state: 'open',
  });
  expect(found?.visitIds).toHaveLength(2 * COPIES);
  const [entry] = await services.db
    .selectFrom('activityLog')
    .innerJoin('activityDetail', 'activityDetail.index', 'activityLog.index')
    .select(['kind', 'details', 'subjectId', 'actorId'])
    .where('kind', '=', 'pattern.found')
    .execute();
  expect(entry).toEqual({
    kind: 'pattern.found',
    details: 'Same as this truck’s visit before',
    subjectId: found?.id,
    actorId: null,
  });
});

test('the same is not listed again: not while it is open, nor once it is explained', async () => {
  expect(await lookAtNight(looking(), '2026-12-01')).toBe(0);
  const [found] = await findings();
  const decision = { outcome: 'explained', words: 'A trial.', openedState: 'open' } as const;
  await decideFinding(looking(), admin, { id: found?.id ?? '', ...decision, key: undefined });
  expect(await lookAtNight(looking(), '2026-12-31')).toBe(0);
  expect(await findings()).toHaveLength(1);
});

test('what is new while one is open gathers into it, and one visit more after an explanation is no new reason', async () => {
  const test = { pattern: 'photo-twice', technician: copier.personId, facts: {}, n: 40, hits: 5, p: 1e-9 } as const;
  const ids = Array.from({ length: 5 }, () => randomUUID());
  const keep = (upTo: number, p = 1e-9) =>
    services.db
      .transaction()
      .execute((tx) =>
        keepFindings(tx, [{ ...test, p, findings: [ids.slice(0, upTo)] }], { on: NIGHT, now: services.now() }),
      );
  const [one, ...others] = [await keep(2), await keep(3, 1e-12), await keep(3)];
  expect([one, others]).toEqual([1, [0, 0]]);
  const open = (await findings()).find(({ pattern }) => pattern === 'photo-twice');
  expect(open?.visitIds).toEqual(ids.slice(0, 3));
  await services.db
    .updateTable('patternFinding')
    .set({ state: 'decided', outcome: 'explained' })
    .where('id', '=', open?.id ?? '')
    .execute();
  expect([await keep(3), await keep(4), await keep(5)]).toEqual([0, 0, 1]);
  await services.db.deleteFrom('patternFinding').where('pattern', '=', 'photo-twice').execute();
});

test('what is new after an explanation is listed again', async () => {
  for (let truck = 0; truck < 3; truck += 1) await twoVisits(copier, { isCopied: true });
  services.setNow('2027-01-31T03:00:00Z');
  expect(await lookAtNight(looking(), '2027-01-31')).toBe(1);
});

test('a visit that closed is held against the last night, once, and lists nothing', async () => {
  const before = await findings();
  services.setNow('2027-01-31T04:00:00Z');
  while ((await lookAtClosed(looking())) > 0);
  await services.db.deleteFrom('patternSeen').execute();
  await twoVisits(copier, { isCopied: true, day: '2027-02-02' });
  services.setNow('2027-08-01T04:00:00Z');
  expect(await lookAtClosed(looking())).toBe(2);
  expect(await lookAtClosed(looking())).toBe(0);
  // Each of the two names the other.
  const seen = await services.db.selectFrom('patternSeen').select(['pattern']).execute();
  expect(seen).toEqual([{ pattern: 'same-as-before' }, { pattern: 'same-as-before' }]);
  expect(await findings()).toEqual(before);
});

test('where nothing closed since, no visit is read', async () => {
  expect(await rowsRead(services.db, (db) => lookAtClosed({ ...looking(), db }))).toBeLessThan(10);
});
