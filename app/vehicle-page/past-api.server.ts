// What the registry said of a truck at the end of a day, for programs; and the file that proves it.
import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi';
import { attachment } from '#app/platform/http/attachment.server.ts';
import { jsonAnswer } from '#app/platform/http/json-answer.server.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';
import { problemResponse } from '#app/platform/http/problem-response.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { answerProof } from '#app/transparency-log/answer-proof.server.ts';
import { logOfDay } from '#app/transparency-log/log-of-day.server.ts';
import { regoParam, regoProblems } from '#app/vehicles/api.server.ts';
import { readRego } from '#app/vehicles/read-rego.server.ts';
import { VERDICTS } from '#app/vehicles/verdict-table.ts';
import { pastPage, readPast, whyNoPast, type PastRecords } from './past-page.server.ts';
import { provePast } from './prove-past.server.ts';

const schema = z
  .object({
    rego: z.string(),
    on: z.string(),
    verdict: z.enum(VERDICTS.map(({ verdict }) => verdict)),
    verdict_sentence: z.string(),
    matches_log: z.boolean(),
    next_calibration_due: z.string().nullable(),
    last_calibrated: z.string().nullable(),
    rests_on: z.string().openapi({ description: 'The line of evidence of then' }),
    policy_version: z.int(),
    rego_today: z.string().nullable().openapi({ description: 'Null: the vehicle is removed' }),
    changed_since: z.array(z.object({ on: z.string(), what: z.string() })),
    log: z
      .object({ size: z.int(), root: z.string(), signed_at: z.string().nullable() })
      .nullable()
      .openapi({ description: 'Of the public log at the end of the day. `signed_at` null: not signed that day' }),
  })
  .openapi('VehicleOnDay');
const params = regoParam.extend({ day: z.string().openapi({ param: { name: 'day', in: 'path' }, example: '2026-03-12' }) });
const problems = { ...regoProblems(), 404: problemResponse('no-answer-for-day: the sentence says why') };

const dayRoute = createRoute({
  method: 'get',
  path: '/vehicles/{rego}/on/{day}',
  summary: 'What the registry said of the vehicle that had the rego at the end of a day',
  request: { params },
  responses: {
    200: { description: 'What it said', content: { 'application/json': { schema } } },
    ...problems,
  },
});
const proofRoute = createRoute({
  method: 'get',
  path: '/vehicles/{rego}/on/{day}/proof',
  summary: 'Proof of that, for `verify day`',
  request: { params },
  responses: {
    200: { description: 'The proof file', content: { 'application/json': { schema: z.string() } } },
    503: problemResponse('proof-waiting: not signed yet'),
    ...problems,
  },
});

export function pastRoutes(app: OpenAPIHono, services: Services): void {
  const serve = (route: typeof dayRoute | typeof proofRoute, answer: (past: PastRecords) => Promise<Response>) => {
    app.openAPIRegistry.registerPath(route);
    app.get(route.getRoutingPath(), async (context) => {
      const { rego = '', day = '' } = context.req.param();
      const past = await pastOrProblem(services, rego, day);
      return past instanceof Response ? past : answer(past);
    });
  };
  serve(dayRoute, async (past) => {
    const page = await pastPage(services, past, '');
    const { rego, judgement, sentence, line, lastCalibrated, policyVersion, changes, log } = page;
    return jsonAnswer<z.infer<typeof schema>>({
      rego,
      on: past.day,
      verdict: judgement.verdict,
      verdict_sentence: sentence,
      matches_log: page.mismatches.length === 0,
      next_calibration_due: past.vehicle.nextCalibrationDueOn,
      last_calibrated: lastCalibrated?.day ?? null,
      rests_on: line === null ? '' : line.lead + line.rest,
      policy_version: policyVersion,
      rego_today: page.now,
      changed_since: changes.map(({ on, lead, rest }) => ({ on, what: lead + rest })),
      log: log && { size: log.size, root: log.root, signed_at: log.signedAt },
    });
  });
  serve(proofRoute, async (past) => {
    const log = await logOfDay(services, past.day, past.size);
    // Only an entry of a later day shows that the log of that day was whole.
    if (log === null || log.head.head.size === log.size) return answerProof({ state: 'waiting' }, past.vehicle.rego);
    const name = `${past.vehicle.rego}-on-${past.day}.json`;
    return attachment(await provePast(services, past, log), name, { 'content-type': 'application/json' });
  });
}

/** The records of then, or the problem response. */
export async function pastOrProblem(services: Services, text: string, day: string): Promise<PastRecords | Response> {
  const parsed = await readRego(services.db, text);
  if (!parsed.ok) return problem(400, `rego-${parsed.reason}`, { detail: parsed.message });
  const found = await readPast(services, parsed.rego, day);
  if (found.state === 'live') return found.past;
  if (found.state === 'other-plate') return pastOrProblem(services, found.rego, day);
  return problem(404, 'no-answer-for-day', { detail: whyNoPast(found, parsed.rego, day).sentence });
}
