import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { decideVisit } from '#app/visits/decide-visit.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { addSignedIn } from '#test/people.ts';
import { addTruck, addWeighbridge, applyAll, weighOn, withdraw } from '#test/withdrawals.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { correctVisit, recordHonestSet } from '#test/visits.ts';
import { countWaiting, queuePage } from './queue-page.server.ts';
import { visitPage } from './visit-page.server.ts';

let services: TestServices;
let admin: SignedIn;
let second: SignedIn;
let tech: SignedIn;
const LIGHT = { DRIVE: { loaded_weight: '9000' } };

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  admin = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  second = await addSignedIn(services, 'admin', 'ruth@registry.example', 'Ruth');
  tech = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
});
afterAll(() => services.stop());

async function waitingVisit(rego: string, who: SignedIn, at = '2026-11-10T01:00:00Z'): Promise<string> {
  const fields = { rego, vin: `VIN${rego}`, axle_groups: 'STEER DRIVE', calibration_validated: 'yes' };
  await registerVehicle(services, admin, { input: vehicleInput(fields), choice: NO_FILES, key: undefined });
  services.setNow('2026-05-01T01:00:00Z');
  await recordHonestSet(services, tech, rego);
  services.setNow(at);
  const answer = await recordHonestSet(services, who, rego, { readings: LIGHT });
  services.setNow('2026-11-21T01:00:00Z');
  return answer.recorded ? answer.setId : '';
}
const queue = (who: SignedIn, text = '') => queuePage(services, who, { state: 'waits', text, page: 1 });

test('the queue has the visits that wait, the oldest first, with what holds each back and how long it has waited', async () => {
  await waitingVisit('QUEUE1', tech);
  const own = await waitingVisit('QUEUE2', admin, '2026-11-10T02:00:00Z');
  const { list, counts, medianDays } = await queue(admin);
  expect(list.items).toMatchObject([
    {
      rego: 'QUEUE1',
      day: '10 Nov 2026',
      technician: 'Jo Nguyen',
      verdict: 'overdue',
      waited: '11 days',
      notYours: null,
    },
    { rego: 'QUEUE2', technician: 'Mia', notYours: 'own-visit' },
  ]);
  expect(list.items[0]?.held.map(({ name }) => name)).toEqual(['Agrees']);
  expect([counts.waits, await countWaiting(services.db), medianDays]).toEqual([2, 2, null]);
  expect((await queue(admin, 'queue2')).list.items.map(({ id }) => id)).toEqual([own]);
  expect((await queue(admin, 'nguyen')).list.total).toBe(1);
  expect((await queue(admin, '%')).list.total).toBe(0);
});

test('the page of a visit says what would follow, and who may not decide', async () => {
  const id = await waitingVisit('QUEUE3', tech);
  const page = await visitPage(services, second, id);
  expect(page).toMatchObject({
    rego: 'QUEUE3',
    state: 'waits',
    now: { verdict: 'overdue', due: '30 Oct 2026' },
    ifAccepted: { verdict: 'valid', due: '11 May 2027' },
    may: { accept: true, setAside: true },
    notYours: null,
    isAlone: false,
  });
  expect(page?.checks[0]).toMatchObject({ check: 'agrees', answer: 'failed' });
  expect(page?.lines?.lines.map(({ axle, chart }) => [axle, chart.earlier.split('M').length - 1])).toEqual([
    ['STEER', 1],
    ['DRIVE', 1],
  ]);
  expect(page?.share).toMatchObject({ own: { waited: 2, total: 5 } });
  expect(page?.share?.everybody.total).toBeGreaterThan(5);
  // The axle that failed leads, with what it read before; each says by how much it differs.
  // By how much, the loads decide that the files before have used.
  expect(page?.differs).toMatchObject({
    Steer: expect.stringMatching(/^\d{1,2}\u00a0kg$/),
    Drive: expect.stringMatching(/^\d\d,\d{3}\u00a0kg$/),
  });
  expect(page?.lead).toMatchObject({ axle: 'DRIVE', before: { day: expect.any(String), readings: { length: 4 } } });
  const own = (await queue(admin)).list.items.find(({ rego }) => rego === 'QUEUE2');
  expect((await visitPage(services, admin, own?.id ?? ''))?.notYours).toBe('own-visit');
  expect(await visitPage(services, admin, 'no-visit')).toBeUndefined();
});

test('a visit without a due date is not accepted before it has one', async () => {
  const fields = { rego: 'QUEUE4', vin: 'VINQUEUE4', axle_groups: 'STEER DRIVE' };
  await registerVehicle(services, admin, { input: vehicleInput(fields), choice: NO_FILES, key: undefined });
  const answer = await recordHonestSet(services, tech, 'QUEUE4', { due_date: null });
  const page = await visitPage(services, second, answer.recorded ? answer.setId : '');
  expect(page).toMatchObject({ ifAccepted: null, may: { accept: false, setAside: true }, needsDueDate: true });
});

test('a visit that was corrected after its page was opened is looked at again before it is accepted', async () => {
  const id = await waitingVisit('QUEUE5', tech);
  const accept = async (openedAs: string) => {
    const input = { decision: 'accepted', reason: 'weighed-again', note: '', openedState: 'waits', openedAs } as const;
    return decideVisit(services.db, second, { visitId: id, input, now: services.now(), key: undefined });
  };
  const opened = (await visitPage(services, second, id))?.openedAs ?? '';
  await correctVisit(services, tech, 'QUEUE5', id, { due_date: '2027-11-01' });
  expect(await accept(opened)).toEqual({ decided: false, reason: 'stale', state: 'waits' });
  const again = (await visitPage(services, second, id))?.openedAs ?? '';
  expect(again).not.toBe(opened);
  expect(await accept(again)).toMatchObject({ decided: true });
});

test('a visit that a withdrawal made wait stands in the queue by when that was confirmed', async () => {
  services.setNow('2026-11-01T01:00:00Z');
  const weighbridge = await addWeighbridge(services, admin, 'Queue Creek');
  await addTruck(services, admin, 'RECALLQ');
  services.setNow('2026-11-03T01:00:00Z');
  const withdrawn = await weighOn(services, tech, 'RECALLQ', weighbridge);
  const earlier = await waitingVisit('EARLYQ', tech, '2026-11-05T01:00:00Z');
  services.setNow('2026-11-19T01:00:00Z');
  await withdraw(services, [admin, second], weighbridge, ['2026-11-02', '2026-11-04']);
  await applyAll(services);
  services.setNow('2026-11-21T01:00:00Z');
  const { list } = await queue(second, 'Q');
  const found = list.items.filter(({ id }) => id === withdrawn || id === earlier);
  expect(found.map(({ id, waited }) => [id, waited])).toEqual([
    [earlier, '16 days'],
    [withdrawn, '2 days'],
  ]);
});

test('a visit that a correction made wait stands in the queue by when that was', async () => {
  const fields = { rego: 'LATER1', vin: 'VINLATER1', axle_groups: 'STEER DRIVE' };
  await registerVehicle(services, admin, { input: vehicleInput(fields), choice: NO_FILES, key: undefined });
  services.setNow('2026-05-01T01:00:00Z');
  await recordHonestSet(services, tech, 'LATER1');
  services.setNow('2026-11-09T01:00:00Z');
  const counts = await recordHonestSet(services, tech, 'LATER1');
  expect(counts).toMatchObject({ state: 'counts' });
  const id = counts.recorded ? counts.setId : '';
  const other = await waitingVisit('LATER2', tech);
  services.setNow('2026-11-12T01:00:00Z');
  const place = { axle: 'DRIVE', attribute: 'Loaded Weight' } as const;
  await correctVisit(services, tech, 'LATER1', id, { value: '9000' }, place);
  services.setNow('2026-11-21T01:00:00Z');
  const { list } = await queue(second, 'LATER');
  expect(list.items.map((item) => [item.id, item.waited])).toEqual([
    [other, '11 days'],
    [id, '9 days'],
  ]);
  expect((await visitPage(services, second, id))?.next).not.toBe(other);
});
