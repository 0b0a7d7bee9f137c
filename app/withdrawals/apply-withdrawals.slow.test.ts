import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { closeExpired } from '#app/visits/close-visit.server.ts';
import { decideVisit } from '#app/visits/decide-visit.server.ts';
import { checksOf } from '#app/visits/visit-queries.server.ts';
import type { Decision, DecisionReason } from '#app/visits/visit.ts';
import type { Withdrawal } from '#app/references/withdrawal-queries.server.ts';
import { findVehicle } from '#app/vehicles/queries.server.ts';
import { removeVehicle, restoreVehicle } from '#app/vehicles/remove-vehicle.server.ts';
import { differencesFromLog } from '#test/leaves.ts';
import { addSignedIn } from '#test/people.ts';
import { addTruck, addWeighbridge, applyAll, lift, weighOn, withdraw, type Weighbridge } from '#test/withdrawals.ts';
import { createTestServices, type TestServices } from '#test/services.ts';

let services: TestServices;
let admins: readonly [SignedIn, SignedIn];
let tech: SignedIn;
let bridge: Weighbridge;
let count = 0;
const WITHDRAWN = 'The reference it was weighed on was withdrawn for 3 to 19 May 2026.';
const MAY = ['2026-05-03', '2026-05-19'] as const;

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  admins = [
    await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia'),
    await addSignedIn(services, 'admin', 'noor@registry.example', 'Noor'),
  ];
  tech = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
});
afterAll(() => services.stop());
beforeEach(async () => {
  bridge = await addWeighbridge(services, admins[0], `Example Creek ${(count += 1)}`);
});

async function truck(): Promise<string> {
  const rego = `REC${(count += 1)}`;
  await addTruck(services, admins[0], rego);
  return rego;
}
async function weigh(rego: string, at: string, on: Weighbridge = bridge): Promise<string> {
  services.setNow(at);
  return weighOn(services, tech, rego, on);
}
const visit = (id: string) =>
  services.db.selectFrom('visit').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const stateOf = async (id: string) => (await visit(id)).state;
const referenceCheck = async (id: string) =>
  checksOf((await visit(id)).checks).find(({ check }) => check === 'reference');
async function vehicle(rego: string) {
  const found = await findVehicle(services.db, rego);
  if (found.state !== 'live') throw new Error(found.state);
  return found.vehicle;
}
async function decide(id: string, decision: Decision, reason: DecisionReason): Promise<void> {
  const input = { decision, reason, note: '', openedState: await stateOf(id) };
  const answer = await decideVisit(services.db, admins[1], { visitId: id, input, now: services.now(), key: undefined });
  expect(answer).toMatchObject({ decided: true });
}

test('a withdrawal holds back what counted there on its days, and the due date falls back; its lift restores all', async () => {
  const rego = await truck();
  const other = await addWeighbridge(services, admins[0], `Hollow Ridge ${count}`);
  const before = await weigh(rego, '2026-04-01T01:00:00Z', other);
  const hit = await weigh(rego, '2026-05-10T01:00:00Z');
  const stored = await visit(hit);
  expect(stored).toMatchObject({ state: 'counts', referenceId: bridge.id });
  const due = (await vehicle(rego)).nextCalibrationDueOn;
  services.setNow('2026-06-01T01:00:00Z');
  const id = await withdraw(services, admins, bridge, MAY);
  expect(await applyAll(services)).toBe(1);
  expect(await visit(hit)).toMatchObject({ state: 'waits', judged: 'waits', beforeRecall: 'counts' });
  expect(await referenceCheck(hit)).toEqual({
    check: 'reference',
    rule: 'must',
    answer: 'failed',
    sentence: WITHDRAWN,
  });
  expect(await vehicle(rego)).toMatchObject({ nextCalibrationDueOn: (await visit(before)).dueOn, restsOn: 'visit' });
  await lift(services, admins, id);
  expect(await applyAll(services)).toBe(1);
  expect(await visit(hit)).toEqual(stored);
  expect(await vehicle(rego)).toMatchObject({ nextCalibrationDueOn: due, restsOn: 'visit' });
});

test('the first and the last day are days of the registry’s zone, also where the clock changes', async () => {
  const regos = [await truck(), await truck(), await truck(), await truck()];
  // Sydney goes from UTC+11 to UTC+10 on 5 April 2026, at 16:00 UTC of the 4th.
  const ids = [
    await weigh(regos[0] ?? '', '2026-04-03T12:59:00Z'), // 23:59 on the 3rd
    await weigh(regos[1] ?? '', '2026-04-03T13:00:00Z'), // 0:00 on the 4th
    await weigh(regos[2] ?? '', '2026-04-05T13:59:00Z'), // 23:59 on the 5th
    await weigh(regos[3] ?? '', '2026-04-05T14:00:00Z'), // 0:00 on the 6th
  ];
  await withdraw(services, admins, bridge, ['2026-04-04', '2026-04-05']);
  expect(await applyAll(services)).toBe(2);
  expect(await Promise.all(ids.map(stateOf))).toEqual(['counts', 'waits', 'waits', 'counts']);
});

test('a visit recorded meanwhile fails at once, before any block; the lift judges it as without', async () => {
  services.setNow('2026-05-10T01:00:00Z');
  const id = await withdraw(services, admins, bridge, MAY);
  const during = await weigh(await truck(), '2026-05-11T01:00:00Z');
  expect(await visit(during)).toMatchObject({ state: 'waits', judged: 'waits', beforeRecall: 'counts' });
  expect((await referenceCheck(during))?.sentence).toBe(WITHDRAWN);
  expect(await applyAll(services)).toBe(0);
  await lift(services, admins, id);
  const after = await weigh(await truck(), '2026-05-12T01:00:00Z');
  expect(await stateOf(after)).toBe('counts');
  expect(await applyAll(services)).toBe(1);
  expect(await visit(during)).toMatchObject({
    state: 'counts',
    judged: 'counts',
    beforeRecall: null,
    withoutRecall: null,
  });
});

test('decisions before a withdrawal are held back, those since are kept', async () => {
  const waiting = { readings: { DRIVE: { loaded_weight: '9000' } } };
  const rego = await truck();
  await weigh(rego, '2026-04-01T01:00:00Z', await addWeighbridge(services, admins[0], `Hollow Plain ${count}`));
  services.setNow('2026-05-10T01:00:00Z');
  const accepted = await weighOn(services, tech, rego, bridge, waiting);
  await decide(accepted, 'accepted', 'sensor-replaced');
  const aside = await weigh(await truck(), '2026-05-11T01:00:00Z');
  await decide(aside, 'set-aside', 'wrong-truck');
  const [late, kept] = [
    await weigh(await truck(), '2026-05-12T01:00:00Z'),
    await weigh(await truck(), '2026-05-12T01:00:00Z'),
  ];
  services.setNow('2026-06-01T01:00:00Z');
  const first = await withdraw(services, admins, bridge, MAY);
  await applyAll(services);
  expect(await visit(accepted)).toMatchObject({ state: 'waits', beforeRecall: 'accepted' });
  expect(await visit(aside)).toMatchObject({ state: 'set-aside', beforeRecall: null });
  services.setNow('2026-06-02T01:00:00Z');
  await decide(late, 'accepted', 'weighed-again');
  await decide(kept, 'set-aside', 'not-shown');
  // Another one, which overlaps, comes after these decisions.
  services.setNow('2026-06-03T01:00:00Z');
  const second = await withdraw(services, admins, bridge, ['2026-05-01', '2026-05-12']);
  await applyAll(services);
  expect(await visit(late)).toMatchObject({ state: 'waits', beforeRecall: 'accepted' });
  await lift(services, admins, second);
  await applyAll(services);
  // Accepted since the first, which is still in force.
  expect(await visit(late)).toMatchObject({ state: 'accepted', beforeRecall: null });
  expect(await referenceCheck(late)).toMatchObject({ answer: 'failed', sentence: WITHDRAWN });
  expect(await stateOf(accepted)).toBe('waits');
  await lift(services, admins, first);
  await applyAll(services);
  expect(await Promise.all([accepted, aside, late, kept].map(stateOf))).toEqual([
    'accepted',
    'set-aside',
    'accepted',
    'set-aside',
  ]);
  expect((await referenceCheck(late))?.answer).toBe('failed');
  expect((await referenceCheck(late))?.sentence).toBe('No verification of the weighbridge covers that day.');
});

test('where two withdrawals overlap, lifting one leaves what the other covers', async () => {
  const both = await weigh(await truck(), '2026-05-10T01:00:00Z');
  const only = await weigh(await truck(), '2026-05-05T01:00:00Z');
  services.setNow('2026-06-01T01:00:00Z');
  const first = await withdraw(services, admins, bridge, ['2026-05-03', '2026-05-12']);
  services.setNow('2026-06-01T02:00:00Z');
  await withdraw(services, admins, bridge, ['2026-05-09', '2026-05-19']);
  await applyAll(services);
  await lift(services, admins, first);
  expect(await applyAll(services)).toBe(2);
  expect(await stateOf(only)).toBe('counts');
  expect(await visit(both)).toMatchObject({ state: 'waits', beforeRecall: 'counts' });
  expect((await referenceCheck(both))?.sentence).toBe(
    'The reference it was weighed on was withdrawn for 9 to 19 May 2026.',
  );
});

test('removed trucks are reached too, and are restored by what holds then', async () => {
  const rego = await truck();
  const hit = await weigh(rego, '2026-05-10T01:00:00Z');
  const { id } = await vehicle(rego);
  await removeVehicle(services.db, admins[0], { rego });
  services.setNow('2026-06-01T01:00:00Z');
  await withdraw(services, admins, bridge, MAY);
  expect(await applyAll(services)).toBe(1);
  expect(await stateOf(hit)).toBe('waits');
  await restoreVehicle(services.db, admins[0], { id });
  expect(await vehicle(rego)).toMatchObject({ restsOn: 'nothing', nextCalibrationDueOn: null });
});

test('stopped after any block, it goes on where it was: nothing is missing, and nothing too many', async () => {
  const regos = await Promise.all(Array.from({ length: 3 }, truck));
  const days = ['2026-05-02', '2026-05-03', '2026-05-03', '2026-05-11', '2026-05-19', '2026-05-20'];
  const [inside, outside]: [string[], string[]] = [[], []];
  for (const day of days)
    for (const rego of regos)
      (day >= MAY[0] && day <= MAY[1] ? inside : outside).push(await weigh(rego, `${day}T01:00:00Z`));
  const whole = await Promise.all([...inside, ...outside].map(visit));
  services.setNow('2026-06-01T01:00:00Z');
  const id = await withdraw(services, admins, bridge, MAY);
  for (let left = inside.length; left > 0; left -= 5)
    expect(await applyAll(services, { blocks: 1, visitsABlock: 5 })).toBe(Math.min(5, left));
  expect(await applyAll(services, { visitsABlock: 5 })).toBe(0);
  expect(await Promise.all(inside.map(stateOf))).toEqual(inside.map(() => 'waits'));
  expect(await Promise.all(outside.map(stateOf))).toEqual(outside.map(() => 'counts'));
  // Lifted half-way, too.
  await lift(services, admins, id);
  expect(await applyAll(services, { blocks: 1, visitsABlock: 7 })).toBe(7);
  await applyAll(services, { visitsABlock: 7 });
  expect(await Promise.all([...inside, ...outside].map(visit))).toEqual(whole);
});

test('a withdrawal that is lifted before it is applied leaves everything as it was', async () => {
  const hit = await weigh(await truck(), '2026-05-10T01:00:00Z');
  const stored = await visit(hit);
  const id = await withdraw(services, admins, bridge, MAY);
  await lift(services, admins, id);
  expect(await applyAll(services)).toBe(0);
  expect(await visit(hit)).toEqual(stored);
});

test('a withdrawal or its lift that was marked as applied by hand misses visits, which the verifier names', async () => {
  const hit = await weigh(await truck(), '2026-05-10T01:00:00Z');
  const id = await withdraw(services, admins, bridge, MAY);
  type Marks = Partial<Pick<Withdrawal, 'appliedOn' | 'appliedThrough' | 'appliedAt' | 'liftAppliedAt'>>;
  const mark = async (marks: Marks) =>
    services.db.updateTable('referenceWithdrawal').set(marks).where('id', '=', id).execute();
  const none = { appliedOn: null, appliedThrough: null, appliedAt: null };
  for (const marks of [{ appliedAt: services.now() }, { appliedOn: '2026-05-19', appliedThrough: hit }]) {
    await mark({ ...none, ...marks });
    expect([await applyAll(services), await stateOf(hit)]).toEqual([0, 'counts']);
    expect(await differencesFromLog(services.db)).toEqual([
      `visit ${hit}: the reference it was weighed on is withdrawn for that day, and its checks do not say so.`,
    ]);
  }
  await mark(none);
  expect([await applyAll(services), await stateOf(hit)]).toEqual([1, 'waits']);
  await lift(services, admins, id);
  await mark({ liftAppliedAt: services.now() });
  expect([await applyAll(services), await stateOf(hit)]).toEqual([0, 'waits']);
  expect(await differencesFromLog(services.db)).toEqual([
    `visit ${hit}: its checks say that the reference was withdrawn, and no withdrawal covers that day.`,
  ]);
  await mark({ liftAppliedAt: null });
  expect([await applyAll(services), await stateOf(hit)]).toEqual([1, 'counts']);
});

test('each block is one activity, which reloads the pages of its trucks and their technicians', async () => {
  const regos = [await truck(), await truck(), await truck()];
  for (const rego of regos) await weigh(rego, '2026-05-10T01:00:00Z');
  await withdraw(services, admins, bridge, MAY);
  const { size } = await services.db.selectFrom('activityState').select('size').executeTakeFirstOrThrow();
  await applyAll(services, { visitsABlock: 2 });
  const entries = await services.db
    .selectFrom('activityLog')
    .selectAll()
    .where('index', '>=', size)
    .orderBy('index')
    .execute();
  expect(entries.map(({ kind }) => kind)).toEqual(['reference.withdrawn', 'reference.withdrawn']);
  const topics = entries.flatMap((entry) => entry.topics);
  expect(topics).toEqual(
    expect.arrayContaining([...regos.map((rego) => `vehicle:${rego}`), `person:${tech.personId}`]),
  );
});

test('nothing that was done here differs from the log', async () => {
  services.setNow('2026-11-21T00:00:00Z');
  await closeExpired(services.db, { now: services.now(), zone: 'Australia/Sydney' });
  expect(await differencesFromLog(services.db)).toEqual([]);
});
