// A withdrawal of thousands of visits, whose server is killed again and again while it applies it: it goes on where it
// was.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { decideWithdrawal, proposeWithdrawal } from '#app/withdrawals/decide-withdrawal.server.ts';
import { checkAsked, findingsOf } from '#app/transparency-log/check-records.server.ts';
import { addPerson } from './people.ts';
import { startRegistry, type StartedRegistry } from './start-registry.ts';
import { fillWeighbridges, standAsTheyShould, WEIGHED_IN } from './weighed-trucks.ts';

const VEHICLES = 30_000;
const HIT = VEHICLES / 5;
const KILLS = 4;
let registry: StartedRegistry;
let admins: SignedIn[];
let reference: string;

beforeAll(async () => {
  registry = await startRegistry({ LOG_LEVEL: 'silent' });
  admins = [await addAdmin('mia@withdrawals.example'), await addAdmin('ann@withdrawals.example')];
  reference = await fillWeighbridges(registry.db, admins[0]?.personId ?? '', { vehicles: VEHICLES, visitsEach: 2 });
}, 300_000);
afterAll(() => registry.stop());

async function addAdmin(email: string): Promise<SignedIn> {
  const { personId, recordId } = await addPerson(registry.db, 'admin', email);
  const session = { sessionId: '', mustChangePassword: false, hasSecondFactor: false };
  return { ...session, personId, recordId, role: 'admin', name: email, email };
}
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const held = async () => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from visit where before_recall is not null`.execute(
    registry.db,
  );
  return rows[0]?.n ?? 0;
};
const state = async () =>
  registry.db
    .selectFrom('referenceWithdrawal')
    .select(['appliedAt', 'liftAppliedAt'])
    .where('referenceId', '=', reference)
    .executeTakeFirstOrThrow();

/**
 * Kills the server, each time after a block or in the middle of one, until `isDone`. Returns how often it was between
 * blocks.
 */
async function killUntil(isDone: () => Promise<boolean>): Promise<number> {
  const seen = new Set<number>();
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = await held();
    while ((await held()) === before && !(await isDone())) await pause(20);
    await pause(kill * 90);
    await registry.killServer();
    seen.add(await held());
    await registry.startServer();
  }
  while (!(await isDone())) await pause(50);
  return [...seen].filter((count) => count > 0 && count < HIT).length;
}

test('nothing is missing and nothing too many, and each visit and truck is as the log has it', async () => {
  const { db } = registry;
  const now = () => new Date();
  const [proposer, confirmer] = admins;
  if (proposer === undefined || confirmer === undefined) throw new Error('there are no admins');
  const why = { ...WEIGHED_IN, reason: 'out of tolerance', note: '' } as const;
  const proposed = await proposeWithdrawal({ db, now }, proposer, { referenceId: reference, ...why, key: undefined });
  if (!proposed.proposed) throw new Error(proposed.reason);
  expect(
    await decideWithdrawal({ db, now }, confirmer, { id: proposed.id, decision: 'confirm', key: undefined }),
  ).toMatchObject({
    decided: true,
  });
  expect(await killUntil(async () => (await state()).appliedAt !== null)).toBeGreaterThan(1);
  expect(await standAsTheyShould(db, reference, 'waits')).toEqual({ missing: 0, more: 0 });
  expect(await held()).toBe(HIT);
  await expectAsLogged('visit.recalled');

  await decideWithdrawal({ db, now }, proposer, { id: proposed.id, decision: 'propose-lift', key: undefined });
  await decideWithdrawal({ db, now }, confirmer, { id: proposed.id, decision: 'confirm-lift', key: undefined });
  expect(await killUntil(async () => (await state()).liftAppliedAt !== null)).toBeGreaterThan(1);
  expect(await standAsTheyShould(db, reference, 'counts')).toEqual({ missing: 0, more: 0 });
  await expectAsLogged('visit.reinstated');
}, 600_000);

// One leaf for each visit, and none twice.
async function expectAsLogged(type: string) {
  const { db } = registry;
  const { rows } = await sql<{ leaves: number; visits: number }>`select count(*) as leaves,
      count(distinct entry::jsonb #>> '{body,visit}') as visits
    from log_leaf where entry::jsonb ->> 'type' = ${type}`.execute(db);
  expect(rows).toEqual([{ leaves: HIT, visits: HIT }]);
  const asked = sql`select 'visit', v.id::text from visit v where v.reference_id = ${reference}::uuid
      and v.visited_on between ${WEIGHED_IN.fromOn}::date and ${WEIGHED_IN.toOn}::date
    union all select 'vehicle', v.id::text from vehicle v where v.rego ~ '^B[0-9]*[05]$'`;
  const checks = await checkAsked(db, asked, ['visit', 'vehicle']);
  expect(checks.size).toBe(2 * HIT);
  expect(findingsOf(checks)).toEqual([]);
}
