// Calibrations as public JSON, field by field under the specification's names.
import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi';
import { formatInstant } from '#app/platform/time/calendar.ts';
import { askedPage, pageHeaders, pageLinks, pageQuery } from '#app/platform/http/api-pages.server.ts';
import { jsonAnswer } from '#app/platform/http/json-answer.server.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';
import { problemResponse } from '#app/platform/http/problem-response.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { answerProof } from '#app/transparency-log/answer-proof.server.ts';
import { proveRecord } from '#app/transparency-log/prove-record.server.ts';
import { noVehicle, regoParam, regoProblems } from '#app/vehicles/api.server.ts';
import { severalVehicles, underOwnName } from '#app/vehicles/plates-api.server.ts';
import { readPresentRego, readRego } from '#app/vehicles/read-rego.server.ts';
import { isRecordRego } from '#app/vehicles/vehicle.ts';
import { AXLES } from '#app/vehicles/axle.ts';
import { OUTPUTS } from '#app/vehicles/outputs.ts';
import { CALIBRATION_ATTRIBUTES, parseCalibrationId, unitOf } from './calibration.ts';
import { READINGS_PER_PAGE, readPublicReadings, type PublicReading } from './public-readings.server.ts';
import { findCalibration, type Calibration } from './queries.server.ts';

const calibrationSchema = z
  .object({
    id: z.int().openapi({ description: 'Time of recording in milliseconds since 1970, unique within the rego' }),
    rego: z.string(),
    axle_type: z.enum(AXLES.map((known) => known.axle)),
    calibration_attribute: z.enum(CALIBRATION_ATTRIBUTES.map((known) => known.attribute)),
    calibration_value: z.string().openapi({ description: 'Decimal text, exactly as entered' }),
    unit: z.enum([...OUTPUTS, 'kg']),
    left_and_right: z.array(z.string()).nullable().openapi({
      description: 'What the left and the right sensor said; the value is their mean. Null: one sensor, or a weight',
    }),
    calibration_date_time: z.string().openapi({ description: "In the registry's time zone, formatted for people" }),
    calibrated_at: z.string().openapi({ description: 'ISO 8601, UTC' }),
    calibrating_technician: z.string(),
    calibration_due_date: z.string().nullable(),
    origin: z.enum(['recorded', 'imported']),
    corrects: z.int().nullable().openapi({ description: 'The entry that this one corrects' }),
    correction_reason: z.string(),
    corrected_by: z.int().nullable().openapi({ description: 'The correction that supersedes this one' }),
  })
  .openapi('Calibration');
const pageSchema = z
  .object({
    items: z.array(
      calibrationSchema.extend({
        matches_log: z.boolean().openapi({
          description: 'Whether the reading is the same as in the public log. If false, do not rely on it',
        }),
      }),
    ),
    page: z.int(),
    pages: z.int().openapi({ description: 'More than 1: these are not all readings. Ask on with `page`' }),
    total: z.int().openapi({ description: 'How many readings there are on all pages' }),
    missing: z.array(z.int()).openapi({
      description:
        'Ids that the public log has between the readings of this page, and this registry has no longer. Readings are never removed: if there are any, do not rely on the history',
    }),
  })
  .openapi('CalibrationPage');

const listRoute = createRoute({
  method: 'get',
  path: '/vehicles/{rego}/calibrations',
  summary: "A vehicle's readings, newest first, in pages",
  request: { params: regoParam, query: pageQuery(READINGS_PER_PAGE) },
  responses: {
    200: {
      description: 'One page of readings. Without `page` it is the first, so the newest readings',
      headers: pageHeaders,
      content: { 'application/json': { schema: pageSchema } },
    },
    ...regoProblems(),
    400: problemResponse('rego-missing, rego-invalid, or page-invalid: not a whole number from 1'),
  },
});
const oneRoute = createRoute({
  method: 'get',
  path: '/vehicles/{rego}/calibrations/{id}',
  summary: 'One reading, also of a vehicle that was removed since',
  request: { params: regoParam.extend({ id: z.string().openapi({ param: { name: 'id', in: 'path' } }) }) },
  responses: {
    200: { description: 'The reading', content: { 'application/json': { schema: calibrationSchema } } },
    400: problemResponse('rego-missing, rego-invalid or calibration-invalid'),
    404: problemResponse('calibration-unknown'),
  },
});

const proofRoute = createRoute({
  method: 'get',
  path: '/vehicles/{rego}/calibrations/{id}/proof',
  summary: 'Proof that the reading is in the public log (c2sp.org/tlog-proof), verified offline with the log’s key',
  request: oneRoute.request,
  responses: {
    200: { description: 'The proof file', content: { 'text/plain': { schema: z.string() } } },
    400: problemResponse('rego-missing, rego-invalid or calibration-invalid'),
    404: problemResponse('calibration-unknown'),
    503: problemResponse('proof-waiting: not signed yet'),
  },
});

export function calibrationRoutes(app: OpenAPIHono, { db, config }: Services): void {
  app.openAPIRegistry.registerPath(listRoute);
  app.get(listRoute.getRoutingPath(), async (context) => {
    const parsed = await readPresentRego(db, context.req.param('rego') ?? '');
    if (!parsed.ok) return problem(400, `rego-${parsed.reason}`, { detail: parsed.message });
    if (parsed.several !== undefined) return severalVehicles(parsed.rego, parsed.several);
    const page = askedPage(context.req.query('page'));
    if (page === undefined) return problem(400, 'page-invalid', { detail: 'The page must be a whole number from 1.' });
    const found = await readPublicReadings(db, parsed.rego, page);
    if (found.state !== 'live') return noVehicle({ db, config }, parsed.rego, found);
    const { items, ...rest } = found.readings;
    const answer: z.infer<typeof pageSchema> = {
      items: items.map(({ matchesLog, ...reading }) => ({
        ...present(reading, config.timeZone),
        matches_log: matchesLog,
      })),
      ...rest,
    };
    const link = pageLinks(new URL(context.req.url).pathname, rest);
    return jsonAnswer(answer, { link, ...underOwnName(context.req.param('rego'), parsed.rego) });
  });
  app.openAPIRegistry.registerPath(oneRoute);
  app.get(oneRoute.getRoutingPath(), async (context) => {
    const reading = await findReadingOrProblem(db, context.req.param());
    if (reading instanceof Response) return reading;
    return jsonAnswer(present(reading, config.timeZone));
  });
  app.openAPIRegistry.registerPath(proofRoute);
  app.get(proofRoute.getRoutingPath(), async (context) => {
    const reading = await findReadingOrProblem(db, context.req.param());
    if (reading instanceof Response) return reading;
    const ref = { table: 'calibration', key: `${reading.rego}/${reading.id}` } as const;
    return answerProof(await proveRecord({ db, config }, ref, 'first'), `${reading.rego}-${reading.id}`);
  });
}

async function findReadingOrProblem(
  db: Services['db'],
  params: { rego?: string; id?: string },
): Promise<Calibration | Response> {
  const { rego: text = '' } = params;
  const id = parseCalibrationId(params.id ?? '');
  // A reading keeps the rego under which it was recorded, whoever has the plate now.
  const known = id === undefined || !isRecordRego(text) ? undefined : await findCalibration(db, text, id);
  if (known !== undefined) return known;
  const parsed = await readRego(db, text);
  if (!parsed.ok) return problem(400, `rego-${parsed.reason}`, { detail: parsed.message });
  if (id === undefined)
    return problem(400, 'calibration-invalid', { detail: 'A calibration is named by a whole number.' });
  const reading = await findCalibration(db, parsed.rego, id);
  return (
    reading ??
    problem(404, 'calibration-unknown', { detail: `No calibration ${id} is recorded under rego ${parsed.rego}.` })
  );
}

function present(reading: PublicReading, zone: string): z.infer<typeof calibrationSchema> {
  return {
    id: reading.id,
    rego: reading.rego,
    axle_type: reading.axle,
    calibration_attribute: reading.attribute,
    calibration_value: reading.value,
    unit: unitOf(reading.attribute, reading.unit),
    left_and_right: reading.sides?.split(' ') ?? null,
    calibration_date_time: formatInstant(reading.calibratedAt, zone),
    calibrated_at: reading.calibratedAt.toISOString(),
    calibrating_technician: reading.technicianName ?? 'Anonymous',
    calibration_due_date: reading.dueOn,
    origin: reading.origin,
    corrects: reading.correctsId,
    correction_reason: reading.correctionReason,
    corrected_by: reading.supersededBy,
  };
}
