import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { presentCoverage } from '#app/references/present-reference.ts';
import { listReferences } from '#app/references/queries.server.ts';
import { findWithdrawal } from '#app/references/withdrawal-queries.server.ts';
import { spanWords } from '#app/references/withdrawal.ts';
import { differencesFromLog } from '#test/leaves.ts';
import { addedDaysAgo, addSignedIn } from '#test/people.ts';
import { addTruck, addWeighbridge, applyAll, lift, weighOn, withdraw, type Weighbridge } from '#test/withdrawals.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { decideWithdrawal, liftDue, proposeWithdrawal, type WithdrawalDecision } from './decide-withdrawal.server.ts';
import { nearVisits, previewWithdrawal } from './preview-withdrawal.server.ts';
import { withdrawalPage } from './withdrawal-page.server.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';

let services: TestServices;
let mia: SignedIn;
let noor: SignedIn | undefined;
let tech: SignedIn;
let bridge: Weighbridge;
let count = 0;
const PROPOSAL = { fromOn: '2026-05-03', toOn: '2026-05-19', reason: 'out of tolerance', note: '' } as const;
const ZONE = 'Australia/Sydney';

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  services.setNow('2026-05-10T01:00:00Z');
  mia = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  tech = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
});
afterAll(() => services.stop());
beforeEach(async () => {
  bridge = await addWeighbridge(services, mia, `Example Creek ${(count += 1)}`);
});

const propose = (who: SignedIn) =>
  proposeWithdrawal(services, who, { referenceId: bridge.id, ...PROPOSAL, key: undefined });
const decide = (who: SignedIn, id: string, decision: WithdrawalDecision) =>
  decideWithdrawal(services, who, { id, decision, key: undefined });
const entries = async () =>
  (await services.db.selectFrom('activityState').select('size').executeTakeFirstOrThrow()).size;

test('with a single admin it takes effect at once, its lift after seven days; the page says that nobody else looked', async () => {
  const proposed = await propose(mia);
  expect(proposed).toMatchObject({ proposed: true, isInForce: true });
  const id = proposed.proposed ? proposed.id : '';
  expect(await decide(mia, id, 'propose-lift')).toEqual({ decided: true, isAlone: false });
  expect(await decide(mia, id, 'confirm-lift')).toEqual({ decided: false, reason: 'notice' });
  services.setNow('2026-05-17T00:59:59Z');
  await liftDue(services);
  expect((await findWithdrawal(services.db, id))?.liftedAt).toBeNull();
  services.setNow('2026-05-17T01:00:00Z');
  await liftDue(services);
  const found = await findWithdrawal(services.db, id);
  expect(found).toMatchObject({ isAlone: true, isLiftAlone: true });
  if (found === undefined) throw new Error('gone');
  const page = await withdrawalPage(services, mia, found);
  expect(page.state).toBe('lifted');
  expect(page.steps).toEqual([
    expect.stringMatching(/^Proposed by Mia/),
    expect.stringMatching(/^Confirmed by Mia.* Nobody else could look\.$/),
    expect.stringMatching(/^Lift proposed by Mia/),
    expect.stringMatching(/^Lifted by Mia.* Nobody else could look\.$/),
  ]);
  services.setNow('2026-05-10T01:00:00Z');
});

test('with two, the second confirms, never the proposer; each step once, and any admin drops a proposal', async () => {
  noor ??= await addSignedIn(services, 'admin', 'noor@registry.example', 'Noor');
  const first = await propose(mia);
  expect(first).toMatchObject({ proposed: true, isInForce: false });
  const id = first.proposed ? first.id : '';
  expect(await propose(noor)).toEqual({ proposed: false, reason: 'proposed-already', id });
  const before = await entries();
  expect(await decide(mia, id, 'confirm')).toEqual({ decided: false, reason: 'own' });
  expect(await decide(noor, id, 'confirm-lift')).toEqual({ decided: false, reason: 'stale', state: 'proposed' });
  expect(await decide(noor, 'no-withdrawal', 'confirm')).toEqual({ decided: false, reason: 'unknown' });
  expect(await entries()).toBe(before);
  expect(await decide(mia, id, 'drop')).toMatchObject({ decided: true });
  expect(await decide(noor, id, 'confirm')).toEqual({ decided: false, reason: 'stale', state: 'dropped' });

  const again = await propose(mia);
  const second = again.proposed ? again.id : '';
  expect(await decide(noor, second, 'confirm')).toEqual({ decided: true, isAlone: false });
  expect(await decide(noor, second, 'propose-lift')).toMatchObject({ decided: true });
  expect(await decide(noor, second, 'confirm-lift')).toEqual({ decided: false, reason: 'own' });
  expect(await decide(mia, second, 'drop-lift')).toMatchObject({ decided: true });
  expect(await decide(mia, second, 'propose-lift')).toMatchObject({ decided: true });
  expect(await decide(noor, second, 'confirm-lift')).toMatchObject({ decided: true });
  expect(await decide(noor, second, 'propose-lift')).toEqual({ decided: false, reason: 'stale', state: 'lifted' });
});

test('a second account made a minute ago: confirms a withdrawal where nobody is of 90 days, in words; its lift waits', async () => {
  const own = await createTestServices({ RATE_LIMITS: 'off' });
  try {
    own.setNow('2026-05-10T01:00:00Z');
    const only = await addSignedIn(own, 'admin', 'only@registry.example', 'Ola');
    const at = await addWeighbridge(own, only, 'Lone Gully');
    const alias = await addSignedIn(own, 'admin', 'alias@registry.example', 'Alias');
    await addedDaysAgo(own.db, alias, 3, own.now());
    const proposed = await proposeWithdrawal(own, only, { referenceId: at.id, ...PROPOSAL, key: undefined });
    const id = proposed.proposed ? proposed.id : '';
    expect(await decideWithdrawal(own, alias, { id, decision: 'confirm', key: undefined })).toMatchObject({
      decided: true,
    });
    await decideWithdrawal(own, only, { id, decision: 'propose-lift', key: undefined });
    expect(await decideWithdrawal(own, alias, { id, decision: 'confirm-lift', key: undefined })).toMatchObject({
      reason: 'notice',
    });
    own.setNow('2026-05-17T01:00:00Z');
    await liftDue(own);
    const found = await findWithdrawal(own.db, id);
    expect(found?.liftedAt, 'it waits for the other').toBeNull();
    if (found === undefined) throw new Error('gone');
    expect((await withdrawalPage(own, only, found)).steps).toContainEqual(
      expect.stringMatching(/^Confirmed by Alias, added 3 days ago, /),
    );
    expect(await decideWithdrawal(own, alias, { id, decision: 'confirm-lift', key: undefined })).toMatchObject({
      decided: true,
    });
    const told = await own.db.selectFrom('mail').select(['facts']).where('kind', '=', 'two-people').execute();
    expect(new Set(told.map(({ facts }) => facts['what']))).toEqual(
      new Set(['withdrawal-proposed', 'withdrawal-confirmed', 'lift-proposed', 'lift-confirmed']),
    );
  } finally {
    await own.stop();
  }
});

test('on its days the list says that the weighbridge is withdrawn, whatever its verification, until it is lifted', async () => {
  noor ??= await addSignedIn(services, 'admin', 'noor@registry.example', 'Noor');
  const listed = async (today: string) => {
    const { items } = await listReferences(services.db, { text: bridge.line.split(',')[0] ?? '', page: 1 }, today);
    return items.map((item) => presentCoverage({ ...item, coveredTo: '2027-03-09' }, today).words);
  };
  expect((await propose(mia)).proposed).toBe(true);
  expect(await listed('2026-05-10')).toEqual(['Current']);
  bridge = await addWeighbridge(services, mia, `Example Creek ${(count += 1)}`);
  const id = await withdraw(services, [mia, noor], bridge, ['2026-05-03', '2026-05-19']);
  expect(await listed('2026-05-02')).toEqual(['Current']);
  expect(await listed('2026-05-03')).toEqual(['Withdrawn']);
  expect(await listed('2026-05-19')).toEqual(['Withdrawn']);
  expect(await listed('2026-05-20')).toEqual(['Current']);
  await lift(services, [mia, noor], id);
  expect(await listed('2026-05-10')).toEqual(['Current']);
});

test('the database refuses another withdrawal than the one that was decided', async () => {
  noor ??= await addSignedIn(services, 'admin', 'noor@registry.example', 'Noor');
  const id = await withdraw(services, [mia, noor], bridge, ['2026-05-03', '2026-05-19']);
  const change = services.db.updateTable('referenceWithdrawal').where('id', '=', id);
  await expect(change.set({ toOn: '2026-05-20' }).execute()).rejects.toThrow('never edited');
  await expect(change.set({ confirmedAt: null, confirmedBy: null }).execute()).rejects.toThrow('never edited');
  await expect(services.db.deleteFrom('referenceWithdrawal').execute()).rejects.toThrow('never changed or removed');
});

test('the preview says what changes, and lists what was dated outside but recorded inside', async () => {
  noor ??= await addSignedIn(services, 'admin', 'noor@registry.example', 'Noor');
  const other = await addWeighbridge(services, mia, `Hollow Ridge ${count}`);
  for (const rego of ['PRE1', 'PRE2', 'PRE3']) await addTruck(services, mia, rego);
  const weigh = async (rego: string, at: string, on: Weighbridge, visitedAt = at) => {
    services.setNow(at);
    return weighOn(services, tech, rego, on, { visitedAt: new Date(visitedAt) });
  };
  await weigh('PRE1', '2026-04-01T01:00:00Z', other);
  await weigh('PRE1', '2026-05-10T01:00:00Z', bridge);
  await weigh('PRE2', '2026-05-11T01:00:00Z', bridge);
  await weigh('PRE2', '2026-05-12T01:00:00Z', bridge);
  await weigh('PRE3', '2026-05-13T01:00:00Z', bridge);
  await weigh('PRE3', '2026-05-25T01:00:00Z', other);
  // Recorded on the first day of the withdrawal, dated a week and then eight days before it.
  const near = await weigh('PRE3', '2026-05-02T14:30:00Z', bridge, '2026-04-26T01:00:00Z');
  await weigh('PRE3', '2026-05-02T14:40:00Z', bridge, '2026-04-25T01:00:00Z');
  services.setNow('2026-06-01T01:00:00Z');
  const policy = await currentPolicy(services.db);
  const preview = await previewWithdrawal(services.db, bridge.id, {
    span: PROPOSAL,
    today: '2026-06-01',
    policy,
    zone: ZONE,
  });
  expect(preview).toMatchObject({ visits: 4, trucks: 3, fallBack: 2, lose: 1, near: 1 });
  expect(preview.examples[0]).toMatchObject({ rego: 'PRE2', now: 'valid', after: 'not-validated', dueAfter: 'None' });
  expect((await nearVisits(services.db, bridge.id, { ...PROPOSAL, zone: ZONE })).map(({ id }) => id)).toEqual([near]);
  await withdraw(services, [mia, noor], bridge, ['2026-05-03', '2026-05-19']);
  expect(await applyAll(services)).toBe(preview.visits);
});

test('days in words', () => {
  expect(spanWords({ fromOn: '2026-05-03', toOn: '2026-05-19' })).toBe('3 to 19 May 2026');
  expect(spanWords({ fromOn: '2026-04-30', toOn: '2026-05-02' })).toBe('30 April to 2 May 2026');
  expect(spanWords({ fromOn: '2025-12-30', toOn: '2026-01-02' })).toBe('30 December 2025 to 2 January 2026');
  expect(spanWords({ fromOn: '2026-05-03', toOn: '2026-05-03' })).toBe('3 May 2026');
});

test('nothing that was done here differs from the log', async () => {
  expect(await differencesFromLog(services.db)).toEqual([]);
});

test('who records a visit there and decides at once, both for the first time, is not stopped by a deadlock', async () => {
  // Nothing was recorded under this name yet.
  const ruth = { ...(await addSignedIn(services, 'admin', 'ruth@registry.example', 'Ruth')), name: 'Ruth Okafor' };
  const proposed = await propose(mia);
  const id = proposed.proposed ? proposed.id : '';
  // As a recording does: the person's name is new to the log, then the visit names the weighbridge.
  let decided: ReturnType<typeof decide> | undefined;
  await services.db.transaction().execute(async (tx) => {
    await actorOf(tx, ruth);
    decided = decide(ruth, id, 'confirm');
    const waiting = async () =>
      (
        await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          services.db,
        )
      ).rows.length;
    await expect.poll(waiting).toBe(1);
    await sql`select from reference where id = ${bridge.id} for key share`.execute(tx);
  });
  expect(await decided).toEqual({ decided: true, isAlone: false });
});
