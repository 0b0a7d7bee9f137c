// What the registry said of a truck at the end of a day, for programs; and the file that proves it.
import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi';
import { sql } from 'kysely';
import { attachment } from '#app/platform/http/attachment.server.ts';
import { jsonAnswer } from '#app/platform/http/json-answer.server.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';
import { problemResponse } from '#app/platform/http/problem-response.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { formatBase64, parseUtf8 } from '#app/tlog/bytes.ts';
import { canonicalJson } from '#app/tlog/canonical-json.ts';
import { answerProof } from '#app/transparency-log/answer-proof.server.ts';
import { logOfDay, type LogOfDay } from '#app/transparency-log/log-of-day.server.ts';
import { regoParam } from '#app/vehicles/api.server.ts';
import type { PastProof } from '#app/vehicles/past-proof.ts';
import { readRego } from '#app/vehicles/read-rego.server.ts';
import { VERDICTS } from '#app/vehicles/verdict-table.ts';
import { pastPage, readPast, type PastRecords } from './past-page.server.ts';

const schema = z
  .object({
    rego: z.string(),
    on: z.string(),
    verdict: z.enum(VERDICTS.map(({ verdict }) => verdict)),
    verdict_sentence: z.string(),
    matches_log: z.boolean(),
    next_calibration_due: z.string().nullable(),
    rests_on: z.string().openapi({ description: 'The line of evidence of then' }),
    policy_version: z.int(),
    rego_today: z.string().nullable().openapi({ description: 'Null: the vehicle is removed' }),
    changed_since: z.array(z.string()),
    log: z.object({ size: z.int(), root: z.string(), signed: z.string() }).nullable(),
  })
  .openapi('VehicleOnDay');
const params = regoParam.extend({
  day: z.string().openapi({ param: { name: 'day', in: 'path' }, example: '2026-03-12' }),
});
const onDay = (path: string, summary: string, answer: { schema: z.ZodType }) =>
  createRoute({
    method: 'get',
    path: `/vehicles/{rego}/on/{day}${path}`,
    summary,
    request: { params },
    responses: {
      200: { description: 'The answer', content: { 'application/json': answer } },
      400: problemResponse('rego-missing or rego-invalid'),
      404: problemResponse('no-answer-for-day: the sentence says why'),
      503: problemResponse('proof-waiting: what proves it is not signed yet'),
    },
  });

export function pastRoutes(app: OpenAPIHono, services: Services): void {
  const serve = (route: ReturnType<typeof onDay>, answer: (past: PastRecords) => Promise<Response>) => {
    app.openAPIRegistry.registerPath(route);
    app.get(route.getRoutingPath(), async (context) => {
      const { rego = '', day = '' } = context.req.param();
      const past = await pastOrProblem(services, rego, day);
      return past instanceof Response ? past : answer(past);
    });
  };
  const said = 'What the registry said of the vehicle that had the rego at the end of a day';
  serve(onDay('', said, { schema }), async (past) => {
    const { rego, sentence, changes, log, now, line, mismatches, policyVersion } = await pastPage(services, past);
    const told = { rego, on: past.day, verdict: past.verdict, verdict_sentence: sentence, rego_today: now, log };
    return jsonAnswer<z.infer<typeof schema>>({
      ...told,
      matches_log: mismatches.length === 0,
      next_calibration_due: past.vehicle.nextCalibrationDueOn,
      rests_on: line === null ? '' : line.lead + line.rest,
      policy_version: policyVersion,
      changed_since: changes.map(({ on, words }) => `${on}: ${words}`),
    });
  });
  serve(onDay('/proof', 'Proof of that, for `verify day`', { schema: z.string() }), async (past) => {
    const log = await logOfDay(services, past);
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
  return 'none' in found ? problem(404, 'no-answer-for-day', { detail: found.none }) : found;
}

/** The file that proves what was said. `log`: of that day. Throws when a published file is not what was signed. */
export async function provePast(
  { db, config }: Pick<Services, 'db' | 'config'>,
  { vehicle, day, verdict }: PastRecords,
  { size, root, signed, head, tiles }: LogOfDay,
): Promise<string> {
  type Found = Pick<PastProof, 'subject' | 'plate'> & { entries: { index: number; leaf: string }[] };
  const found = db.selectNoFrom(sql<Found>`past_entries(${vehicle.id}::uuid, ${size}::bigint)`.as('proof'));
  const { proof } = await found.executeTakeFirstOrThrow();
  const entries: PastProof['entries'] = [];
  for (const { index, leaf } of proof.entries.filter((entry) => entry.index < head.head.size)) {
    const hashes = await tiles.proveInclusion(index, index < size ? size : head.head.size);
    entries.push({ index, leaf, hashes: hashes.map(formatBase64) });
  }
  const of = { day, zone: config.timeZone, rego: vehicle.rego, verdict, size, root: formatBase64(root) };
  const consistency = (await tiles.proveConsistency(size)).map(formatBase64);
  const heads = { signed: signed?.note ?? null, checkpoint: parseUtf8(head.note), consistency };
  return canonicalJson({ ...proof, ...of, ...heads, entries, proof: 'registry-day@1' } satisfies PastProof);
}
