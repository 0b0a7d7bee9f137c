// Weighbridges as public JSON. Who recorded what, and why a period was withdrawn, is private.
import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi';
import { jsonAnswer } from '#app/platform/http/json-answer.server.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';
import { problemResponse } from '#app/platform/http/problem-response.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import {
  findCoverage,
  findReference,
  findReferences,
  listRepairs,
  listVerifications,
  type FoundReference,
} from './queries.server.ts';
import { STATES } from './reference.ts';
import { WITHDRAWAL_REASONS } from './withdrawal.ts';
import { listWithdrawals } from './withdrawal-queries.server.ts';

const LIMIT = { standard: 10, most: 50 };
const LIMIT_PATTERN = /^[1-9]\d?$/;

const day = z.string().openapi({ example: '2027-03-09' });
const foundSchema = z
  .object({
    id: z.string().openapi({ example: '5b2f6c1e-8f0a-4a53-9a3c-2f1f4f6f7a10' }),
    name: z.string().openapi({ example: 'Example Creek weighbridge' }),
    place: z.string(),
    state: z.enum(STATES.map(({ value }) => value)),
    verified_to: day.nullable().openapi({ description: 'The last day that a recorded verification covers' }),
  })
  .openapi('WeighbridgeSummary');
const referenceSchema = foundSchema
  .extend({
    latitude: z.string().openapi({ description: 'Degrees as decimal text; empty: not known', example: '-33.8688' }),
    longitude: z.string(),
    operator: z.string(),
    capacity_kg: z.int().nullable(),
    interval_kg: z.int().nullable().openapi({ description: 'The verification interval e' }),
    licence: z.string().openapi({ description: 'Of a public weighbridge' }),
    verified_today: z.boolean(),
    as_at: day.openapi({ description: "The day of `verified_today`, in the registry's time zone" }),
    verifications: z.array(
      z.object({
        certificate_number: z.string(),
        from: day,
        to: day,
        certificate: z.string().nullable(),
        withdrawn_at: z.string().nullable().openapi({ description: 'When it was withdrawn as wrong. ISO 8601, UTC' }),
      }),
    ),
    repairs: z.array(z.object({ on: day, note: z.string() })),
    withdrawals: z
      .array(z.object({ from: day, to: day, reason: z.enum(WITHDRAWAL_REASONS.map(({ reason }) => reason)) }))
      .openapi({ description: 'In force: the visits weighed there on these days are held back' }),
  })
  .openapi('Weighbridge');

const searchRoute = createRoute({
  method: 'get',
  path: '/references',
  summary: 'Weighbridges of the register by part of their name, place, state or operator',
  request: { query: z.object({ q: z.string().optional(), limit: z.string().optional() }) },
  responses: {
    200: {
      description: 'The first that match. `limit`: 10 by default, at most 50',
      content: { 'application/json': { schema: z.object({ items: z.array(foundSchema) }) } },
    },
    400: problemResponse('limit-invalid'),
  },
});
const referenceRoute = createRoute({
  method: 'get',
  path: '/references/{id}',
  summary: 'One weighbridge with its verification periods and repairs',
  request: { params: z.object({ id: z.string().openapi({ param: { name: 'id', in: 'path' } }) }) },
  responses: {
    200: { description: 'The weighbridge', content: { 'application/json': { schema: referenceSchema } } },
    404: problemResponse('reference-unknown'),
  },
});

export function referenceRoutes(app: OpenAPIHono, { db, config, now }: Pick<Services, 'db' | 'config' | 'now'>): void {
  app.openAPIRegistry.registerPath(searchRoute);
  app.get(searchRoute.getRoutingPath(), async (context) => {
    const { q = '', limit = String(LIMIT.standard) } = context.req.query();
    if (!LIMIT_PATTERN.test(limit) || Number(limit) > LIMIT.most)
      return problem(400, 'limit-invalid', { detail: `The limit must be a whole number from 1 to ${LIMIT.most}.` });
    const found = await findReferences(db, q.slice(0, 100), Number(limit));
    return jsonAnswer({ items: found.map(presentFound) });
  });
  app.openAPIRegistry.registerPath(referenceRoute);
  app.get(referenceRoute.getRoutingPath(), async (context) => {
    const reference = await findReference(db, context.req.param('id') ?? '');
    if (reference === undefined)
      return problem(404, 'reference-unknown', { detail: 'No weighbridge with this id is in this register.' });
    const { id } = reference;
    const today = todayIn(config.timeZone, now());
    const [verifications, repairs, coverage, withdrawals] = await Promise.all([
      listVerifications(db, id),
      listRepairs(db, id),
      findCoverage(db, id, today),
      listWithdrawals(db, id),
    ]);
    return jsonAnswer<z.infer<typeof referenceSchema>>({
      ...presentFound({ ...reference, ...coverage }),
      latitude: reference.latitude,
      longitude: reference.longitude,
      operator: reference.operator,
      capacity_kg: reference.capacityKg,
      interval_kg: reference.intervalKg,
      licence: reference.publicLicence,
      verified_today: coverage.coveredTo !== null,
      as_at: today,
      verifications: verifications.map(({ certificateNumber, fromOn, toOn, fileId, removedAt }) => ({
        certificate_number: certificateNumber,
        from: fromOn,
        to: toOn,
        certificate: fileId === null || removedAt !== null ? null : `/files/${fileId}`,
        withdrawn_at: removedAt?.toISOString() ?? null,
      })),
      repairs: repairs.map(({ onDay, note }) => ({ on: onDay, note })),
      withdrawals: withdrawals
        .filter(({ confirmedAt, liftedAt }) => confirmedAt !== null && liftedAt === null)
        .map(({ fromOn: from, toOn: to, reason }) => ({ from, to, reason })),
    });
  });
}

const presentFound = ({ id, name, place, state, verifiedTo }: FoundReference): z.infer<typeof foundSchema> => ({
  id,
  name,
  place,
  state,
  verified_to: verifiedTo,
});
