// Each check × each answer × each rule of the policy × each way into the registry: what becomes of the visit, of the
// truck's due date, and what the public log says. A cell that cannot be is named with the reason; none is forgotten.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { SignedIn } from '#app/access/session.server.ts';
import { ALWAYS_MUST } from '#app/policy/checks.ts';
import { CHECK_NAMES, CHECK_RULES, FIRST_POLICY, type CheckName, type CheckRule } from '#app/policy/policy.ts';
import { policySchema } from '#app/policy/policy-entry.ts';
import { openCell } from '#test/check-table/cell.ts';
import { ANSWERS, WAYS, type Recipe, type Way } from '#test/check-table/recipe.ts';
import { TABLE } from '#test/check-table/recipes.ts';
import { makeFingerprintsAgain, wrongFingerprints } from '#app/transparency-log/verify-fingerprints.server.ts';
import { differencesFromLog } from '#test/leaves.ts';
import { addSeen } from '#test/people.ts';
import { STEP } from '#test/sample.ts';
import { policyTexts } from '#test/policy.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import type { CheckAnswer } from './visit-facts.ts';
import { checksOf } from './visit-queries.server.ts';

type Asked = { check: CheckName; answer: CheckAnswer; rule: CheckRule; way: Way };
const isAlwaysMust = (check: CheckName) => ALWAYS_MUST.some((one) => one === check);

const CELLS = CHECK_NAMES.flatMap((check) =>
  ANSWERS.flatMap((answer) => WAYS.flatMap((way) => CHECK_RULES.map((rule) => cellOf({ check, answer, rule, way })))),
);
function cellOf(asked: Asked): Asked & { recipe: Recipe | string } {
  const { check, answer, rule, way } = asked;
  const always = isAlwaysMust(check) && rule !== 'must' ? 'no policy lets a visit count without it' : undefined;
  return { ...asked, recipe: always ?? TABLE[check][answer][way] };
}

const SHOWN = CELLS.flatMap(({ recipe, ...asked }) => (typeof recipe === 'string' ? [] : [{ ...asked, recipe }]));
const IMPOSSIBLE = CELLS.flatMap(({ recipe, ...asked }) =>
  typeof recipe === 'string' ? [{ ...asked, why: recipe }] : [],
);

function stateOf({ check, answer, rule }: Asked, { always }: Recipe): 'counts' | 'partial' | 'waits' {
  const holds =
    answer === 'failed' || (answer === 'cannot be told' && ['complete', 'interval', 'truck'].includes(check));
  if (always !== undefined) return always;
  if (rule !== 'must' || !holds) return 'counts';
  return check === 'complete' && answer === 'failed' ? 'partial' : 'waits';
}

const nameOf = ({ check, answer, rule, way }: Asked) => `${check} ${answer}, ${rule}, by ${way}`;

const LEAVES: Record<Way, readonly string[]> = {
  'single entries': ['calibration.recorded', 'visit.closed'],
  set: ['calibration-set.recorded'],
  correction: ['calibration.corrected'],
  import: ['visit.closed'],
};

const leafSchema = z.object({
  type: z.string(),
  body: z.object({ visitState: z.string(), checks: z.string().transform((text) => text.split(' ')) }),
});
/** The newest leaf that says what became of the visit. */
async function leafOf(visitId: string) {
  const { rows } = await sql<{ entry: string }>`select entry from log_leaf
    where entry::jsonb #>> '{body,visit}' = ${visitId} order by index desc limit 1`.execute(services.db);
  return leafSchema.parse(JSON.parse(rows[0]?.entry ?? 'null'));
}

let services: TestServices;
let admin: SignedIn;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  admin = await addSeen(services, 'admin', 'mia@registry.example', 'Mia');
});
afterAll(() => services.stop());
const TAKEN = SHOWN.filter((_shown, at) => at % STEP === 0);

test.each(TAKEN.map((shown, n) => [nameOf(shown), { ...shown, n }] as const))(
  '%s',
  async (_name, { recipe, n, ...asked }) => {
    const { check, answer, rule, way } = asked;
    const cell = await openCell(services, admin, n, recipe.truck);
    await recipe.before(cell);
    const { nextCalibrationDueOn: stood } = await cell.vehicle();
    // An export confirms no truck: else each of its visits would wait for that.
    const noted = [recipe.noted, ...(recipe.truck === 'imported' ? (['truck'] as const) : [])];
    const also = noted.flatMap((one) => (one === undefined ? [] : [[one, 'noted'] as const]));
    await cell.policy({ checks: { ...Object.fromEntries(also), [check]: rule } });
    await recipe.record(cell);

    const state = stateOf(asked, recipe);
    const visit = await cell.newest();
    expect(visit.state).toBe(state);
    expect((await cell.vehicle()).nextCalibrationDueOn).toBe(state === 'counts' ? visit.dueOn : stood);
    const result = checksOf(visit.checks).find((one) => one.check === check);
    const { type, body } = await leafOf(visit.id);
    expect(LEAVES[way]).toContain(type);
    expect(body.visitState).toBe(state);
    const letter = { passed: 'p', failed: 'f', 'cannot be told': 'u' }[answer];
    if (rule === 'off') {
      expect(result).toBeUndefined();
      expect(body.checks.filter((text) => text.startsWith(`${check}:`))).toEqual([]);
    } else {
      const sentence = typeof recipe.says === 'string' ? recipe.says : expect.stringMatching(recipe.says);
      expect(result).toMatchObject({ rule, answer, sentence });
      expect(body.checks).toContain(`${check}:${letter}${rule.charAt(0)}`);
    }
  },
);

test('nothing that was done to these trucks differs from the log', async () => {
  // Each cell deletes the fingerprints of the cells before it.
  for (const { id } of await wrongFingerprints(services.db)) await makeFingerprintsAgain(services.db, id);
  expect(await differencesFromLog(services.db)).toEqual([]);
});

test('of all cells each is shown or named impossible', () => {
  expect(CELLS).toHaveLength(CHECK_NAMES.length * 3 * 3 * 4);
  expect(SHOWN.length + IMPOSSIBLE.length).toBe(CELLS.length);
  expect(IMPOSSIBLE.filter(({ why }) => !/^[a-z][a-z, ]+$/i.test(why))).toEqual([]);
});

test.each(ALWAYS_MUST)('no policy notes %s only, or leaves it out', (check) => {
  for (const rule of ['noted', 'off'])
    expect(policySchema.safeParse(policyTexts(FIRST_POLICY, { [`check_${check}`]: rule })).success).toBe(false);
});
