// A truck is to be weighed again by somebody else: who may ask, what closes it with which result, what opens it again,
// and that no verdict moves. After each test all records are as the log has them.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { checkVisitsPage } from './list-page.server.ts';
import { lapseCheckVisits } from './lapse-check-visits.server.ts';
import { erasePerson } from '#app/people/erase-person.server.ts';
import { removeTechnician } from '#app/technicians/remove-technician.server.ts';
import { suspendTechnician } from '#app/technicians/suspend-technician.server.ts';
import { verifyDatabase } from '#app/transparency-log/verify-database.server.ts';
import { removeVehicle, restoreVehicle } from '#app/vehicles/remove-vehicle.server.ts';
import { checkVisitKinds, checkVisitsOf, weigh } from '#test/check-visits.ts';
import { NUDGE, openCheckedTruck, REGO, type CheckedTruck } from '#test/checked-truck.ts';
import type { TestServices } from '#test/services.ts';
import { correctVisit, liveVehicle, publicVerdict, recordSingles, visitsOf } from '#test/visits.ts';
import { askCheckVisit, withdrawCheckVisit } from './office/ask-check-visit.server.ts';

let services: TestServices;
let admin: SignedIn;
let noor: SignedIn;
let tech: SignedIn;
let other: SignedIn;
let checked: string;

let truck: CheckedTruck;
beforeEach(async () => {
  truck = await openCheckedTruck();
  ({ services, admin, noor, tech, other, checked } = truck);
});
afterEach(async () => {
  expect(await truck.close()).toEqual([]);
});

const ask = (who = admin, visitId = checked) =>
  askCheckVisit(services, who, { visitId, note: 'Too fast.', key: undefined });
const withdraw = (who = admin, visitId = checked) => withdrawCheckVisit(services, who, { visitId, key: undefined });
const wanted = async (who: SignedIn) => (await checkVisitsPage(services, who, 1)).list.items.map(({ rego }) => rego);
const states = () => truck.states();
const later = (day: string) => truck.later(day);
// What verifying the whole database finds of check visits.
async function found(): Promise<string[]> {
  const findings: string[] = [];
  await verifyDatabase(services.db, (finding) => findings.push(finding));
  return findings.filter((finding) => finding.startsWith('check_visit'));
}

test('an admin asks, the next visit of somebody else closes it, and no verdict moves by either', async () => {
  const verdict = await publicVerdict(services, REGO);
  expect(await ask()).toEqual({ asked: true });
  expect(await ask(noor)).toEqual({ asked: false, reason: 'wanted-already' });
  expect(await checkVisitsOf(services, REGO)).toEqual([
    {
      visitId: checked,
      why: 'asked',
      state: 'open',
      closedBy: null,
      result: null,
      untilOn: '2026-08-09',
      note: 'Too fast.',
    },
  ]);
  expect(await publicVerdict(services, REGO)).toEqual(verdict);
  expect(await wanted(tech)).toEqual([]);
  expect(await wanted(other)).toEqual([REGO]);
  later('2026-06-12');
  await weigh(services, tech, REGO);
  expect(await states()).toEqual(['open']);
  later('2026-06-20');
  const closing = await weigh(services, other, REGO);
  expect(await checkVisitsOf(services, REGO)).toMatchObject([{ state: 'done', closedBy: closing, result: 'agrees' }]);
  expect(await wanted(other)).toEqual([]);
  expect(await checkVisitKinds(services)).toEqual(['check-visit.asked', 'check-visit.done']);
  expect((await visitsOf(services, REGO)).map(({ state }) => state)).toEqual(['counts', 'counts', 'counts']);
});

test('a visit that differs closes it too, though it waits; an incomplete one does not', async () => {
  await ask();
  await weigh(services, other, REGO, { axles: ['STEER'] });
  expect(await states()).toEqual(['open']);
  later('2026-06-11');
  const differing = await weigh(services, other, REGO, { readings: { DRIVE: { loaded_weight: '19000' } } });
  expect((await visitsOf(services, REGO)).find(({ id }) => id === differing)?.state).toBe('waits');
  expect(await states()).toEqual(['disagrees']);
  // The verdict rests on the visit that was checked, as before.
  expect(await publicVerdict(services, REGO)).toMatchObject({ dueOn: '2026-12-03' });
});

test('a visit from before somebody asked closes nothing, whatever is corrected in it since', async () => {
  const before = await weigh(services, other, REGO);
  later('2026-06-11');
  await ask();
  await correctVisit(services, other, REGO, before, { due_date: '2026-11-01' });
  expect(await states()).toEqual(['open']);
});

test('where a sensor was replaced or an axle group is new it cannot be told', async () => {
  await ask();
  await weigh(services, other, REGO, { begins: { DRIVE: 'sensor_replaced' } });
  expect(await states()).toEqual(['cannot be told']);
});

test('single readings of somebody else close it when they complete their visit', async () => {
  await ask();
  await recordSingles(services, other, REGO, 'STEER');
  expect(await states()).toEqual(['open']);
  await recordSingles(services, other, REGO, 'DRIVE');
  expect(await states()).toEqual(['agrees']);
});

test('a copy of the readings closes nothing, unless an admin accepts it', async () => {
  await ask();
  const copy = await weigh(services, other, REGO, { nudge: NUDGE });
  expect(await states()).toEqual(['open']);
  await truck.decide(copy, 'accepted');
  expect(await states()).toEqual(['agrees']);
});

test('a suspended technician closes nothing, unless an admin accepts it', async () => {
  await ask();
  const suspension = { from: '2026-06-01', reason: 'Asked about.' };
  await suspendTechnician(services, admin, { email: other.email, ...suspension, key: undefined });
  const suspended = await weigh(services, other, REGO);
  expect(await states()).toEqual(['open']);
  await truck.decide(suspended, 'accepted');
  expect(await states()).toEqual(['agrees']);
});

test('a correction that makes it differ changes the result, and setting the visit aside opens it again', async () => {
  await ask();
  const closing = await weigh(services, other, REGO);
  const loaded = { axle: 'DRIVE', attribute: 'Loaded Weight' } as const;
  await correctVisit(services, other, REGO, closing, { value: '11000' }, loaded);
  expect(await states()).toEqual(['disagrees']);
  await truck.decide(closing, 'set-aside');
  expect(await states()).toEqual(['open']);
  await truck.decide(closing, 'accepted');
  expect(await states()).toEqual(['disagrees']);
  expect(await checkVisitKinds(services)).toEqual([
    'check-visit.asked',
    'check-visit.done',
    'check-visit.done',
    'check-visit.reopened',
    'check-visit.done',
  ]);
});

test('the visit that was checked is corrected: the result is another', async () => {
  await ask();
  await weigh(services, other, REGO);
  const loaded = { axle: 'DRIVE', attribute: 'Loaded Weight' } as const;
  await correctVisit(services, tech, REGO, checked, { value: '11000' }, loaded);
  expect(await states()).toEqual(['disagrees']);
});

test('anybody who corrected one of the two visits has not weighed as somebody else', async () => {
  await ask();
  const place = { axle: 'DRIVE', attribute: 'Loaded Weight' } as const;
  await correctVisit(services, admin, REGO, checked, { value: '15650' }, place);
  await weigh(services, admin, REGO);
  expect(await states()).toEqual(['open']);
  expect([await wanted(admin), await wanted(noor)]).toEqual([[], [REGO]]);
  const closing = await weigh(services, other, REGO);
  expect(await states()).toEqual(['agrees']);
  await correctVisit(services, admin, REGO, closing, { due_date: '2026-11-01' });
  expect(await states()).toEqual(['agrees']);
});

test('an admin never asks about their own visit, nor withdraws, nor about a truck that is gone', async () => {
  const own = await weigh(services, admin, REGO);
  expect(await ask(admin, own)).toEqual({ asked: false, reason: 'own-visit' });
  expect(await ask(noor, own)).toEqual({ asked: true });
  expect(await withdraw(admin, own)).toEqual({ withdrawn: false, reason: 'own-visit' });
  expect(await withdraw(admin, checked)).toEqual({ withdrawn: false, reason: 'gone' });
  expect(await withdraw(noor, own)).toEqual({ withdrawn: true });
  expect(await withdraw(noor, own)).toEqual({ withdrawn: false, reason: 'gone' });
  expect(await ask(noor, 'no-visit')).toEqual({ asked: false, reason: 'unknown' });
  await removeVehicle(services.db, admin, { rego: REGO });
  expect(await ask(noor, own)).toEqual({ asked: false, reason: 'removed' });
  expect(await checkVisitKinds(services)).toEqual(['check-visit.asked', 'check-visit.withdrawn']);
});

test('of two admins who ask at once, one does', async () => {
  const answers = await Promise.all([ask(admin), ask(noor)]);
  expect(answers.map((answer) => answer.asked).toSorted()).toEqual([false, true]);
});

test('a removed truck is not wanted; restored, it is wanted again, to the same day', async () => {
  await ask();
  const { id } = await liveVehicle(services, REGO);
  await removeVehicle(services.db, admin, { rego: REGO });
  expect([await states(), await wanted(other)]).toEqual([['withdrawn'], []]);
  await restoreVehicle(services.db, admin, { id });
  expect(await checkVisitsOf(services, REGO)).toMatchObject([{ state: 'open', untilOn: '2026-08-09' }]);
  await withdraw();
  await removeVehicle(services.db, admin, { rego: REGO });
  await restoreVehicle(services.db, admin, { id });
  expect(await states()).toEqual(['withdrawn']);
});

test('nobody came in 60 days: it lapses, once', async () => {
  await ask();
  const lapse = () => lapseCheckVisits(services.db, { now: services.now(), zone: 'Australia/Sydney' });
  later('2026-08-09');
  expect(await lapse()).toBe(0);
  later('2026-08-10');
  expect(await wanted(other)).toEqual([]);
  expect([await lapse(), await lapse()]).toEqual([1, 0]);
  expect(await states()).toEqual(['lapsed']);
  await weigh(services, other, REGO);
  expect(await states()).toEqual(['lapsed']);
});

test('what was written behind the log is found', async () => {
  await ask();
  expect(await found()).toEqual([]);
  const { id } = await services.db.selectFrom('checkVisit').select('id').executeTakeFirstOrThrow();
  const set = { state: 'withdrawn', endedAt: services.now() } as const;
  await services.db.updateTable('checkVisit').set(set).execute();
  expect(await found()).toEqual([
    expect.stringMatching(`^check_visit ${id}: its state, ended_at is not what was logged`),
  ]);
  await services.db.updateTable('checkVisit').set({ state: 'open', endedAt: null }).execute();
  const edit = services.db.updateTable('checkVisit').set({ untilOn: '2030-01-01' }).execute();
  await expect(edit).rejects.toThrow('never edited');
});

test('erasing the technician takes the note about their visit away, and the log still holds', async () => {
  await ask();
  await removeTechnician(services, admin, { email: tech.email });
  expect(await erasePerson(services, admin, { personId: tech.personId, reason: 'Asked for it.' })).toMatchObject({
    erased: true,
  });
  expect(await checkVisitsOf(services, REGO)).toMatchObject([{ note: '', state: 'open' }]);
  expect(await found()).toEqual([]);
});
