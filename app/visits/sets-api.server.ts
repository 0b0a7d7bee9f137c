// Calibration sets as public JSON: the readings of one axle at one visit, their line, and its agreement with the
// previous line.
import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi';
import { sql } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';
import { askedPage, pageHeaders, pageLinks, pageQuery } from '#app/platform/http/api-pages.server.ts';
import { jsonAnswer } from '#app/platform/http/json-answer.server.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';
import { problemResponse } from '#app/platform/http/problem-response.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { answerProof } from '#app/transparency-log/answer-proof.server.ts';
import { proveRecord } from '#app/transparency-log/prove-record.server.ts';
import { recordName, type RecordRef, stateOf, type RecordState } from '#app/transparency-log/record-snapshot.server.ts';
import type { RecordTable } from '#database/log-tables.ts';
import { keepFound } from '#app/transparency-log/history-checks.server.ts';
import { mismatchedRecords } from '#app/transparency-log/record-states.server.ts';
import { findVehicleOrProblem, regoParam, regoProblems } from '#app/vehicles/api.server.ts';
import { underOwnName } from '#app/vehicles/plates-api.server.ts';
import { OUTPUTS } from '#app/vehicles/outputs.ts';
import { formatFraction } from '#app/readings/fraction.ts';
import { photoAddresses, technicianOf } from './history.ts';
import { checkLoad, checkLoads, errorAtLoad, presentError } from './check-loads.server.ts';
import { axleNames, factList, FACT_LISTS } from './fact-lists.server.ts';
import { LIFT_AXLE_POSITIONS, perFact } from '#app/readings/visit-fact.ts';
import { setsOf, type Found } from './found-sets.server.ts';
import { VISIT_STATES } from './visit.ts';

/** The decimals of computed values. */
const PLACES = 6;

const decimal = z.string().openapi({ description: 'Decimal text', example: '4787.610619' });
const setSchema = z
  .object({
    id: z.string().openapi({ description: 'Unique within the rego', example: '1763076120000-steer' }),
    visit: z.string().nullable().openapi({
      description: 'The same for all axles of a visit that was recorded together; null where readings were grouped',
    }),
    state: z
      .enum(VISIT_STATES.map((known) => known.state))
      .nullable()
      .openapi({
        description:
          'The state of its visit: only counts, accepted and taken-over move the due date; null where readings were grouped',
      }),
    axle_type: axleNames,
    calibrated_at: z.string().openapi({ description: 'ISO 8601, UTC, as stated' }),
    calibrating_technician: z.string(),
    readings: z
      .array(z.int())
      .openapi({ description: 'The ids of its calibrations, without those that were corrected' }),
    unit: z.enum(OUTPUTS).nullable().openapi({ description: 'Of the output; null where there is no line' }),
    line: z.object({ slope_kg_per_volt: decimal, offset_kg: decimal }).nullable().openapi({
      description:
        'kg = slope × output + offset, rounded to six decimals; the slope is in kg for one `unit`, whatever its name. Null where the readings do not give a line',
    }),
    check_load: checkLoad.nullable().openapi({
      description: 'Another load, weighed after adjustment; the error is the mass by the line minus the weighed mass',
    }),
    more_check_loads: z.array(checkLoad).openapi({ description: 'Beside the first' }),
    whole_at_check_load: errorAtLoad.nullable().openapi({
      description: 'All groups of its visit on the deck, against the ticket of the whole; null: none was weighed',
    }),
    as_found: z
      .object({ empty_kg: decimal.nullable(), loaded_kg: decimal.nullable() })
      .openapi({ description: 'What the display showed before adjustment' }),
    sensor_replaced: z.boolean(),
    other_trailer: z.boolean(),
    ...perFact('field', {
      line: () => z.string(),
      choice: () => z.enum(['', ...LIFT_AXLE_POSITIONS]),
      groups: ({ kind }) => FACT_LISTS[kind],
    }),
    photo: z.string().nullable().openapi({ description: 'The first. Null too where an administrator hid it' }),
    photos: z.array(z.string()),
    captured_at: z.string().nullable().openapi({
      description: 'When a phone without reception captured the visit, by the phone’s clock; null for others',
    }),
    received_at: z.string().nullable(),
    agreement: z.object({
      answer: z.enum(['consistent', 'inconsistent', 'not-enough-data']),
      why: z.enum(['no-line', 'nothing-before', 'sensor-replaced', 'other-unit']).nullable(),
      reference_kg: z.int().nullable(),
      difference_kg: decimal.nullable(),
      allowed_kg: decimal.nullable(),
      policy_version: z.int().openapi({ description: 'The policy version with this tolerance: see /policies' }),
    }),
  })
  .openapi('CalibrationSet');
const pageSchema = z
  .object({
    items: z.array(
      setSchema.extend({
        matches_log: z.boolean().openapi({
          description:
            'Whether its readings, the set and its visit are the same as in the public log. If false, do not rely on it',
        }),
      }),
    ),
    page: z.int(),
    pages: z.int().openapi({ description: 'More than 1: these are not all sets. Ask on with `page`' }),
    total: z.int().openapi({ description: 'How many sets there are on all pages' }),
  })
  .openapi('CalibrationSetPage');
const SETS_PER_PAGE = 100;

const listRoute = createRoute({
  method: 'get',
  path: '/vehicles/{rego}/sets',
  summary: "A vehicle's calibration sets, newest first, in pages: each axle of each visit",
  request: { params: regoParam, query: pageQuery(SETS_PER_PAGE) },
  responses: {
    200: {
      description: 'One page of sets. Without `page` it is the first, so the newest sets',
      headers: pageHeaders,
      content: { 'application/json': { schema: pageSchema } },
    },
    ...regoProblems(),
    400: problemResponse('rego-missing, rego-invalid, or page-invalid: not a whole number from 1'),
  },
});
const oneParams = regoParam.extend({ id: z.string().openapi({ param: { name: 'id', in: 'path' } }) });
const { 404: unknown, ...otherProblems } = regoProblems();
const oneRoute = createRoute({
  method: 'get',
  path: '/vehicles/{rego}/sets/{id}',
  summary: 'One calibration set',
  request: { params: oneParams },
  responses: {
    200: { description: 'The set', content: { 'application/json': { schema: setSchema } } },
    ...otherProblems,
    404: problemResponse(`${unknown.description} or set-unknown`),
  },
});
const proofRoute = createRoute({
  method: 'get',
  path: '/vehicles/{rego}/sets/{id}/proof',
  summary: 'Proof that the visit is in the public log (c2sp.org/tlog-proof); each of its readings has its own',
  request: { params: oneParams },
  responses: {
    200: { description: 'The proof file', content: { 'text/plain': { schema: z.string() } } },
    ...otherProblems,
    404: problemResponse(`${unknown.description}, set-unknown, or set-grouped: it was not recorded as one`),
    503: problemResponse('proof-waiting: not signed yet'),
  },
});

export function setRoutes(app: OpenAPIHono, { db, config }: Services): void {
  app.openAPIRegistry.registerPath(listRoute);
  app.get(listRoute.getRoutingPath(), async (context) => {
    const vehicle = await findVehicleOrProblem({ db, config }, context.req.param('rego') ?? '');
    if (vehicle instanceof Response) return vehicle;
    const asked = askedPage(context.req.query('page'));
    if (asked === undefined) return problem(400, 'page-invalid', { detail: 'The page must be a whole number from 1.' });
    const sets = await setsOf(db, vehicle);
    const pages = Math.max(1, Math.ceil(sets.length / SETS_PER_PAGE));
    const page = Math.min(asked, pages);
    const shown = sets.slice((page - 1) * SETS_PER_PAGE, page * SETS_PER_PAGE);
    const mismatched = await mismatchedSets(db, vehicle.id, shown);
    const link = pageLinks(new URL(context.req.url).pathname, { page, pages });
    const items = shown.map((set) => ({ ...present(set), matches_log: !mismatched.has(set) }));
    return jsonAnswer<z.infer<typeof pageSchema>>(
      { items, page, pages, total: sets.length },
      { link, ...underOwnName(context.req.param('rego'), vehicle.rego) },
    );
  });
  const findSet = async ({ rego = '', id = '' }: { rego?: string; id?: string }): Promise<Found | Response> => {
    const vehicle = await findVehicleOrProblem({ db, config }, rego);
    if (vehicle instanceof Response) return vehicle;
    const found = (await setsOf(db, vehicle)).find(({ measured }) => measured.key === id);
    return (
      found ??
      problem(404, 'set-unknown', { detail: `No calibration set of this name is recorded under ${vehicle.rego}.` })
    );
  };
  app.openAPIRegistry.registerPath(oneRoute);
  app.get(oneRoute.getRoutingPath(), async (context) => {
    const found = await findSet(context.req.param());
    return found instanceof Response ? found : jsonAnswer(present(found));
  });
  app.openAPIRegistry.registerPath(proofRoute);
  app.get(proofRoute.getRoutingPath(), async (context) => {
    const found = await findSet(context.req.param());
    if (found instanceof Response) return found;
    const { recorded, measured } = found;
    if (recorded === undefined)
      return problem(404, 'set-grouped', {
        detail: 'This set was not recorded as one. Each of its readings has a proof.',
      });
    const proof = await proveRecord({ db, config }, { table: 'calibration_set', key: recorded.id }, 'first');
    return answerProof(proof, `${measured.group.first.rego}-${recorded.id}`);
  });
}

// Whose readings, set or visit are not what was logged.
async function mismatchedSets(db: Db, vehicleId: string, shown: readonly Found[]): Promise<ReadonlySet<Found>> {
  const recordsOf = ({ measured: { group }, recorded }: Found): RecordRef[] => [
    ...group.counting.map(({ rego, id }) => ({ table: 'calibration' as const, key: `${rego}/${id}` })),
    ...(recorded === undefined ? [] : [{ table: 'calibration_set' as const, key: recorded.id }]),
    ...(group.first.visitId === null ? [] : [{ table: 'visit' as const, key: group.first.visitId }]),
  ];
  const keys = (table: RecordTable) =>
    shown.flatMap((set) => recordsOf(set).flatMap((ref) => (ref.table === table ? [ref.key] : [])));
  const readings = shown.flatMap(({ measured }) => measured.group.counting.map(({ id }) => id));
  const { rows } = await sql<{ record: RecordState }>`
    select ${stateOf('calibration', 'a')} as record from calibration t left join actor a on a.id = t.technician_id
      where t.vehicle_id = ${vehicleId} and t.id = any(${readings}::bigint[])
    union all select ${stateOf('calibration_set', 'a')} from calibration_set t left join actor a on a.id = t.technician_id
      where t.id = any(${keys('calibration_set')}::uuid[])
    union all select ${stateOf('visit')} from visit t where t.id = any(${keys('visit')}::uuid[])`.execute(
    db.withoutPlugins(),
  );
  const names = await mismatchedRecords(
    db,
    rows.map(({ record }) => record),
  );
  await keepFound(db, shown[0]?.measured.group.first.rego ?? '', [...names.values()]);
  return new Set(shown.filter((set) => recordsOf(set).some((ref) => names.has(recordName(ref)))));
}

function present({ measured, recorded, state, errors }: Found): z.infer<typeof setSchema> {
  const { key, axle, at, group, line, extras, agreement } = measured;
  const isHeld = agreement.answer !== 'not-enough-data';
  const checks = checkLoads(measured, errors);
  const whole = errors.find((told) => told.axle === null);
  return {
    id: key,
    visit: group.setId,
    state,
    axle_type: axle,
    calibrated_at: at.toISOString(),
    calibrating_technician: technicianOf([group.first, ...group.counting]),
    readings: group.counting.map(({ id }) => id),
    unit: line?.unit ?? null,
    line:
      line === undefined
        ? null
        : {
            slope_kg_per_volt: formatFraction(line.slope, PLACES),
            offset_kg: formatFraction(line.offset, PLACES),
          },
    check_load: checks[0] ?? null,
    more_check_loads: checks.slice(1),
    whole_at_check_load: whole === undefined ? null : presentError(whole),
    as_found: { empty_kg: extras?.as_found_empty ?? null, loaded_kg: extras?.as_found_loaded ?? null },
    sensor_replaced: extras?.sensor_replaced ?? false,
    other_trailer: extras?.other_trailer ?? false,
    ...perFact('field', {
      line: ({ column }) => recorded?.[column] ?? '',
      choice: ({ column }) => recorded?.[column] ?? '',
      groups: ({ kind, column }) => factList(kind, recorded?.[column] ?? ''),
    }),
    photo: photoAddresses(recorded)[0] ?? null,
    photos: photoAddresses(recorded),
    captured_at: recorded?.capturedAt?.toISOString() ?? null,
    received_at: recorded?.receivedAt?.toISOString() ?? null,
    agreement: {
      answer: agreement.answer,
      why: isHeld ? null : agreement.why,
      reference_kg: isHeld ? agreement.referenceKg : null,
      difference_kg: isHeld ? formatFraction(agreement.difference, PLACES) : null,
      allowed_kg: isHeld ? formatFraction(agreement.allowed, PLACES) : null,
      policy_version: agreement.tolerance.version,
    },
  };
}
