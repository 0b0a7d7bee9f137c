// Reads of visits.
import { sql, type Selectable } from 'kysely';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { named } from '#app/platform/database/named-columns.server.ts';
import type { Tables } from '#database/tables.ts';
import { z } from 'zod';
import { CHECK_NAMES, CHECK_RULES } from '#app/policy/policy.ts';
import type { CheckResult } from './visit-checks.ts';
import type { Decision, ReadingPlace } from './visit.ts';

/** A visit, with the person whose visit it is: null for a technician who is not known. */
export type VisitRow = Selectable<Tables['visit']> & { personId: string | null; technicianName: string | null };

const checksSchema = z.array(
  z.object({
    check: z.enum(CHECK_NAMES),
    rule: z.enum(CHECK_RULES),
    answer: z.enum(['passed', 'failed', 'cannot be told']),
    sentence: z.string(),
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
export type OpenVisit = {
  id: string;
  vehicleId: string;
  personId: string | null;
  openedAt: Date;
  isConfirmed: boolean;
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

/** The open visits on these vehicles. Call it after they are locked: nobody else opens or closes one then. */
export async function openVisits(tx: Tx, vehicleIds: readonly string[]): Promise<OpenVisit[]> {
  if (vehicleIds.length === 0) return [];
  const { rows } = await sql<OpenVisit>`select ${OPEN_VISIT} from visit v join actor a on a.id = v.technician_id
    where v.vehicle_id = any(${vehicleIds}::uuid[]) and v.state = 'open'`.execute(tx.withoutPlugins());
  return rows;
}
