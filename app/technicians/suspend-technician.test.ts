// A technician is suspended, reinstated, and their licence's end recorded: the records, both logs, and what is refused.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { isInGoodStanding } from '#app/people/good-standing.ts';
import { presentSuspensions } from '#app/people/present-profile.server.ts';
import { admissionsOf } from '#app/people/admissions.server.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { verifyDatabase } from '#app/transparency-log/verify-database.server.ts';
import { insistOnLeaves } from '#test/cluster.ts';
import { enterLeaves } from '#test/leaves.ts';
import { addPerson, addSignedIn, type Person } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { findTechnician, listSuspensions } from './queries.server.ts';
import { recordLicenceEnd } from './record-licence-end.server.ts';
import { removeTechnician } from './remove-technician.server.ts';
import { reinstateTechnician, suspendTechnician } from './suspend-technician.server.ts';

const FROM = { from: '2026-11-18', reason: 'Readings nobody can explain.' };

let services: TestServices;
let mia: SignedIn;
let ali: SignedIn;
let jo: Person;
let made = 0;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  mia = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia Kowalski');
  ali = await addSignedIn(services, 'admin', 'ali@registry.example', 'Ali Baker');
  // For suspensions: the technicians of these tests are put in by themselves.
  await insistOnLeaves(services.address, true);
});
afterAll(() => services.stop());
beforeEach(async () => {
  made += 1;
  await insistOnLeaves(services.address, false);
  jo = await addPerson(services.db, 'technician', `jo${made}@yard.example`, { name: 'Jo Nguyen', password: null });
  await insistOnLeaves(services.address, true);
});

const suspend = (who = mia, input = FROM, key?: string) =>
  suspendTechnician(services, who, { email: jo.email, ...input, key });
const openOf = async () => (await listSuspensions(services.db, jo.recordId)).find(({ to }) => to === null)?.id ?? '';
const reinstate = async (from: string, who = mia, suspension?: string) =>
  reinstateTechnician(services, who, {
    email: jo.email,
    from,
    suspension: suspension ?? (await openOf()),
    key: undefined,
  });
const goodOn = async (day: string) =>
  isInGoodStanding((await admissionsOf(services.db, jo.personId, 'Australia/Sydney')) ?? [], day);

async function logged() {
  const { db } = services;
  const activities = await db
    .selectFrom('activityLog')
    .innerJoin('activityDetail', 'activityDetail.index', 'activityLog.index')
    .select(['kind', 'details', 'topics', 'changes'])
    .where('subjectId', '=', jo.recordId)
    .orderBy('activityLog.index')
    .execute();
  const leaves = await db
    .selectFrom('logLeaf')
    .innerJoin('recordLeaf', 'recordLeaf.leafIndex', 'logLeaf.index')
    .select(['entry', 'index'])
    .where('recordTable', '=', 'technician')
    .where('recordKey', '=', jo.recordId)
    .orderBy('index')
    .execute();
  return { activities, leaves: leaves.map(({ entry }) => entry) };
}

async function findings(): Promise<string[]> {
  const found: string[] = [];
  await enterLeaves(services.db);
  await verifyDatabase(services.db, (finding) => found.push(finding));
  return found;
}

test('a suspension is in the record, in both logs and on the technician’s own page, and covered', async () => {
  expect(await suspend()).toEqual({ decided: true });
  expect(await findTechnician(services.db, jo.email)).toMatchObject({ suspendedFrom: '2026-11-18' });
  expect(await listSuspensions(services.db, jo.recordId)).toMatchObject([
    { from: '2026-11-18', to: null, reason: FROM.reason, by: 'Mia Kowalski', endedBy: null },
  ]);
  expect([await goodOn('2026-11-17'), await goodOn('2026-11-18')]).toEqual([true, false]);
  const { activities, leaves } = await logged();
  expect(activities).toMatchObject([
    { kind: 'technician.suspended', details: `${jo.email} suspended from 18 November 2026: ${FROM.reason}` },
  ]);
  expect(activities[0]?.topics.toSorted()).toEqual(
    ['technicians', 'public-log', 'logs', `person:${mia.personId}`, `person:${jo.personId}`].toSorted(),
  );
  expect(leaves).toHaveLength(1);
  expect(leaves[0]).toContain('"body":{"suspendedFrom":"2026-11-18"}');
  expect(leaves[0]).toContain('"type":"technician.suspended"');
  expect(leaves[0]).not.toMatch(/\bJo\b|Nguyen|explain|yard/);
  expect(await presentSuspensions(services, { personId: jo.personId, role: 'technician' })).toBe(
    'Suspended from 18 November 2026. Your visits wait for an administrator.',
  );
  expect(await findings()).toEqual([]);
});

test('lifted from a day on, it stays on record with its last day; from its first day on, it has none', async () => {
  await suspend();
  expect(await reinstate('2026-11-17')).toEqual({
    decided: false,
    reason: 'too-early',
    suspendedFrom: '2026-11-18',
  });
  expect(await reinstate('2026-11-20', ali)).toEqual({ decided: true });
  expect(await findTechnician(services.db, jo.email)).toMatchObject({ suspendedFrom: null });
  expect([await goodOn('2026-11-18'), await goodOn('2026-11-19'), await goodOn('2026-11-20')]).toEqual([
    false,
    false,
    true,
  ]);
  const { activities, leaves } = await logged();
  expect(activities[1]).toMatchObject({
    kind: 'technician.reinstated',
    details: `${jo.email}: suspension lifted from 20 November 2026`,
  });
  expect(leaves[1]).toContain('"body":{"reinstatedFrom":"2026-11-20"}');
  expect(await presentSuspensions(services, { personId: jo.personId, role: 'technician' })).toBeNull();

  expect(await suspend(ali, { from: '2026-12-03', reason: 'Again.' })).toEqual({ decided: true });
  expect(await presentSuspensions(services, { personId: jo.personId, role: 'technician' })).toBe(
    'Suspended from 3 December 2026. Your visits from that day on wait for an administrator.',
  );
  expect(await reinstate('2026-12-03')).toEqual({ decided: true });
  expect(await goodOn('2026-12-03')).toBe(true);
  expect(await listSuspensions(services.db, jo.recordId)).toMatchObject([
    { from: '2026-12-03', to: '2026-12-02', by: 'Ali Baker', endedBy: 'Mia Kowalski' },
    { from: '2026-11-18', to: '2026-11-19', by: 'Mia Kowalski', endedBy: 'Ali Baker' },
  ]);
  expect(await findings()).toEqual([]);
});

test('of two admins at once one suspends, and the other hears of it; sent twice it is one', async () => {
  const answers = await Promise.all([suspend(mia), suspend(ali, { from: '2026-11-10', reason: 'Other.' })]);
  expect(answers.filter(({ decided }) => decided)).toHaveLength(1);
  const [suspension] = await listSuspensions(services.db, jo.recordId);
  expect(answers.find(({ decided }) => !decided)).toEqual({
    decided: false,
    reason: 'suspended',
    suspension: { from: suspension?.from, by: suspension?.by },
  });
  const id = await openOf();
  const lifts = await Promise.all([reinstate('2026-11-21', mia, id), reinstate('2026-11-22', ali, id)]);
  expect(lifts.filter(({ decided }) => decided)).toHaveLength(1);
  expect(lifts.find(({ decided }) => !decided)).toMatchObject({ reason: 'lifted', by: expect.any(String) });

  const key = newIdempotencyKey();
  const twice = await Promise.all([suspend(mia, FROM, key), suspend(mia, FROM, key)]);
  expect(twice).toEqual([{ decided: true }, { decided: true }]);
  expect((await logged()).activities).toHaveLength(3);
});

test('a lift names its suspension: one that came since stays', async () => {
  await suspend();
  const first = await openOf();
  await reinstate('2026-11-20');
  await suspend(ali, { from: '2026-11-21', reason: 'Again.' });
  expect(await reinstate('2026-11-22', mia, first)).toMatchObject({ reason: 'lifted', by: 'Mia Kowalski' });
  expect(await reinstate('2026-11-22', mia, 'no id')).toMatchObject({ reason: 'lifted', by: null });
  expect(await goodOn('2026-11-22')).toBe(false);
});

test('nobody decides about themselves, about a removed technician, or about nobody', async () => {
  const { db } = services;
  await insistOnLeaves(services.address, false);
  await db.insertInto('technician').values({ personId: mia.personId, email: mia.email, repName: 'Mia' }).execute();
  await insistOnLeaves(services.address, true);
  const all = async (who: SignedIn, email: string) => [
    await suspendTechnician(services, who, { email, ...FROM, key: undefined }),
    await reinstateTechnician(services, who, { email, from: '2026-11-21', suspension: '', key: undefined }),
    await recordLicenceEnd(services, who, { email, endsOn: '2027-01-01', key: undefined }),
  ];
  const { size } = await db.selectFrom('activityState').select('size').executeTakeFirstOrThrow();
  for (const answer of await all(mia, mia.email)) expect(answer).toEqual({ decided: false, reason: 'self' });
  for (const answer of await all(mia, 'nobody@yard.example'))
    expect(answer).toEqual({ decided: false, reason: 'unknown' });
  expect(await db.selectFrom('activityState').select('size').executeTakeFirstOrThrow()).toEqual({ size });
  expect(await suspendTechnician(services, ali, { email: mia.email, ...FROM, key: undefined })).toEqual({
    decided: true,
  });

  await removeTechnician(services, ali, { email: jo.email });
  for (const answer of await all(mia, jo.email))
    expect(answer).toEqual({ decided: false, reason: 'removed', by: 'Ali Baker' });
});

test('a removal and a suspension at once: either way the log covers what is left', async () => {
  const [removed, suspended] = await Promise.all([removeTechnician(services, ali, { email: jo.email }), suspend()]);
  expect(removed.removed).toBe(true);
  if (!suspended.decided) expect(suspended).toMatchObject({ reason: 'removed', by: 'Ali Baker' });
  expect(await findings()).toEqual([]);
});

test('the end of a licence is in the record and in both logs, once; no day takes it back', async () => {
  const record = (endsOn: string | null) =>
    recordLicenceEnd(services, mia, { email: jo.email, endsOn, key: undefined });
  expect(await record('2026-11-20')).toEqual({ decided: true });
  expect(await record('2026-11-20')).toEqual({ decided: true });
  expect([await goodOn('2026-11-20'), await goodOn('2026-11-21')]).toEqual([true, false]);
  expect(await record(null)).toEqual({ decided: true });
  expect(await goodOn('2026-11-21')).toBe(true);
  const { activities, leaves } = await logged();
  expect(activities).toMatchObject([
    { kind: 'technician.updated', changes: [{ field: 'licence_ends_on', from: null, to: '2026-11-20' }] },
    { kind: 'technician.updated', changes: [{ field: 'licence_ends_on', from: '2026-11-20', to: null }] },
  ]);
  expect(leaves).toHaveLength(2);
  expect(leaves[0]).toContain('"body":{}');
  expect(await findings()).toEqual([]);
});
