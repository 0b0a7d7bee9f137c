// Vehicles as public JSON under the specification's names. It shows only the fields that vehicle-fields.ts makes
// public, so a new column is private until someone publishes it there. Who changed a vehicle is private.
import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi';
import { formatDay, todayIn } from '#app/platform/time/calendar.ts';
import { askedPage } from '#app/platform/http/api-pages.server.ts';
import { jsonAnswer } from '#app/platform/http/json-answer.server.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';
import { problemResponse } from '#app/platform/http/problem-response.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { nearText } from './near-regos.server.ts';
import {
  fileUrl,
  LISTED,
  OF_PAGE,
  publicVehicleReader,
  type BesideVehicle,
  type PublicVehicle,
  type ShownVehicle,
} from './public-vehicle.server.ts';
import { findVehicle, type FoundVehicle, type ListedVehicle, type Vehicle } from './queries.server.ts';
import { searchVehicles } from './search-vehicles.server.ts';
import type { ShownPolicy } from '#app/policy/queries.server.ts';
import { withoutSerials } from './group-details.ts';
import { perField, shownText } from './vehicle-fields.ts';
import { askedNow, askedOn, PLATES_SHAPE, presentFormer, severalVehicles, underOwnName } from './plates-api.server.ts';
import { listFormerPlates } from './plates.server.ts';
import { readPresentRego, readRego } from './read-rego.server.ts';
import { isDueInForce, lastCountedAt, judge, verdictFacts, type Judgement } from './verdict.ts';
import { VERDICTS } from './verdict-table.ts';

const day = z.string().nullable().openapi({ example: '2027-05-14' });
const TYPES = { text: () => z.string(), day: () => day, yesNo: () => z.boolean() };
const summarySchema = z
  .object({
    rego: z.string().openapi({ example: 'XV04KL' }),
    ...perField('name', LISTED, TYPES),
    valid_calibration: z
      .boolean()
      .openapi({ description: 'Validated, not overdue on `as_at`, and unchanged since it was logged' }),
    matches_log: z.boolean().openapi({
      description:
        'Whether the records that this answer shows are the same as in the public log, and the daily check of the whole history found nothing. If false, do not rely on anything here. The readings and their own `matches_log` are in /vehicles/{rego}/calibrations',
    }),
    verdict: z.enum(VERDICTS.map((row) => row.verdict)),
    due_in_force: z.boolean().openapi({
      description:
        'Whether the verdict rests on the due date. Without a visit that counts the date is kept, and counts for nothing',
    }),
    as_at: z.string().openapi({ description: "The day of the verdict, in the registry's time zone" }),
    policy_version: z
      .int()
      .openapi({ description: 'Version of the policy that the verdict is based on: see /policies' }),
    certificate: z.string().nullable(),
  })
  .openapi('VehicleSummary');
const vehicleSchema = summarySchema.extend({
  verdict_sentence: z.string(),
  ...perField('name', OF_PAGE, TYPES),
  last_calibrated_at: z.string().nullable().openapi({ description: 'Null where nothing that is recorded counts' }),
  image_urls: z.array(z.string()),
  origin: z.enum(['recorded', 'imported']),
});
/** How the caller shows what it adds to a vehicle's answer. */
export type ShownBesideVehicle<Found> = BesideVehicle<Found> & {
  shape: z.ZodRawShape;
  present: (found: Found, vehicle: PublicVehicle, zone: string) => Readonly<Record<string, unknown>>;
};
const nearSchema = z.array(z.string()).openapi({
  description:
    'Regos of listed vehicles that look like the one asked for (O/0, I/1/L, S/5, B/8, Z/2, or two neighbours swapped), when nothing matches. None of them is a match',
});
const pageSchema = z.object({
  items: z.array(summarySchema),
  page: z.int(),
  pages: z.int(),
  total: z.int(),
  did_you_mean: nearSchema,
});
export const regoParam = z.object({
  rego: z.string().openapi({ param: { name: 'rego', in: 'path' }, example: 'XV04KL' }),
});

const searchRoute = createRoute({
  method: 'get',
  path: '/vehicles',
  summary: 'Search by part of a rego or VIN; without q all vehicles',
  request: {
    query: z.object({ q: z.string().optional(), page: z.string().optional() }),
  },
  responses: {
    200: { description: 'One page of ten vehicles, by rego', content: { 'application/json': { schema: pageSchema } } },
    400: problemResponse('The page is not a whole number from 1'),
  },
});
const vehicleRoute = (shape: z.ZodRawShape) =>
  createRoute({
    method: 'get',
    path: '/vehicles/{rego}',
    summary: 'One vehicle, its verdict today, and what the verdict rests on',
    request: {
      params: regoParam,
      query: z.object({
        on: z
          .string()
          .optional()
          .openapi({ description: 'The vehicle that had the plate on this day', example: '2026-04-01' }),
      }),
    },
    responses: {
      200: {
        description: 'The vehicle',
        content: {
          'application/json': { schema: vehicleSchema.extend({ ...PLATES_SHAPE, ...shape }).openapi('Vehicle') },
        },
      },
      ...regoProblems(),
    },
  });

/** The error responses that every path with a rego shares. */
export function regoProblems() {
  return {
    300: problemResponse('vehicle-several: `matches` are the regos of those with this text, each with its state'),
    400: problemResponse('rego-missing or rego-invalid'),
    404: problemResponse('vehicle-unknown, with `did_you_mean`: regos that look like it'),
    410: problemResponse('vehicle-removed'),
  };
}

export function vehicleRoutes<Found>(
  app: OpenAPIHono,
  { db, config, now }: Pick<Services, 'db' | 'config' | 'now'>,
  beside: ShownBesideVehicle<Found>,
): void {
  app.openAPIRegistry.registerPath(searchRoute);
  app.get(searchRoute.getRoutingPath(), async (context) => {
    const { q = '', page: asked } = context.req.query();
    const page = askedPage(asked);
    if (page === undefined) return problem(400, 'page-invalid', { detail: 'The page must be a whole number from 1.' });
    const found = await searchVehicles(db, q, page);
    const today = todayIn(config.timeZone, now());
    return jsonAnswer<z.infer<typeof pageSchema>>({
      items: found.items.map((vehicle) =>
        presentSummary({ ...vehicle, matchesLog: !found.mismatched.has(vehicle.id) }, today, found.policy),
      ),
      page: found.page,
      pages: found.pages,
      total: found.total,
      did_you_mean: found.total === 0 ? await nearText(db, q) : [],
    });
  });
  const ofVehicle = vehicleRoute(beside.shape);
  const readVehicle = publicVehicleReader(beside);
  app.openAPIRegistry.registerPath(ofVehicle);
  app.get(ofVehicle.getRoutingPath(), async (context) => {
    const parsed = await readRego(db, context.req.param('rego') ?? '');
    if (!parsed.ok) return problem(400, `rego-${parsed.reason}`, { detail: parsed.message });
    const { on } = context.req.query();
    const asked = on === undefined ? await askedNow(db, parsed) : await askedOn(db, parsed.rego, { on, config });
    if (asked instanceof Response) return asked;
    const found = await readVehicle(db, asked.rego);
    if (found.state !== 'live') return noVehicle({ db, config }, asked.rego, found);
    const { vehicle, beside: more } = found.answer;
    const answer = {
      ...presentVehicle(found.answer, todayIn(config.timeZone, now()), config.timeZone),
      asked_plate: asked.former === undefined ? null : presentFormer(asked.former),
      former_plates: (await listFormerPlates(db, vehicle.id)).map(presentFormer),
      ...beside.present(more, vehicle, config.timeZone),
    };
    return jsonAnswer(answer, underOwnName(context.req.param('rego'), vehicle.rego));
  });
}

/** The live vehicle, or the problem response: the rego is missing, invalid, unknown, or its vehicle was removed. */
export async function findVehicleOrProblem(
  { db, config }: Pick<Services, 'db' | 'config'>,
  text: string,
): Promise<Vehicle | Response> {
  const parsed = await readPresentRego(db, text);
  if (!parsed.ok) return problem(400, `rego-${parsed.reason}`, { detail: parsed.message });
  if (parsed.several !== undefined) return severalVehicles(parsed.rego, parsed.several);
  const found = await findVehicle(db, parsed.rego);
  return found.state === 'live' ? found.vehicle : noVehicle({ db, config }, parsed.rego, found);
}

/** The problem response to a (normalised) rego that no live vehicle has. */
export async function noVehicle(
  { db, config }: Pick<Services, 'db' | 'config'>,
  rego: string,
  found: Exclude<FoundVehicle, { state: 'live' }>,
): Promise<Response> {
  if (found.state === 'removed') {
    const on = todayIn(config.timeZone, found.removedAt);
    return problem(410, 'vehicle-removed', {
      detail: `The vehicle with rego ${rego} was removed from this registry on ${formatDay(on)}.`,
      more: { removed_on: on },
    });
  }
  return problem(404, 'vehicle-unknown', {
    detail: `No vehicle with rego ${rego} is in this registry.`,
    more: {
      did_you_mean: await nearText(db, rego),
    },
  });
}

function presentSummary(
  vehicle: ListedVehicle & { matchesLog: boolean },
  today: string,
  policy: ShownPolicy,
): z.infer<typeof summarySchema> {
  return {
    ...presentCore(vehicle, judge(verdictFacts(vehicle), today, policy), { today, policy }),
    certificate: vehicle.certificateFileId === null ? vehicle.certificateUrl : `/files/${vehicle.certificateFileId}`,
  };
}

function presentVehicle(
  { vehicle, files, policy, withdrawnAt, matchesLog }: ShownVehicle<unknown>,
  today: string,
  zone: string,
): z.infer<typeof vehicleSchema> {
  const certificate = files.find((file) => file.role === 'certificate');
  const withdrawnOn = withdrawnAt === null ? null : todayIn(zone, withdrawnAt);
  const judgement = judge({ ...verdictFacts(vehicle), withdrawnOn }, today, policy);
  return {
    ...presentCore({ ...vehicle, matchesLog }, judgement, { today, policy }),
    certificate: certificate === undefined ? null : fileUrl(certificate),
    verdict_sentence: judgement.sentence,
    ...perField('name', OF_PAGE, {
      text: (field) => (field.kind === 'group details' ? withoutSerials : String)(shownText(field, vehicle)),
      day: ({ column }) => vehicle[column],
      yesNo: ({ column }) => vehicle[column],
    }),
    last_calibrated_at: lastCountedAt(vehicle)?.toISOString() ?? null,
    image_urls: files.filter((file) => file.role === 'image').map(fileUrl),
    origin: vehicle.origin,
  };
}

type CoreVehicle = Pick<Vehicle, 'rego' | 'lastCalibratedAt' | (typeof LISTED)[number]['column']>;

function presentCore(
  vehicle: CoreVehicle & { restsOn?: string; matchesLog: boolean },
  { verdict, tick }: Judgement,
  { today, policy }: { today: string; policy: ShownPolicy },
) {
  return {
    rego: vehicle.rego,
    ...perField('name', LISTED, {
      text: (field) => shownText(field, vehicle),
      day: ({ column }) => vehicle[column],
      yesNo: ({ column }) => vehicle[column],
    }),
    valid_calibration: tick && vehicle.matchesLog,
    matches_log: vehicle.matchesLog,
    verdict,
    due_in_force: vehicle.nextCalibrationDueOn !== null && isDueInForce(vehicle),
    as_at: today,
    policy_version: policy.version,
  };
}
