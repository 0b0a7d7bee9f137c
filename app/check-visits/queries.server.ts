// Reads of check visits.
import { sql, type RawBuilder, type Selectable } from 'kysely';
import { named } from '#app/platform/database/named-columns.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { stateOf, type RecordState } from '#app/transparency-log/record-snapshot.server.ts';
import type { Tables } from '#database/tables.ts';
import type { PublicCheckVisit } from './check-visit.ts';

export type CheckVisitRow = Selectable<Tables['checkVisit']>;

/** The one that is wanted of this truck. */
export const openCheckVisit = (db: Db | Tx, vehicleId: string): Promise<CheckVisitRow | undefined> =>
  db
    .selectFrom('checkVisit')
    .selectAll()
    .where('vehicleId', '=', vehicleId)
    .where('state', '=', 'open')
    .executeTakeFirst();

/** Those that are open or done, the newest first. Call it after the truck is locked: nobody else changes them then. */
export const checkVisitsToSettle = (tx: Tx, vehicleId: string): Promise<CheckVisitRow[]> =>
  tx
    .selectFrom('checkVisit')
    .selectAll()
    .where('vehicleId', '=', vehicleId)
    .where('state', 'in', ['open', 'done'])
    .orderBy('askedAt', 'desc')
    .orderBy('id')
    .execute();

/** Of those that were drawn or asked for in the last twelve months, how many are done. */
export async function countDoneCheckVisits(db: Db, now: Date): Promise<{ done: number; all: number }> {
  const { rows } = await sql<{ done: number; all: number }>`select count(*) filter (where state = 'done') as done,
    count(*) as all from check_visit where asked_at > ${now}::timestamptz - interval '12 months'`.execute(db);
  return rows[0] ?? { done: 0, all: 0 };
}

const PUBLIC = named<PublicCheckVisit>({
  state: 'k.state',
  visitId: 'k.visit_id',
  visitedOn: 'checked.visited_on',
  untilOn: 'k.until_on',
  closedBy: 'k.closed_by',
  closedOn: 'closing.visited_on',
  result: 'k.result',
});

/** The open check visit of a truck, else its last, as SQL over the alias `k`. Of one moment that which was done. */
export const lastCheckVisitOf = (vehicleId: RawBuilder<unknown>): RawBuilder<PublicCheckVisit> =>
  sql`select k.id, ${PUBLIC} from check_visit k join visit checked on checked.id = k.visit_id
    left join visit closing on closing.id = k.closed_by
    where k.vehicle_id = ${vehicleId} order by k.state = 'open' desc, k.asked_at desc, k.state = 'done' desc, k.id limit 1`;

/** The same with the state of its record, which the log must match for it to be shown as such. */
export const lastCheckVisitWithState = (
  vehicleId: RawBuilder<unknown>,
): RawBuilder<PublicCheckVisit & { record: RecordState }> =>
  sql`select last.*, (select ${stateOf('check_visit')} from check_visit t where t.id = last.id) as record
    from (${lastCheckVisitOf(vehicleId)}) last`;

/** What was asked or drawn about this visit last, for admins; `by`: who asked, null where it was drawn. */
export type AskedCheckVisit = CheckVisitRow & { by: string | null; closedOn: string | null };

export const lastAbout = (db: Db | Tx, visitId: string): Promise<AskedCheckVisit | undefined> =>
  db
    .selectFrom('checkVisit')
    .leftJoin('actor', 'actor.id', 'checkVisit.askedBy')
    .leftJoin('visit as closing', 'closing.id', 'checkVisit.closedBy')
    .selectAll('checkVisit')
    .select(['actor.name as by', 'closing.visitedOn as closedOn'])
    .where('checkVisit.visitId', '=', visitId)
    .orderBy('checkVisit.askedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
