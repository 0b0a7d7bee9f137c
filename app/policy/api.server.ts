// The policy's versions as public JSON, with proofs. The author and reason of a change are private.
import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi';
import { jsonAnswer } from '#app/platform/http/json-answer.server.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { answerProof } from '#app/transparency-log/answer-proof.server.ts';
import { proveRecord } from '#app/transparency-log/prove-record.server.ts';
import { CHECK_NAMES, CHECK_RULES, type PolicyRules } from './policy.ts';
import { findPolicy, findProposal, listPolicies, type PolicyVersion, type Proposal } from './queries.server.ts';

const rules = {
  default_interval_days: z.int(),
  due_soon_days: z.int(),
  agreement_tolerance_per_mille: z.int().openapi({ description: 'Thousandths of the reference mass: 20 is 2 %' }),
  agreement_tolerance_kg: z.int().openapi({ description: 'The tolerance is the larger of the two' }),
  longest_interval_days: z.int().openapi({ description: 'The most days from a visit to its due date' }),
  prompt_days: z.int().openapi({ description: 'A visit is prompt when it is recorded within these days' }),
  every_visit_waits: z.boolean().openapi({ description: 'An administrator looks at each visit before it counts' }),
  check_visits_per_mille: z.int().openapi({
    description: 'Of a thousand visits that count, so many are drawn at random: somebody else weighs the truck again',
  }),
  assumed_interval_kg: z.int().openapi({
    description: 'The verification interval e that is assumed of a weighbridge of which it is not known',
  }),
  checks: z.record(z.enum(CHECK_NAMES), z.enum(CHECK_RULES)).openapi({
    description: 'must: a visit that fails it is held back; noted: the result is shown; off: it is not made',
  }),
};
const logEntry = z.int().nullable().openapi({ description: 'The index of its entry in the public log' });
const instant = z.string().openapi({ description: 'ISO 8601, UTC' });
const policySchema = z
  .object({
    version: z.int(),
    ...rules,
    since: instant,
    administrator_added_days: z.int().nullable().openapi({
      description: 'Confirmed by an administrator who had been one for so many days, less than 90; else null',
    }),
    log_entry: logEntry,
  })
  .openapi('PolicyVersion');
const proposalSchema = z
  .object({
    of_version: z.int().openapi({ description: 'The version in force, which it would change' }),
    ...rules,
    proposed_at: instant,
    takes_effect_at: instant.nullable().openapi({
      description:
        'When it takes effect by itself, while the registry has a single administrator; null: only when a second one confirms it',
    }),
    log_entry: logEntry,
  })
  .openapi('PolicyProposal');
const listSchema = z.object({
  items: z.array(policySchema),
  total: z.int(),
  proposed: proposalSchema.nullable().openapi({ description: 'A change that makes the rules less strict' }),
});

const listRoute = createRoute({
  method: 'get',
  path: '/policies',
  summary: 'All versions of the policy, newest first, and the proposed one',
  responses: {
    200: { description: 'All versions', content: { 'application/json': { schema: listSchema } } },
  },
});
const proofRoute = createRoute({
  method: 'get',
  path: '/policies/{version}/proof',
  summary: 'Proof that a version of the policy is in the public log (c2sp.org/tlog-proof)',
  request: { params: z.object({ version: z.string().openapi({ param: { name: 'version', in: 'path' } }) }) },
  responses: {
    200: { description: 'The proof file', content: { 'text/plain': { schema: z.string() } } },
    404: { description: 'policy-unknown' },
    503: { description: 'proof-waiting: not signed yet' },
  },
});

const VERSION = /^[1-9]\d{0,8}$/;

export function policyRoutes(app: OpenAPIHono, { db, config }: Pick<Services, 'db' | 'config'>): void {
  app.openAPIRegistry.registerPath(listRoute);
  app.get(listRoute.getRoutingPath(), async () => {
    const versions = await listPolicies(db);
    const proposal = await findProposal(db);
    return jsonAnswer({
      items: versions.map(present),
      total: versions.length,
      proposed: proposal === undefined ? null : presentProposal(proposal),
    } satisfies z.infer<typeof listSchema>);
  });
  app.openAPIRegistry.registerPath(proofRoute);
  app.get(proofRoute.getRoutingPath(), async (context) => {
    const text = context.req.param('version') ?? '';
    const policy = VERSION.test(text) ? await findPolicy(db, Number(text)) : undefined;
    if (policy === undefined) return problem(404, 'policy-unknown', { detail: 'The rules have no such version.' });
    const key = String(policy.version);
    return answerProof(await proveRecord({ db, config }, { table: 'policy', key }, 'first'), `policy-${key}`);
  });
}

const present = ({
  version,
  changedAt,
  addedDays,
  leafIndex,
  ...policy
}: PolicyVersion): z.infer<typeof policySchema> => ({
  version,
  ...presentRules(policy),
  since: changedAt.toISOString(),
  administrator_added_days: addedDays,
  log_entry: leafIndex,
});

const presentProposal = ({
  baseVersion,
  rules: proposed,
  proposedAt,
  takesEffectAt,
  leafIndex,
}: Proposal): z.infer<typeof proposalSchema> => ({
  of_version: baseVersion,
  ...presentRules(proposed),
  proposed_at: proposedAt.toISOString(),
  takes_effect_at: takesEffectAt?.toISOString() ?? null,
  log_entry: leafIndex,
});

const presentRules = (policy: PolicyRules) => ({
  default_interval_days: policy.intervalDays,
  due_soon_days: policy.dueSoonDays,
  agreement_tolerance_per_mille: policy.tolerancePerMille,
  agreement_tolerance_kg: policy.toleranceKg,
  longest_interval_days: policy.longestIntervalDays,
  prompt_days: policy.promptDays,
  every_visit_waits: policy.everyVisitWaits,
  check_visits_per_mille: policy.checkVisitsPerMille,
  assumed_interval_kg: policy.assumedIntervalKg,
  checks: policy.checks,
});
