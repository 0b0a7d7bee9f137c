// Queries on applications: the list, one by address, and its lock.
import { sql } from 'kysely';
import { holdsPersonText, listPeople } from '#app/people/people-search.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import type { ListPage } from '#app/platform/database/list-page.server.ts';
import type { Company } from '#app/technicians/queries.server.ts';
import type { ListAddress } from '#app/ui/list-address.ts';

export type Application = Company;

/** How an application ended, and by whom. */
export type Decision = { decision: 'approved' | 'deleted'; decidedAt: Date; by: string };

const OPEN = sql<boolean>`decision is null`;

/** A page of the open applications whose key, email or company contains `text`, newest first. */
export function listApplications(db: Db, { text, page }: ListAddress): Promise<ListPage<Application>> {
  const found = db
    .selectFrom('application')
    .selectAll()
    .where(OPEN)
    .where(holdsPersonText(text, [sql`company_name`]))
    .orderBy('requestedAt', (order) => order.desc().nullsLast())
    .orderBy('email');
  return listPeople(found, page);
}

export type FoundApplication =
  | { state: 'open'; application: Application }
  | { state: 'decided'; application: Application; decided: Decision }
  | { state: 'unknown' };

/** The application of this address: the open one, else the one decided last. */
export async function findApplication(db: Db | Tx, email: string): Promise<FoundApplication> {
  const row = await db
    .selectFrom('application')
    .leftJoin('actor', 'actor.id', 'application.decidedBy')
    .selectAll('application')
    .select(['actor.name as by'])
    .where('application.email', '=', email)
    .orderBy('application.decidedAt', (order) => order.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return { state: 'unknown' };
  const { decision, decidedAt, by, ...application } = row;
  if (decision === null || decidedAt === null) return { state: 'open', application };
  return { state: 'decided', application, decided: { decision, decidedAt, by: by ?? 'Anonymous' } };
}

/** Locks the open application of this address to the end of the transaction. Returns what `findApplication` finds. */
export async function lockApplication(tx: Tx, email: string): Promise<FoundApplication> {
  await tx.selectFrom('application').select('id').where('email', '=', email).where(OPEN).forUpdate().execute();
  return findApplication(tx, email);
}
