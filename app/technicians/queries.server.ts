// Queries on technicians: the list, one by address, and their suspensions.
import { sql } from 'kysely';
import { parseEmailKey } from '#app/people/email.ts';
import { missingPerson } from '#app/people/missing-person.ts';
import { holdsPersonText, listPeople } from '#app/people/people-search.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import type { ListPage } from '#app/platform/database/list-page.server.ts';
import type { ListAddress } from '#app/ui/list-address.ts';

/** What a company says of itself when it applies. The technician's record keeps it. */
export type Company = {
  id: string;
  email: string;
  companyName: string;
  abn: string;
  tradeLicenceNum: string;
  address: string;
  repName: string;
  repContact: string;
  origin: 'recorded' | 'imported';
  requestedAt: Date | null;
};

export type Technician = Company & {
  personId: string;
  /** The first day of the suspension that is not lifted. */
  suspendedFrom: string | null;
  licenceEndsOn: string | null;
  addedAt: Date | null;
  addedBy: string | null;
  deletedAt: Date | null;
  deletedBy: string | null;
};

/** A page of the live technicians whose key, email, company or name contains `text`, newest first. */
export function listTechnicians(
  db: Db,
  { text, page }: ListAddress,
): Promise<ListPage<Pick<Technician, 'email' | 'companyName' | 'abn' | 'tradeLicenceNum'>>> {
  const found = db
    .selectFrom('technician')
    .select(['email', 'companyName', 'abn', 'tradeLicenceNum'])
    .where('deletedAt', 'is', null)
    .where(holdsPersonText(text, [sql`company_name`, sql`rep_name`]))
    .orderBy('addedAt', (order) => order.desc().nullsLast())
    .orderBy('email');
  return listPeople(found, page);
}

/** The technician with this address: the live one, else the one removed last. */
export function findTechnician(db: Db | Tx, email: string): Promise<Technician | undefined> {
  return db
    .selectFrom('technician')
    .leftJoin('actor as adder', 'adder.id', 'technician.addedBy')
    .leftJoin('actor as remover', 'remover.id', 'technician.deletedBy')
    .select(['technician.id', 'technician.personId', 'technician.email', 'technician.companyName', 'technician.abn'])
    .select(['technician.tradeLicenceNum', 'technician.address', 'technician.repName', 'technician.repContact'])
    .select(['technician.origin', 'technician.requestedAt', 'technician.addedAt', 'technician.deletedAt'])
    .select(['technician.suspendedFrom', 'technician.licenceEndsOn'])
    .select(['adder.name as addedBy', 'remover.name as deletedBy'])
    .where('technician.email', '=', email)
    .orderBy('technician.deletedAt', (order) => order.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst();
}

/**
 * The technician with this address, held to the end of the transaction: others who suspend, remove or admit them wait.
 */
export async function lockTechnician(tx: Tx, email: string): Promise<Technician | undefined> {
  await tx.selectFrom('person').select('id').where('email', '=', email).forNoKeyUpdate().execute();
  return findTechnician(tx, email);
}

/** A technician as in the public log, with the name to which it commits. */
export const loggedAs = ({ id, repName, companyName, email }: Technician): { id: string; name: string } => ({
  id,
  name: (repName || companyName || email).slice(0, 200),
});

/** `reason`: for admins only. `endedBy`: null while it is not lifted. */
export type Suspension = Awaited<ReturnType<typeof listSuspensions>>[number];

/** Every suspension of a technician, the latest first. */
export function listSuspensions(db: Db | Tx, technicianId: string) {
  return db
    .selectFrom('suspension')
    .innerJoin('actor as decider', 'decider.id', 'suspension.decidedBy')
    .leftJoin('actor as ender', 'ender.id', 'suspension.endedBy')
    .select(['suspension.id', 'fromOn as from', 'toOn as to', 'reason', 'decidedAt as at', 'endedAt'])
    .select(['decider.name as by', 'ender.name as endedBy'])
    .where('technicianId', '=', technicianId)
    .orderBy('decidedAt', 'desc')
    .orderBy('endedAt', (order) => order.desc().nullsFirst())
    .orderBy('fromOn', 'desc')
    .execute();
}

/** The technician of a page's id. Throws the 404 when there is none. */
export async function requireTechnician(db: Db, id: string): Promise<Technician> {
  const email = parseEmailKey(id);
  const found = email === undefined ? undefined : await findTechnician(db, email);
  if (found === undefined) throw missingPerson('technician', email ?? id);
  return found;
}
