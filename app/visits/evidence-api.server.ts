// What a vehicle's verdict rests on, as public JSON: part of the vehicle's own answer. Who decided, and the notes of
// admins, are not among it.
import { z } from '@hono/zod-openapi';
import { sql } from 'kysely';
import { CHECK_VISIT_RESULTS, type PublicCheckVisit } from '#app/check-visits/check-visit.ts';
import { lastCheckVisitWithState } from '#app/check-visits/queries.server.ts';
import type { InJson } from '#app/platform/database/database.server.ts';
import { instantOf, todayIn } from '#app/platform/time/calendar.ts';
import { CHECK_NAMES, CHECK_RULES } from '#app/policy/policy.ts';
import type { RecordState } from '#app/transparency-log/record-snapshot.server.ts';
import type { ShownBesideVehicle } from '#app/vehicles/api.server.ts';
import { ruledAt } from '#app/vehicles/due-date.server.ts';
import type { PublicVehicle } from '#app/vehicles/public-vehicle.server.ts';
import { decisionOf, evidenceOf, type VisitOfTruck } from './evidence.ts';
import { DECISION_REASONS, VISIT_STATES } from './visit.ts';
import { whyItWaits } from './why-it-waits.ts';
import { checkName } from './visit-checks.ts';
import { rulingVisitOf, visitFromJson, waitingVisitsOf, type VisitWithStates } from './visit-queries.server.ts';

const STATES = VISIT_STATES.map(({ state }) => state);
const REASONS = DECISION_REASONS.map(({ reason }) => reason);
const day = z.string().nullable().openapi({ example: '2027-05-14' });

const checkSchema = z
  .object({
    check: z.enum(CHECK_NAMES),
    name: z.string(),
    rule: z
      .enum(CHECK_RULES)
      .openapi({ description: 'A check that must be passed holds a visit back; one that is noted does not' }),
    answer: z.enum(['passed', 'failed', 'cannot be told']),
    sentence: z.string(),
  })
  .openapi('Check');
const decisionSchema = z
  .object({
    decision: z.enum(['accepted', 'set-aside']),
    reason: z.enum(['', ...REASONS]),
    decided_at: z.string(),
    only_administrator: z.boolean().openapi({
      description:
        'No other administrator could have looked. If false, it was decided by one who did not record the visit',
    }),
    administrator_added_days: z.int().nullable().openapi({
      description: 'The administrator had been one for so many days, less than 90; else null',
    }),
  })
  .openapi('Decision');
const evidenceSchema = z
  .object({
    visit: z.string().nullable().openapi({ description: 'Null: taken over from before visits were checked' }),
    visited_on: day,
    state: z.enum(STATES),
    due_on: day,
    set_by_hand: z.boolean().openapi({ description: 'An administrator set the due date' }),
    policy_version: z
      .int()
      .nullable()
      .openapi({ description: 'The rules that the visit was held against: see /policies' }),
    checks: z.array(checkSchema),
    decision: decisionSchema.nullable(),
  })
  .openapi('Evidence');
const waitingSchema = evidenceSchema
  .extend({ why: z.array(z.string()).openapi({ description: 'Why it waits, in sentences' }) })
  .openapi('WaitingVisit');

const checkVisitSchema = z
  .object({
    visit: z.string().openapi({ description: 'The visit that is to be checked' }),
    visited_on: z.string(),
    state: z.enum(['open', 'done']),
    wanted_until: z.string(),
    checked_by: z.string().nullable().openapi({ description: 'The visit of somebody else that closed it' }),
    result: z
      .enum(CHECK_VISIT_RESULTS)
      .nullable()
      .openapi({ description: 'Whether the two visits agree. It moves no verdict' }),
  })
  .openapi('CheckVisit');

/** More of those that wait are only counted. */
const WAITING_MAX = 20;

type FoundEvidence = {
  ruling: InJson<VisitWithStates> | null;
  waiting: InJson<VisitWithStates>[];
  ruledAt: string | null;
  waitingTotal: number;
  checkVisit: InJson<PublicCheckVisit & { record: RecordState }> | null;
};
const SHAPE = {
  evidence: evidenceSchema
    .nullable()
    .openapi({ description: 'The visit that the verdict rests on. Null: nothing counts, or nothing is recorded' }),
  waiting: z.array(waitingSchema).openapi({
    description: `Visits that wait for an administrator, the newest first, at most ${WAITING_MAX}. They change nothing yet`,
  }),
  waiting_total: z.int().openapi({ description: 'How many visits wait, also those that `waiting` leaves out' }),
  check_visit: checkVisitSchema.nullable().openapi({
    description:
      'Somebody else than the technician of a visit is to weigh the truck again, or did. Trucks may also be drawn at random: it says nothing about anybody. Null: none, or the last one ended without a visit',
  }),
};
type EvidenceJson = z.infer<z.ZodObject<typeof SHAPE>>;

const OF_VEHICLE = [sql`v.id`, sql`v.next_calibration_due_on`] as const;

/** What a vehicle's answer gains. It reads the visit that rules and those that wait, and no other. */
export const EVIDENCE: ShownBesideVehicle<FoundEvidence> = {
  shape: SHAPE,
  sql: sql`json_build_object(
    'ruling', (select row_to_json(r) from (${rulingVisitOf(...OF_VEHICLE)}) r),
    'waiting', (select coalesce(json_agg(w), '[]') from (${waitingVisitsOf(...OF_VEHICLE, WAITING_MAX)}) w),
    'ruledAt', ${ruledAt(sql`v.id`)},
    'waitingTotal', (select count(*) from visit where vehicle_id = v.id and state = 'waits'),
    'checkVisit', (select row_to_json(c) from (${lastCheckVisitWithState(sql`v.id`)}) c))`,
  records: ({ ruling, waiting, checkVisit }) => [
    ...[...(ruling === null ? [] : [ruling]), ...waiting].flatMap(({ record, decided }) =>
      decided === null ? [record] : [record, decided],
    ),
    ...(checkVisit === null ? [] : [checkVisit.record]),
  ],
  present: (found, vehicle, zone) => ({
    ...presentEvidence(found, vehicle, zone),
    ...(found.ruledAt === null ? {} : { last_calibrated_at: instantOf(found.ruledAt).toISOString() }),
  }),
};

function presentEvidence(found: FoundEvidence, vehicle: PublicVehicle, zone: string): EvidenceJson {
  const visits = [...(found.ruling === null ? [] : [found.ruling]), ...found.waiting].map(visitFromJson);
  const dayOf = (instant: Date) => todayIn(zone, instant);
  const { ruling, takenOver, waiting } = evidenceOf(vehicle, { visits, before: vehicle.origin }, dayOf);
  const before = takenOver && {
    visit: null,
    visited_on: takenOver.on,
    state: 'taken-over' as const,
    due_on: vehicle.nextCalibrationDueOn,
    set_by_hand: takenOver.visit !== null && takenOver.visit.handDueOn !== null && !takenOver.visit.isDueKept,
    policy_version: null,
    checks: [],
    decision: null,
  };
  return {
    evidence: ruling === null ? before : presentVisit(ruling),
    waiting: waiting.map((visit) => ({
      ...presentVisit(visit),
      why: whyItWaits(visit).map(({ sentence }) => sentence),
    })),
    waiting_total: found.waitingTotal,
    check_visit: presentCheckVisit(found.checkVisit),
  };
}

function presentCheckVisit(last: PublicCheckVisit | null): EvidenceJson['check_visit'] {
  if (last === null || (last.state !== 'open' && last.state !== 'done')) return null;
  const { visitId, visitedOn, state, untilOn, closedBy, result } = last;
  return { visit: visitId, visited_on: visitedOn, state, wanted_until: untilOn, checked_by: closedBy, result };
}

function presentVisit(visit: VisitOfTruck): NonNullable<EvidenceJson['evidence']> {
  const { id, visitedOn, state, dueOn, handDueOn, isDueKept, policyVersion, checks } = visit;
  const decision = decisionOf(visit);
  return {
    visit: id,
    visited_on: visitedOn,
    state,
    due_on: handDueOn ?? dueOn,
    set_by_hand: handDueOn !== null && !isDueKept,
    policy_version: policyVersion,
    checks: checks.map(({ check, rule, answer, sentence }) => ({
      check,
      name: checkName(check),
      rule,
      answer,
      sentence,
    })),
    decision:
      decision === null
        ? null
        : {
            decision: decision.decision,
            reason: REASONS.find((known) => known === decision.reason) ?? '',
            decided_at: decision.at.toISOString(),
            only_administrator: decision.isAlone,
            administrator_added_days: decision.addedDays,
          },
  };
}
