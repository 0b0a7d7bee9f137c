import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { policyEvent } from '#app/transparency-log/policy-events.server.ts';
import { verifyDatabase } from '#app/transparency-log/verify-database.server.ts';
import { insistOnLeaves } from '#test/cluster.ts';
import { addSignedIn } from '#test/people.ts';
import { policyTexts } from '#test/policy.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { changePolicy } from './change-policy.server.ts';
import { enterFirstPolicy } from './enter-version.server.ts';
import { policySchema, rulesIn, type PolicyInput } from './policy-entry.ts';
import { FIRST_POLICY, formatPerMille, NEW_REGISTRY_POLICY } from './policy.ts';
import {
  columnsOf,
  currentPolicy,
  findPolicy,
  listPolicies,
  policyAndLogSize,
  storedPolicies,
} from './queries.server.ts';

let services: TestServices;
let admin: SignedIn;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  admin = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  await insistOnLeaves(services.address, true);
});
afterAll(() => services.stop());

const FORM = policyTexts(FIRST_POLICY);
const input = (more: Record<string, string>): PolicyInput => policySchema.parse({ ...FORM, ...more });
const findings = async ({ db } = services) => {
  const found: string[] = [];
  await verifyDatabase(db, (finding) => found.push(finding));
  return found;
};
const counts = async () => {
  const { rows } = await sql<{ policies: number; activities: number; leaves: number }>`select
    (select count(*) from policy) as policies, (select count(*) from activity_log where kind = 'policy.changed') as activities,
    (select count(*) from log_leaf where entry like '%"type":"policy.changed"%') as leaves`.execute(services.db);
  return rows[0];
};

test('the first version holds before it is entered, and is entered once, also by two starts at once', async () => {
  const { db } = services;
  expect(await currentPolicy(db)).toEqual(FIRST_POLICY);
  expect(await policyAndLogSize(db)).toEqual({ since: 0, policy: FIRST_POLICY });
  await Promise.all([enterFirstPolicy(db), enterFirstPolicy(db)]);
  await enterFirstPolicy(db);
  expect(await counts()).toEqual({ policies: 1, activities: 0, leaves: 1 });
  expect(await currentPolicy(db)).toEqual(FIRST_POLICY);
  expect(await listPolicies(db)).toMatchObject([{ version: 1, by: null, leafIndex: 1 }]);
});

test('a registry that begins now draws 2 % of the visits, and one that has a policy keeps its share', async () => {
  const fresh = await createTestServices({ RATE_LIMITS: 'off' });
  await enterFirstPolicy(fresh.db, NEW_REGISTRY_POLICY);
  await enterFirstPolicy(fresh.db);
  expect(await currentPolicy(fresh.db)).toEqual({ ...FIRST_POLICY, checkVisitsPerMille: 20 });
  expect(await findings(fresh)).toEqual([]);
  await fresh.stop();
});

test('a change is a new version with its entry in both logs; a stale form and one without a change do nothing', async () => {
  const { db } = services;
  const events: string[] = [];
  const stop = await services.live.subscribe(['policy'], undefined, (event) => events.push(event.kind));
  const change = input({ due_soon_days: '45', tolerance_percent: '1.5', reason: 'Workshops are full.' });
  const key = '0b0e7a52-7a70-4a6b-8a35-000000000001';
  expect(await changePolicy(services, admin, { input: change, key })).toEqual({ changed: true, version: 2 });
  // The same form sent twice has one effect.
  expect(await changePolicy(services, admin, { input: change, key })).toEqual({ changed: true, version: 2 });
  const now = { ...FIRST_POLICY, version: 2, dueSoonDays: 45, tolerancePerMille: 15 };
  expect((await policyAndLogSize(db)).policy).toEqual(now);
  expect(await counts()).toEqual({ policies: 2, activities: 1, leaves: 2 });
  expect(await listPolicies(db)).toMatchObject([
    { version: 2, by: 'Mia', reason: 'Workshops are full.', leafIndex: 2 },
    { version: 1 },
  ]);
  const detail = await db.selectFrom('activityDetail').selectAll().orderBy('index', 'desc').executeTakeFirstOrThrow();
  expect(detail.details).toBe('Version 2: Workshops are full.');
  expect(detail.changes).toEqual([
    { field: 'due_soon_days', from: '30', to: '45' },
    { field: 'tolerance_percent', from: '2', to: '1.5' },
  ]);
  await expect.poll(() => events).toEqual(['change']);
  stop();
  expect(await changePolicy(services, admin, { input: input({ due_soon_days: '20' }), key: undefined })).toEqual({
    changed: false,
    reason: 'stale',
    now,
  });
  const same = input({ due_soon_days: '45', tolerance_percent: '1.5', version: '2', reason: 'Again' });
  expect(await changePolicy(services, admin, { input: same, key: undefined })).toEqual({
    changed: false,
    reason: 'same',
    now,
  });
  expect(await counts()).toEqual({ policies: 2, activities: 1, leaves: 2 });
});

test('a version from before the rules of evidence has the first ones, and its entry says none', async () => {
  const fresh = await createTestServices({ RATE_LIMITS: 'off' });
  const { db } = fresh;
  const { evidence: _, ...landed } = { version: 1, ...columnsOf({ ...FIRST_POLICY, dueSoonDays: 20 }) };
  await db.transaction().execute(async (tx) => {
    await tx.insertInto('policy').values(landed).execute();
    await appendLeaves(tx, [policyEvent(landed)]);
  });
  const expected = { ...FIRST_POLICY, dueSoonDays: 20 };
  expect(await currentPolicy(db)).toEqual(expected);
  expect((await policyAndLogSize(db)).policy).toEqual(expected);
  expect(await findPolicy(db, 1)).toEqual(expected);
  expect(await listPolicies(db)).toMatchObject([expected]);
  expect(await storedPolicies(db)).toEqual([landed]);
  expect(await findings(fresh)).toEqual([]);
  await fresh.stop();
});

test('an entry that says other rules of evidence than the version has is found', async () => {
  const fresh = await createTestServices({ RATE_LIMITS: 'off' });
  const { db } = fresh;
  const checks = { ...FIRST_POLICY.checks, agrees: 'off' } as const;
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('policy')
      .values({ version: 1, ...columnsOf(FIRST_POLICY) })
      .execute();
    await appendLeaves(tx, [policyEvent({ ...FIRST_POLICY, checks })]);
  });
  expect(await findings(fresh)).toEqual([
    expect.stringContaining('policy 1: the checks that its entry says in clear is not its own'),
  ]);
  await fresh.stop();
});

test('of ten changes at once one is taken, the others see it', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      changePolicy(services, admin, {
        input: input({ due_soon_days: String(50 + index), tolerance_percent: '1.5', version: '2' }),
        key: undefined,
      }),
    ),
  );
  expect(answers.filter(({ changed }) => changed)).toHaveLength(1);
  expect(answers.filter((answer) => 'reason' in answer && answer.reason === 'stale')).toHaveLength(9);
  expect(await counts()).toEqual({ policies: 3, activities: 2, leaves: 3 });
  expect(await findings()).toEqual([]);
});

test('versions are never changed or removed; what is changed behind that is found', async () => {
  const { db } = services;
  await expect(sql`update policy set due_soon_days = 99 where version = 2`.execute(db)).rejects.toThrow('refused');
  await expect(sql`delete from policy where version = 2`.execute(db)).rejects.toThrow('refused');
  await expect(sql`truncate policy`.execute(db)).rejects.toThrow('refused');
  await expect(
    sql`insert into policy values (9, 182, 30, 20, 500, '', now(), null)`.execute(db),
    'without a leaf',
  ).rejects.toThrow('has no leaf');
  await sql`alter table policy disable trigger user`.execute(db);
  await sql`update policy set due_soon_days = 99 where version = 2`.execute(db);
  expect(await findings()).toEqual([expect.stringContaining('policy 2: its due_soon_days is not what was logged')]);
  await sql`delete from policy where version = 2`.execute(db);
  expect(await findings()).toEqual([expect.stringContaining('policy 2: entry 2 of the log is about it')]);
});

test.each([
  [{ interval_days: '' }, 'interval_days'],
  [{ interval_days: '0' }, 'interval_days'],
  [{ interval_days: '367' }, 'interval_days'],
  [{ interval_days: '733', longest_interval_days: '732' }, 'interval_days'],
  [{ longest_interval_days: '0' }, 'longest_interval_days'],
  [{ longest_interval_days: '733' }, 'longest_interval_days'],
  [{ longest_interval_days: '181' }, 'interval_days'],
  [{ prompt_days: '61' }, 'prompt_days'],
  [{ prompt_days: '' }, 'prompt_days'],
  [{ every_visit_waits: 'maybe' }, 'every_visit_waits'],
  [{ check_agrees: 'sometimes' }, 'check_agrees'],
  [{ check_complete: 'noted' }, 'check_complete'],
  [{ check_interval: 'off' }, 'check_interval'],
  [{ interval_days: '12.5' }, 'interval_days'],
  [{ due_soon_days: '-1' }, 'due_soon_days'],
  [{ due_soon_days: '182' }, 'due_soon_days'],
  [{ tolerance_percent: '2,5' }, 'tolerance_percent'],
  [{ tolerance_kg: '5,00' }, 'tolerance_kg'],
  [{ tolerance_percent: '0' }, 'tolerance_percent'],
  [{ tolerance_percent: '2.55' }, 'tolerance_percent'],
  [{ tolerance_percent: '51' }, 'tolerance_percent'],
  [{ tolerance_kg: '10001' }, 'tolerance_kg'],
  [{ tolerance_kg: '1e3' }, 'tolerance_kg'],
  [{ reason: 'x'.repeat(501) }, 'reason'],
])('%j is refused at its field', (more, field) => {
  const parsed = policySchema.safeParse({ ...FORM, ...more });
  expect(parsed.success ? [] : parsed.error.issues.map(({ path }) => path[0])).toEqual([field]);
});

test('what the form does not ask, or always must be, is a must', () => {
  const { check_complete: _complete, check_interval: _interval, ...asked } = FORM;
  expect(rulesIn(policySchema.parse(asked))).toEqual(rulesIn(policySchema.parse(FORM)));
  expect(policySchema.safeParse({ ...asked, check_agrees: undefined }).success).toBe(false);
});

test('percentages are exact in tenths', () => {
  expect(input({ tolerance_percent: '0.3' }).tolerance_percent).toBe(3);
  expect(input({ tolerance_percent: ' 2.9 % ' }).tolerance_percent).toBe(29);
  expect([20, 29, 3].map(formatPerMille)).toEqual(['2\u00a0%', '2.9\u00a0%', '0.3\u00a0%']);
});
