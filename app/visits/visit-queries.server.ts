// Reads of visits.
import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { Db, InJson, Tx } from '#app/platform/database/database.server.ts';
import { named } from '#app/platform/database/named-columns.server.ts';
import { isUuid } from '#app/platform/process/uuid.ts';
import { instantOf } from '#app/platform/time/calendar.ts';
import type { Tables } from '#database/tables.ts';
import { z } from 'zod';
import { addedDaysAt } from '#app/people/two-people.server.ts';
import { CHECK_NAMES, CHECK_RULES } from '#app/policy/policy.ts';
import { stateOf, type RecordState } from '#app/transparency-log/record-snapshot.server.ts';
import { counts, countsText, newestFirst } from '#app/transparency-log/ruling-visit.server.ts';
import { AXLES } from '#app/vehicles/axle.ts';
import { findVehicleById, type Vehicle } from '#app/vehicles/queries.server.ts';
import { CLAIMS, type CheckResult } from './visit-facts.ts';
import type { DecisionOfVisit, VisitOfTruck } from './evidence.ts';
import type { Decision, ReadingPlace } from './visit.ts';

/** A visit, with the person whose visit it is: null for a technician who is not known. */
export type VisitRow = Selectable<Tables['visit']> & { personId: string | null; technicianName: string | null };

const checksSchema = z.array(
  z.object({
    check: z.enum(CHECK_NAMES),
    rule: z.enum(CHECK_RULES),
    answer: z.enum(['passed', 'failed', 'cannot be told']),
    sentence: z.string(),
    numbers: z
      .object({
        agreeing: z.number().optional(),
        axles: z.number().optional(),
        until: z.string().optional(),
        found: z.number().optional(),
        claim: z.enum(CLAIMS).optional(),
        isMissing: z.boolean().optional(),
        isTakenOver: z.boolean().optional(),
        groups: z.array(z.enum(AXLES.map(({ axle }) => axle))).optional(),
      })
      .optional(),
  }),
);

/** The stored answers of a visit; none while it is open, or if it was taken over. */
export const checksOf = (stored: unknown): CheckResult[] => (stored === null ? [] : checksSchema.parse(stored));

const visits = (tx: Db | Tx) =>
  tx
    .selectFrom('visit')
    .leftJoin('actor', 'actor.id', 'visit.technicianId')
    .selectAll('visit')
    .select(['actor.personId', 'actor.name as technicianName']);

/** The visit with this id. Call it after its vehicle is locked: nobody else can change the visit then. */
export const findVisit = (tx: Db | Tx, id: string): Promise<VisitRow | undefined> =>
  visits(tx).where('visit.id', '=', id).executeTakeFirst();

/** The visit with this id, and its vehicle, locked to the end of the transaction. */
export async function lockVisit(tx: Tx, id: string): Promise<{ visit: VisitRow; vehicle: Vehicle } | undefined> {
  const known = isUuid(id)
    ? await tx.selectFrom('visit').select('vehicleId').where('id', '=', id).executeTakeFirst()
    : undefined;
  if (known === undefined) return undefined;
  await tx.selectFrom('vehicle').select('id').where('id', '=', known.vehicleId).forUpdate().execute();
  const vehicle = await findVehicleById(tx, known.vehicleId);
  const visit = await findVisit(tx, id);
  if (vehicle === undefined || visit === undefined) return undefined;
  // Its record was joined with another meanwhile.
  return visit.vehicleId === vehicle.id ? { visit, vehicle } : lockVisit(tx, id);
}

/** What an admin decided about it last. */
export async function lastDecision(tx: Db | Tx, visitId: string): Promise<{ decision: Decision; at: Date } | null> {
  const last = await tx
    .selectFrom('visitDecision')
    .select(['decision', 'decidedAt as at'])
    .where('visitId', '=', visitId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last ?? null;
}

/** An open visit, with its readings that no correction supersedes. */
export type OpenVisit = Pick<VisitRow, 'id' | 'vehicleId' | 'personId' | 'openedAt' | 'isConfirmed'> & {
  readings: (ReadingPlace & { id: number })[];
};

const OPEN_VISIT = named<OpenVisit>({
  id: 'v.id',
  vehicleId: 'v.vehicle_id',
  personId: 'a.person_id',
  openedAt: 'v.opened_at',
  isConfirmed: 'v.is_confirmed',
  readings: `(select coalesce(json_agg(json_build_object('axle', c.axle, 'attribute', c.attribute, 'id', c.id)), '[]')
    from calibration c where c.vehicle_id = v.vehicle_id and c.visit_id = v.id and not exists (
      select from calibration later where later.rego = c.rego and later.corrects_id = c.id))`,
});

/** The open visits on a vehicle. Call it after that is locked: nobody else opens or closes one then. */
export async function openVisits(tx: Tx, vehicleId: string): Promise<OpenVisit[]> {
  const { rows } = await sql<OpenVisit>`select ${OPEN_VISIT} from visit v join actor a on a.id = v.technician_id
    where v.vehicle_id = ${vehicleId} and v.state = 'open'`.execute(tx.withoutPlugins());
  return rows;
}

/** A row of `visitsOf`. */
export type StoredVisit = Omit<VisitOfTruck, 'checks' | 'decisions'> & {
  checks: unknown;
  /** JSON in rows too. */
  decisions: InJson<DecisionOfVisit>[];
};

const VISIT = named<Omit<StoredVisit, 'checks'>>({
  id: 'held.id',
  state: 'held.state',
  isCounting: countsText('held.state'),
  visitedOn: 'held.visited_on',
  closedAt: 'held.closed_at',
  dueOn: 'held.due_on',
  handDueOn: 'held.hand_due_on',
  isDueKept: 'held.due_kept_from is not null',
  policyVersion: 'held.policy_version',
  referenceId: 'held.reference_id',
  isStretched: 'held.is_stretched',
  isHeldByWithdrawal: 'held.before_recall is not null',
  decisions: `(select coalesce(json_agg(json_build_object('decision', d.decision, 'reason', d.reason, 'isAlone', d.is_alone,
      'addedDays', ${addedDaysAt('a.person_id', 'd.decided_at')}, 'by', a.name, 'at', d.decided_at) order by d.id), '[]')
    from visit_decision d join actor a on a.id = d.decided_by where d.visit_id = held.id)`,
});

// The answers of visits that nobody looks at again stay in the database: only those of visits that wait or are partial
// come, and of those with the vehicle's due date, as the one that rules has it.
const withAnswers = (dueOn: RawBuilder<unknown>) => sql`${VISIT}, case when held.state in ('waits', 'partial')
    or coalesce(held.hand_due_on, held.due_on) is not distinct from ${dueOn} then held.checks end as checks`;

/**
 * The visits of a vehicle with their decisions, in the order of the rule: the newest first. As SQL. `dueOn`: the
 * vehicle's due date.
 */
const visitsOf = (vehicleId: RawBuilder<unknown>, dueOn: RawBuilder<unknown>): RawBuilder<StoredVisit> =>
  sql`select ${withAnswers(dueOn)} from visit held where held.vehicle_id = ${vehicleId} order by ${newestFirst('held')}`;

/** The visits whose ids `ids` selects, in the same order. */
export const visitsIn = (ids: RawBuilder<unknown>, dueOn: RawBuilder<unknown>): RawBuilder<StoredVisit> =>
  sql`select ${withAnswers(dueOn)} from visit held where held.id in (${ids}) order by ${newestFirst('held')}`;

/** A visit with its states and that of its last decision, which the log must match for it to be shown as such. */
export type VisitWithStates = StoredVisit & { record: RecordState; decided: RecordState | null };

const withStates = (dueOn: RawBuilder<unknown>) => sql`select ${withAnswers(dueOn)}, (
    select ${stateOf('visit')} from visit t where t.id = held.id) as record, (
    select ${stateOf('visit_decision')} from visit_decision t where t.visit_id = held.id order by t.id desc limit 1) as decided
  from visit held`;

/** The visit that rules, if any, as SQL. It costs the same however many visits there are. */
export const rulingVisitOf = (
  vehicleId: RawBuilder<unknown>,
  dueOn: RawBuilder<unknown>,
): RawBuilder<VisitWithStates> =>
  sql`${withStates(dueOn)} where held.vehicle_id = ${vehicleId}
    and ${counts('held.state')} order by ${newestFirst('held')} limit 1`;

/** The newest visits that wait, `most` of them, as SQL. Found by the index `visit_waits`. */
export const waitingVisitsOf = (
  vehicleId: RawBuilder<unknown>,
  dueOn: RawBuilder<unknown>,
  most: number,
): RawBuilder<VisitWithStates> =>
  sql`${withStates(dueOn)} where held.vehicle_id = ${vehicleId} and held.state = 'waits' order by ${newestFirst('held')} limit ${sql.lit(most)}`;

/** Converts a row, from SQL or from JSON that the database wrote. */
export const visitFromJson = (visit: StoredVisit | InJson<StoredVisit>): VisitOfTruck => ({
  ...visit,
  closedAt: visit.closedAt === null ? null : instantOf(visit.closedAt),
  checks: checksOf(visit.checks),
  decisions: visit.decisions.map((decision) => ({ ...decision, at: instantOf(decision.at) })),
});

/** The visits of one vehicle, the newest first. */
export async function listVisits(
  db: Db | Tx,
  { id, nextCalibrationDueOn }: { id: string; nextCalibrationDueOn: string | null },
): Promise<VisitOfTruck[]> {
  const query = visitsOf(sql`${id}`, sql`${nextCalibrationDueOn}::date`);
  return (await query.execute(db.withoutPlugins())).rows.map(visitFromJson);
}
