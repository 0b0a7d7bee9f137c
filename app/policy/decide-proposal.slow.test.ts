// A policy that loosens only with a second admin, or after a notice: a change for a minute lets nothing through.
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { endDueRemovals, removeAdmin } from '#app/admins/remove-admin.server.ts';
import { verifyDatabase } from '#app/transparency-log/verify-database.server.ts';
import { apiApp } from '#server/api.ts';
import { composeMail } from '#server/compose-mail.ts';
import { listMails } from '#test/admins.ts';
import { insistOnLeaves } from '#test/cluster.ts';
import { addedDaysAgo, addSeen, addSignedIn } from '#test/people.ts';
import { policyInput } from '#test/policy.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { changePolicy } from './change-policy.server.ts';
import { confirmProposal, enterDueProposal, withdrawProposal } from './decide-proposal.server.ts';
import { enterFirstPolicy } from './enter-version.server.ts';
import { FIRST_POLICY, type Policy } from './policy.ts';
import { currentPolicy, findProposal, listPolicies } from './queries.server.ts';

const LOOSER = { check_agrees: 'off', reason: 'Only for a minute.' };
const LOOSENED: Policy = { ...FIRST_POLICY, version: 2, checks: { ...FIRST_POLICY.checks, agrees: 'off' } };

let services: TestServices;
let mia: SignedIn;
beforeEach(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  services.setNow('2026-11-24T00:00:00Z');
  mia = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  await insistOnLeaves(services.address, true);
  await enterFirstPolicy(services.db);
});
afterEach(() => services.stop());

const addRuth = () => addSignedIn(services, 'admin', 'ruth@registry.example', 'Ruth');
const change = async (more: Record<string, string>, who = mia) =>
  changePolicy(services, who, { input: policyInput(await currentPolicy(services.db), more), key: undefined });
/** Proposes to switch a check off, and returns the proposal's id. */
async function propose(): Promise<string> {
  expect(await change(LOOSER)).toEqual({ changed: false, proposed: true });
  return (await findProposal(services.db))?.id ?? '';
}
const confirm = (id: string, who: SignedIn) => confirmProposal(services, who, { id, key: undefined });
const withdraw = (id: string, who: SignedIn) => withdrawProposal(services, who, { id, key: undefined });
const inForce = () => currentPolicy(services.db);

async function logged() {
  const { rows } = await sql<{
    type: string;
  }>`select entry::jsonb ->> 'type' as type from log_leaf where entry not like '%"type":"admin.%' order by index`.execute(
    services.db,
  );
  const activities = await services.db
    .selectFrom('activityLog')
    .innerJoin('activityDetail', 'activityDetail.index', 'activityLog.index')
    .leftJoin('actor', 'actor.id', 'activityLog.actorId')
    .select(['kind', 'actor.name as by', 'details'])
    .where('kind', 'like', 'policy.%')
    .orderBy('activityLog.index')
    .execute();
  const found: string[] = [];
  await verifyDatabase(services.db, (finding) => found.push(finding));
  return { leaves: rows.map(({ type }) => type), activities, findings: found };
}

test('a single admin who loosens the rules changes nothing for seven days, in which anyone sees it', async () => {
  const id = await propose();
  expect(await inForce()).toEqual(FIRST_POLICY);
  expect(await findProposal(services.db)).toMatchObject({
    baseVersion: 1,
    by: 'Mia',
    reason: 'Only for a minute.',
    takesEffectAt: new Date('2026-12-01T00:00:00Z'),
    leafIndex: 2,
  });
  const said = await services.db.selectFrom('logLeaf').select('entry').where('index', '=', 2).executeTakeFirstOrThrow();
  expect(JSON.parse(said.entry)).toMatchObject({
    type: 'policy.proposed',
    body: { policyVersion: 1, promptDays: 7, checks: expect.stringMatching(/^agrees:off complete:must /) },
  });
  expect(said.entry).not.toMatch(/Mia|minute/);

  expect(await confirm(id, mia)).toEqual({ confirmed: false, reason: 'own' });
  services.setNow('2026-11-30T23:59:59Z');
  expect(await enterDueProposal(services)).toBeUndefined();
  expect(await confirm(id, mia)).toEqual({ confirmed: false, reason: 'own' });
  expect(await inForce()).toEqual(FIRST_POLICY);

  services.setNow('2026-12-01T00:00:00Z');
  const runs = await Promise.all([enterDueProposal(services), enterDueProposal(services)]);
  expect(runs.filter((version) => version !== undefined)).toEqual([2]);
  expect(await inForce()).toEqual(LOOSENED);
  expect(await findProposal(services.db)).toBeUndefined();
  expect(await listPolicies(services.db)).toMatchObject([{ version: 2, by: 'Mia', leafIndex: 3 }, { version: 1 }]);
  expect(await logged()).toEqual({
    leaves: ['policy.changed', 'policy.proposed', 'policy.changed'],
    activities: [
      { kind: 'policy.proposed', by: 'Mia', details: 'Change of version 1: Only for a minute.' },
      {
        kind: 'policy.changed',
        by: null,
        details: 'Version 2, as Mia proposed, after its notice: Only for a minute.',
      },
    ],
    findings: [],
  });
});

test('once its notice has ended, a press of the button lets it take effect too', async () => {
  const id = await propose();
  services.setNow('2026-12-01T00:00:00Z');
  expect(await confirm(id, mia)).toEqual({ confirmed: true, version: 2 });
  expect(await inForce()).toEqual(LOOSENED);
});

test('with two admins, the one who proposed it cannot confirm it, in whatever session or under whatever name', async () => {
  const ruth = await addRuth();
  const id = await propose();
  expect((await findProposal(services.db))?.takesEffectAt).toBeNull();
  for (const again of [mia, { ...mia, sessionId: 'another' }, { ...mia, name: 'M. K.', recordId: 'another' }])
    expect(await confirm(id, again)).toEqual({ confirmed: false, reason: 'own' });
  expect(await confirm(id, { ...mia, personId: crypto.randomUUID() })).toEqual({ confirmed: false, reason: 'own' });
  services.setNow('2027-11-24T00:00:00Z');
  expect(await enterDueProposal(services)).toBeUndefined();
  expect(await inForce()).toEqual(FIRST_POLICY);
  expect((await logged()).activities.map(({ kind }) => kind)).toEqual(['policy.proposed']);

  const answers = await Promise.all([confirm(id, ruth), confirm(id, ruth)]);
  expect(answers.toSorted((a, b) => Number(b.confirmed) - Number(a.confirmed))).toEqual([
    { confirmed: true, version: 2 },
    { confirmed: false, reason: 'gone' },
  ]);
  expect(await inForce()).toEqual(LOOSENED);
  expect(await logged()).toMatchObject({
    leaves: ['policy.changed', 'policy.proposed', 'policy.changed'],
    activities: [
      { kind: 'policy.proposed' },
      { by: 'Ruth', details: 'Version 2 confirmed, as Mia proposed: Only for a minute.' },
    ],
    findings: [],
  });
});

test('the same button pressed twice has one effect', async () => {
  const ruth = await addRuth();
  const id = await propose();
  const key = '0b0e7a52-7a70-4a6b-8a35-000000000002';
  expect(await confirmProposal(services, ruth, { id, key })).toEqual({ confirmed: true, version: 2 });
  expect(await confirmProposal(services, ruth, { id, key })).toEqual({ confirmed: true, version: 2 });
});

test('anybody who removes the second admin waits for seven days all the same', async () => {
  await addRuth();
  const id = await propose();
  await removeAdmin(services, mia, { email: 'ruth@registry.example' });
  services.setNow('2027-11-24T00:00:00Z');
  expect(await enterDueProposal(services)).toBeUndefined();
  expect(await confirm(id, mia)).toEqual({ confirmed: false, reason: 'own' });
  expect(await withdraw(id, mia)).toEqual({ withdrawn: true });
  // Whose removal may still be refused counts as an admin who exists.
  const second = await propose();
  expect((await findProposal(services.db))?.takesEffectAt).toBeNull();
  await withdraw(second, mia);
  await endDueRemovals(services);
  await propose();
  expect((await findProposal(services.db))?.takesEffectAt).toEqual(new Date('2027-12-01T00:00:00Z'));
});

test('a second admin who comes in the notice may confirm it at once; without that it waits for them', async () => {
  const id = await propose();
  const ruth = await addRuth();
  services.setNow('2026-12-24T00:00:00Z');
  expect(await enterDueProposal(services)).toBeUndefined();
  expect(await confirm(id, mia)).toEqual({ confirmed: false, reason: 'own' });
  expect(await inForce()).toEqual(FIRST_POLICY);
  expect(await confirm(id, ruth)).toEqual({ confirmed: true, version: 2 });
});

test('a second account made a minute ago confirms nothing: it is no quicker than the notice', async () => {
  await addedDaysAgo(services.db, mia, 400, services.now());
  const alias = await addSignedIn(services, 'admin', 'mia2@registry.example', 'Mia again');
  await addedDaysAgo(services.db, alias, 0, services.now());
  const id = await propose();
  expect(await confirm(id, alias)).toEqual({ confirmed: false, reason: 'notice' });
  services.setNow('2026-11-30T23:59:59Z');
  expect(await confirm(id, alias)).toEqual({ confirmed: false, reason: 'notice' });
  expect(await enterDueProposal(services)).toBeUndefined();
  expect(await inForce()).toEqual(FIRST_POLICY);
  services.setNow('2026-12-01T00:00:00Z');
  expect(await enterDueProposal(services)).toBeUndefined();
  // Where somebody has been an admin for 90 days, only they confirm, however long it waits; also while their removal
  // waits.
  const ruth = await addSeen(services, 'admin', 'ruth@registry.example', 'Ruth');
  expect(await confirm(id, alias)).toEqual({ confirmed: false, reason: 'too-new' });
  await removeAdmin(services, mia, { email: ruth.email });
  expect(await confirm(id, alias)).toEqual({ confirmed: false, reason: 'too-new' });
  services.setNow('2026-12-08T00:00:00Z');
  await endDueRemovals(services);
  expect(await confirm(id, alias)).toEqual({ confirmed: true, version: 2 });
  expect((await logged()).activities.at(-1)?.details).toBe(
    'Version 2 confirmed by an administrator added 14 days ago, as Mia proposed: Only for a minute.',
  );
  // Who it was, the public does not read; how new they were, it does.
  const listed = await apiApp(services).request('/policies');
  expect(await listed.json()).toMatchObject({
    items: [
      { version: 2, administrator_added_days: 14 },
      { version: 1, administrator_added_days: null },
    ],
  });
});

test('every admin gets a mail of what is proposed, and of its confirmation', async () => {
  const ruth = await addRuth();
  const id = await propose();
  await confirm(id, ruth);
  const mails = (await listMails(services.db)).map(({ recipient, facts }) => [recipient, facts]);
  const both = ['mia@registry.example', 'ruth@registry.example'];
  expect(mails).toEqual([
    ...both.map((one) => [one, expect.objectContaining({ what: 'policy-proposed', by: 'Mia' })]),
    ...both.map((one) => [one, expect.objectContaining({ what: 'policy-confirmed', by: 'Ruth' })]),
  ]);
  const [mail] = await listMails(services.db);
  const text = await services.db.transaction().execute(async (tx) => mail && composeMail(services)(tx, mail));
  expect(text?.subject).toMatch(/^Less strict rules are proposed: /);
  expect(text?.text).toContain('Mia proposed less strict rules: Check ‘Agrees’: off instead of must.');
});

test('a withdrawn proposal takes no effect, and both logs say that it was withdrawn', async () => {
  const id = await propose();
  expect(await withdraw(id, mia)).toEqual({ withdrawn: true });
  expect(await withdraw(id, mia)).toEqual({ withdrawn: false, reason: 'gone' });
  const ruth = await addRuth();
  expect(await confirm(id, ruth)).toEqual({ confirmed: false, reason: 'gone' });
  await removeAdmin(services, mia, { email: ruth.email });
  services.setNow('2026-12-24T00:00:00Z');
  expect(await enterDueProposal(services)).toBeUndefined();
  expect(await inForce()).toEqual(FIRST_POLICY);
  expect(await logged()).toEqual({
    leaves: ['policy.changed', 'policy.proposed', 'policy.withdrawn'],
    activities: [
      expect.objectContaining({ kind: 'policy.proposed' }),
      {
        kind: 'policy.withdrawn',
        by: 'Mia',
        details: 'Change of version 1 that Mia proposed: Only for a minute.',
      },
    ],
    findings: [],
  });
});

test('a stricter change takes effect at once, and ends what is proposed about the version before', async () => {
  const id = await propose();
  expect(await change({ tolerance_kg: '600' })).toEqual({ changed: false, reason: 'proposal-open' });
  expect(await change({ due_soon_days: '40', check_photo: 'must' })).toEqual({ changed: true, version: 2 });
  expect(await findProposal(services.db)).toBeUndefined();
  services.setNow('2026-12-01T00:00:00Z');
  expect(await enterDueProposal(services)).toBeUndefined();
  services.setNow('2026-11-24T00:00:00Z');
  expect(await confirm(id, await addRuth())).toEqual({ confirmed: false, reason: 'gone' });
  expect((await inForce()).checks).toEqual({ ...FIRST_POLICY.checks, photo: 'must' });
  // To go back is a loosening too.
  expect(await change({ check_photo: 'noted' })).toEqual({ changed: false, proposed: true });
});

test('of ten proposals at once one is open', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => change(LOOSER)));
  expect(answers.filter((answer) => 'proposed' in answer)).toHaveLength(1);
  expect((await logged()).leaves).toEqual(['policy.changed', 'policy.proposed']);
});

test('a proposal ends once and never changes; what is changed behind that is found', async () => {
  const { db } = services;
  const id = await propose();
  const sooner = sql`update policy_proposal set takes_effect_at = '2026-11-25T00:00:00Z' where id = ${id}::uuid`;
  await expect(sooner.execute(db)).rejects.toThrow('refused');
  await expect(sql`delete from policy_proposal`.execute(db)).rejects.toThrow('refused');
  await expect(sql`truncate policy_proposal`.execute(db)).rejects.toThrow('refused');
  const copy = sql`insert into policy_proposal (base_version, interval_days, due_soon_days, tolerance_per_mille,
    tolerance_kg, evidence, proposed_by, proposed_at) select 7, interval_days, due_soon_days, tolerance_per_mille,
    tolerance_kg, evidence, proposed_by, proposed_at from policy_proposal`;
  await expect(copy.execute(db), 'without a leaf').rejects.toThrow('has no leaf');
  await sql`alter table policy_proposal disable trigger user`.execute(db);
  await sooner.execute(db);
  expect((await logged()).findings).toEqual([
    expect.stringContaining(`policy_proposal ${id}: its takes_effect_at is not what was logged`),
  ]);
});
