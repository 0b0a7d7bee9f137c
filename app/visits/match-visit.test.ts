import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { addVerification } from '#app/references/add-verification.server.ts';
import { differencesFromLog } from '#test/leaves.ts';
import { addSignedIn } from '#test/people.ts';
import { addTruck, addWeighbridge, applyAll, weighOn, withdraw, type Weighbridge } from '#test/withdrawals.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { recordHonestSet } from '#test/visits.ts';
import { decideVisit } from './decide-visit.server.ts';
import { matchVisit } from './match-visit.server.ts';
import { checksOf } from './visit-queries.server.ts';

let services: TestServices;
let admins: readonly [SignedIn, SignedIn];
let tech: SignedIn;
let bridge: Weighbridge;
const TYPED = { weighbridge: 'the one at Example Creek' };

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  services.setNow('2026-05-10T01:00:00Z');
  admins = [
    await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia'),
    await addSignedIn(services, 'admin', 'noor@registry.example', 'Noor'),
  ];
  tech = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
  bridge = await addWeighbridge(services, admins[0], 'Example Creek');
  const period = { certificateNumber: 'VC-1', fromOn: '2026-03-10', toOn: '2027-03-09' };
  await addVerification(services, admins[0], { referenceId: bridge.id, period, file: '', key: undefined });
  for (const rego of ['MAT1', 'MAT2', 'MAT3', 'MAT4']) await addTruck(services, admins[0], rego);
});
afterAll(() => services.stop());

const visit = (id: string) =>
  services.db.selectFrom('visit').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const answerOf = async (id: string, asked: string) => {
  const { answer, sentence } = checksOf((await visit(id)).checks).find(({ check }) => check === asked) ?? {};
  return [answer, sentence];
};
const match = (id: string, referenceId: string, openedReference: string | null = null) =>
  matchVisit(services, admins[0], { visitId: id, referenceId, openedReference, key: undefined });

async function typedVisit(rego: string, more = {}): Promise<string> {
  const answer = await recordHonestSet(services, tech, rego, { ...TYPED, ...more });
  if (!answer.recorded) throw new Error(answer.reason);
  return answer.setId;
}

test('a visit at a weighbridge of the register is held against its verification', async () => {
  const id = await weighOn(services, tech, 'MAT1', bridge);
  expect((await visit(id)).referenceId).toBe(bridge.id);
  expect(await answerOf(id, 'reference')).toEqual([
    'passed',
    'A verification of the weighbridge, to 9 March 2027, covers that day.',
  ]);
});

test('free text is found in the register by an admin, and the visit is judged again', async () => {
  const id = await typedVisit('MAT2');
  expect(await answerOf(id, 'reference')).toEqual(['cannot be told', 'The weighbridge is not in the register.']);
  expect(await match(id, '00000000-0000-4000-8000-000000000000')).toEqual({ matched: false, reason: 'no-reference' });
  expect(await match(id, bridge.id)).toEqual({ matched: true });
  expect((await answerOf(id, 'reference'))[0]).toBe('passed');
  expect(await match(id, bridge.id)).toEqual({ matched: false, reason: 'stale' });
});

test('the ticket of two trucks at one weighbridge is found by the register, whatever was typed', async () => {
  const ticket = { ticket_number: '4711' };
  await typedVisit('MAT1', ticket);
  const own = await weighOn(services, tech, 'MAT2', bridge, ticket);
  expect((await answerOf(own, 'ticket'))[0]).toBe('passed');
  const other = await weighOn(services, tech, 'MAT3', bridge, ticket);
  expect(await answerOf(other, 'ticket')).toEqual(['failed', 'This number is also recorded elsewhere.']);
});

test('found at a withdrawn weighbridge, what counted waits, and so does what was accepted before', async () => {
  const [counted, accepted, since] = [await typedVisit('MAT4'), await typedVisit('MAT4'), await typedVisit('MAT4')];
  const decide = async (id: string) => {
    const input = { decision: 'set-aside', reason: 'recorded-twice', note: '', openedState: 'counts' } as const;
    await decideVisit(services.db, admins[1], { visitId: id, input, now: services.now(), key: undefined });
    const accept = { decision: 'accepted', reason: 'weighed-again', note: '', openedState: 'set-aside' } as const;
    return decideVisit(services.db, admins[1], { visitId: id, input: accept, now: services.now(), key: undefined });
  };
  expect(await decide(accepted)).toMatchObject({ decided: true });
  services.setNow('2026-05-20T01:00:00Z');
  await withdraw(services, admins, bridge, ['2026-05-03', '2026-05-19']);
  await applyAll(services);
  services.setNow('2026-05-21T01:00:00Z');
  await decide(since);
  for (const id of [counted, accepted, since]) expect(await match(id, bridge.id)).toEqual({ matched: true });
  expect(await visit(counted)).toMatchObject({ state: 'waits', beforeRecall: 'counts' });
  expect(await visit(accepted)).toMatchObject({ state: 'waits', beforeRecall: 'accepted' });
  expect(await visit(since)).toMatchObject({ state: 'accepted', beforeRecall: null });
  expect((await answerOf(since, 'reference'))[1]).toBe(
    'The reference it was weighed on was withdrawn for 3 to 19 May 2026.',
  );
});

test('the visit of a withdrawn weighbridge is not said to be of another, by anybody', async () => {
  const [withdrawn, other] = [
    await addWeighbridge(services, admins[0], 'Quarry Road'),
    await addWeighbridge(services, admins[0], 'Saddle Hill'),
  ];
  await addTruck(services, admins[0], 'MAT5');
  const id = await weighOn(services, tech, 'MAT5', withdrawn);
  const day = '2026-05-21';
  await withdraw(services, admins, withdrawn, [day, day]);
  await applyAll(services);
  expect(await visit(id)).toMatchObject({ state: 'waits', beforeRecall: 'counts' });
  expect(await match(id, other.id, withdrawn.id)).toEqual({ matched: false, reason: 'withdrawn' });
  expect(await visit(id)).toMatchObject({ state: 'waits', referenceId: withdrawn.id });
});

test('who recorded a visit says nothing of its weighbridge, while another admin could', async () => {
  const other = await addWeighbridge(services, admins[0], 'Miller Street');
  await addTruck(services, admins[0], 'MAT6');
  const id = await weighOn(services, admins[0], 'MAT6', bridge);
  expect(await match(id, other.id, bridge.id)).toEqual({ matched: false, reason: 'own-visit' });
  const by = matchVisit(services, admins[1], {
    visitId: id,
    referenceId: other.id,
    openedReference: bridge.id,
    key: undefined,
  });
  expect(await by).toEqual({ matched: true });
});

test('nothing that was done here differs from the log', async () => {
  expect(await differencesFromLog(services.db)).toEqual([]);
});
