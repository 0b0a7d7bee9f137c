import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { decideVisit } from '#app/visits/decide-visit.server.ts';
import { exportedReadings, exportedTruck } from '#test/exports.ts';
import { importInto } from '#test/import-run.ts';
import { addSignedIn } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { recordHonestSet, type SetChange } from '#test/visits.ts';
import { addTruck } from '#test/withdrawals.ts';
import { queuePage } from './queue-page.server.ts';
import { alikeGroup, TAKEN_OVER } from './alike-group.server.ts';

let services: TestServices;
let admin: SignedIn;
let second: SignedIn;
let tech: SignedIn;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  services.setNow('2026-11-11T01:00:00Z');
  admin = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  second = await addSignedIn(services, 'admin', 'ruth@registry.example', 'Ruth');
  tech = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
});
afterAll(() => services.stop());

/** A truck whose imported line is unlike that of the visit. */
async function waiting(rego: string, who: SignedIn, change: SetChange = {}): Promise<string> {
  const before = exportedReadings('DRIVE', new Date('2026-05-01T01:00:00Z'), { readings: { loaded_weight: '9000' } });
  await importInto(services, exportedTruck(rego, '2026-06-30', before));
  services.setNow(new Date(services.now().getTime() + 60_000).toISOString());
  const recorded = await recordHonestSet(services, who, rego, change);
  expect(recorded).toMatchObject({ state: 'waits' });
  return recorded.recorded ? recorded.setId : '';
}
const moment = () => ({ now: services.now(), key: undefined });

test('visits that only a taken-over line disagrees with are one group, without those that are not yours or fail another check', async () => {
  const [first, next] = [await waiting('TAKEN1', tech), await waiting('TAKEN2', tech)];
  await waiting('TAKEN3', admin);
  await waiting('TAKEN4', tech, { visitedAt: new Date('2026-10-20T01:00:00Z') });
  const group = await alikeGroup(services, admin, [TAKEN_OVER]);
  expect(group.rows).toMatchObject([
    { id: first, rego: 'TAKEN1', technician: 'Jo Nguyen', now: 'overdue', ifAccepted: 'valid' },
    { id: next, rego: 'TAKEN2' },
  ]);
  expect(group.leftOut).toBe(2);
  expect((await alikeGroup(services, second, [TAKEN_OVER])).rows.map(({ rego }) => rego)).toEqual([
    'TAKEN1',
    'TAKEN2',
    'TAKEN3',
  ]);
  const { alike } = await queuePage(services, admin, { state: 'waits', text: '', page: 1 });
  expect(alike).toEqual([{ checks: [TAKEN_OVER], words: 'Agrees with a taken-over line', n: 3 }]);
  // What changes it gives it another token: it has to be opened again.
  await services.db.updateTable('visit').set({ dueOn: '2027-01-01' }).where('id', '=', next).execute();
  const again = (await alikeGroup(services, admin, [TAKEN_OVER])).rows.map(({ token }) => token);
  expect(again[0]).toBe(group.rows[0]?.token);
  expect(again[1]).not.toBe(group.rows[1]?.token);
});

test('the same failed check makes a group; a visit that fails another check too is left out of it', async () => {
  const late = async (rego: string) => {
    await addTruck(services, admin, rego);
    const visitedAt = new Date(services.now().getTime() - 40 * 86_400_000);
    const recorded = await recordHonestSet(services, tech, rego, { visitedAt });
    expect(recorded).toMatchObject({ state: 'waits' });
  };
  for (const rego of ['LATE1', 'LATE2']) await late(rego);
  const { alike } = await queuePage(services, second, { state: 'waits', text: '', page: 1 });
  expect(alike).toContainEqual({ checks: ['prompt'], words: 'Prompt', n: 2 });
  const group = await alikeGroup(services, second, ['prompt']);
  expect(group.rows.map(({ rego }) => rego).toSorted()).toEqual(['LATE1', 'LATE2']);
  // With a taken-over line that disagrees too.
  expect(group.leftOut).toBe(1);
  expect(group.reasons.map(({ value }) => value)).not.toContain('taken-over-line');
});

test('the reason is there only where a taken-over line disagrees', async () => {
  const input = { decision: 'accepted', reason: 'taken-over-line', note: '', openedState: 'waits' } as const;
  const id = await waiting('TAKEN5', tech);
  expect(await decideVisit(services.db, second, { visitId: id, input, ...moment() })).toMatchObject({ decided: true });
  // From now on a line of here disagrees too.
  services.setNow('2026-11-12T01:00:00Z');
  const other = await recordHonestSet(services, tech, 'TAKEN5', { readings: { DRIVE: { loaded_weight: '9000' } } });
  expect(other).toMatchObject({ state: 'waits' });
  const otherId = other.recorded ? other.setId : '';
  expect(await decideVisit(services.db, second, { visitId: otherId, input, ...moment() })).toMatchObject({
    reason: 'reason-missing',
  });
  expect((await alikeGroup(services, second, [TAKEN_OVER])).rows.map(({ id: one }) => one)).not.toContain(otherId);
});
