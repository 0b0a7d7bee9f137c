// Units that are coupled, for programs: one word for all, and what is said of each.
import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi';
import { jsonAnswer } from '#app/platform/http/json-answer.server.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';
import { problemResponse } from '#app/platform/http/problem-response.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { VEHICLE_KINDS } from '#app/vehicles/axle.ts';
import { UNITS_MAX, WORST_FIRST } from './combination.ts';
import { answerCombination, unitsAsked } from './answer-combination.server.ts';
import { inOneLine } from '#app/check-list/answer-words.ts';

const WORDS = z.enum(WORST_FIRST.map(({ word }) => word));
const kindNames = z.enum(VEHICLE_KINDS.map(({ value }) => (value === '' ? 'truck' : value)));
const asAt = z.string().openapi({ description: "The day of the verdicts, in the registry's time zone" });
const policyVersion = z.int().openapi({ description: 'Version of the policy that they are based on: see /policies' });

const schema = z
  .object({
    word: WORDS.openapi({ description: `The worst of the units: ${WORST_FIRST.map(({ label }) => label).join(', ')}` }),
    sentence: z.string(),
    lines_not_held: z.string().nullable().openapi({
      description: 'Lines of the truck that were taken with another trailer than the one that is in its place here',
    }),
    units: z.array(
      z.object({
        asked: z.string(),
        rego: z.string().nullable().openapi({ description: 'Null: it has no record here, or several could be meant' }),
        kind: kindNames.nullable(),
        verdict: WORDS,
        due: z.string().nullable().openapi({ example: '2027-05-14' }),
        rests_on: z.string().openapi({ description: 'What the verdict rests on, in short; or why there is none' }),
        read_by: z.string().nullable().openapi({
          description:
            'The truck whose verdict it takes: it has no unit of its own, and the visit that rules the truck names it',
        }),
        matches_log: z.boolean(),
        as_at: asAt,
        policy_version: policyVersion,
      }),
    ),
    as_at: asAt,
    policy_version: policyVersion,
  })
  .openapi('Combination');

const route = createRoute({
  method: 'get',
  path: '/combination',
  summary: 'One word for units that are coupled, the worst of theirs, and the verdict of each',
  request: {
    query: z.object({
      unit: z
        .union([z.string(), z.array(z.string())])
        .openapi({ description: `A rego or a VIN. Give it again for each unit, from the front, up to ${UNITS_MAX}` }),
      on: z.string().optional().openapi({ description: 'As at the end of this day' }),
    }),
  },
  responses: {
    200: { description: 'The combination', content: { 'application/json': { schema } } },
    400: problemResponse('units-missing or units-invalid: the sentence says why'),
  },
});

export function combinationRoutes(app: OpenAPIHono, services: Pick<Services, 'db' | 'config' | 'now'>): void {
  app.openAPIRegistry.registerPath(route);
  app.get(route.getRoutingPath(), async (context) => {
    const query = new URL(context.req.url).searchParams;
    const answer = await answerCombination(services, unitsAsked(query), query.get('on') ?? '');
    if (answer === undefined)
      return problem(400, 'units-missing', { detail: 'Name each unit by its rego or VIN: ?unit=XV12DE&unit=T12345.' });
    if (!answer.ok) {
      const wrong = answer.given.find(({ error }) => error !== '');
      const detail = wrong === undefined ? answer.error : `${wrong.text.slice(0, 40)}: ${wrong.error}`;
      return problem(400, 'units-invalid', { detail });
    }
    const { shown, units, today } = answer;
    const told = { as_at: today, policy_version: shown.policyVersion };
    return jsonAnswer<z.infer<typeof schema>>({
      word: shown.word,
      sentence: shown.sentence,
      lines_not_held: shown.notHeld?.rest ?? null,
      units: units.map((unit, place) => {
        const { word, dueOn, readBy, record, rego, answer: said } = unit;
        const words = shown.units[place];
        return {
          asked: said.asked,
          rego: record === null ? null : rego,
          kind: record === null ? null : kindOf(record.kind),
          verdict: word,
          due: dueOn,
          rests_on: words === undefined ? '' : inOneLine(words),
          read_by: readBy,
          matches_log: said.kind !== 'found' || said.matchesLog,
          ...told,
        };
      }),
      ...told,
    });
  });
}

const kindOf = (kind: string) => VEHICLE_KINDS.find(({ value }) => value === kind)?.value || 'truck';
