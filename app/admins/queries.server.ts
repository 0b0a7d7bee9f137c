// Queries on people of the office: the list of a role, one by address, and the lock for removing one.
import { sql } from 'kysely';
import { noticeEnds } from '#app/people/two-people.server.ts';
import { formatInstant } from '#app/platform/time/calendar.ts';
import { holdsPersonText, listPeople } from '#app/people/people-search.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import type { ListAddress } from '#app/ui/list-address.ts';
import type { StaffRole } from '#database/people-tables.ts';

/** A page of those who have `role` and whose key, address or name contains `text`, ordered by address. */
export function listStaff(db: Db, role: StaffRole, { text, page }: ListAddress) {
  const found = db
    .selectFrom('staff')
    .select(['personId', 'email', 'name', 'roleLabel', 'phone', 'address', 'imageId'])
    .where('role', '=', role)
    .where('deletedAt', 'is', null)
    .where(holdsPersonText(text, [sql`name`]))
    .orderBy('email');
  return listPeople(found, page);
}

/** Who has an address in the office: live, removed, or unknown. */
export type FoundStaff =
  | { state: 'live'; recordId: string; personId: string; name: string; role: StaffRole }
  | { state: 'removed'; personId: string; name: string; removedAt: Date }
  | { state: 'unknown' };

/**
 * The live one with this address (normalised), else the one removed last. `locked`: the result of `lockStaff`; a live
 * one who is not in it, because they were added later, is ignored.
 */
export async function findStaff(
  db: Db | Tx,
  email: string,
  locked?: readonly { recordId: string }[],
): Promise<FoundStaff> {
  const found = await db
    .selectFrom('staff')
    .select(['id', 'personId', 'name', 'role', 'deletedAt'])
    .where('email', '=', email)
    .$if(locked !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb('deletedAt', 'is not', null),
          eb('id', '=', eb.fn.any(eb.val((locked ?? []).map(({ recordId }) => recordId)))),
        ]),
      ),
    )
    .orderBy('deletedAt', (o) => o.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst();
  if (found === undefined) return { state: 'unknown' };
  const { id: recordId, personId, name, role, deletedAt } = found;
  return deletedAt === null
    ? { state: 'live', recordId, personId, name, role }
    : { state: 'removed', personId, name, removedAt: deletedAt };
}

export type LockedStaff = { recordId: string; personId: string; role: StaffRole; canSignIn: boolean };

/**
 * Locks everybody live in the office to the end of the transaction, ordered by id against deadlocks, so that no other
 * transaction removes one. `canSignIn`: has a password. An imported admin has none at first.
 */
export async function lockStaff(tx: Tx): Promise<LockedStaff[]> {
  const staff = await tx
    .selectFrom('staff')
    .select(['id as recordId', 'personId', 'role'])
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  const accounts = await tx
    .selectFrom('account')
    .innerJoin('staff', 'staff.personId', 'account.userId')
    .select('account.userId')
    .where('staff.deletedAt', 'is', null)
    .where('account.providerId', '=', 'credential')
    .where('account.password', 'is not', null)
    .execute();
  const withPassword = new Set(accounts.map(({ userId }) => userId));
  return staff.map((one) => ({ ...one, canSignIn: withPassword.has(one.personId) }));
}

/** A removal that a second admin may confirm or refuse. */
export type OpenRemoval = Awaited<ReturnType<typeof listRemovals>>[number];

/** The removals that wait, the oldest first. */
export function listRemovals(db: Db | Tx) {
  return db
    .selectFrom('adminRemoval as r')
    .innerJoin('staff', 'staff.id', 'r.adminId')
    .innerJoin('actor', 'actor.id', 'r.proposedBy')
    .select(['r.id', 'r.adminId', 'staff.role', 'staff.personId', 'staff.email', 'staff.name'])
    .select(['actor.name as by', 'actor.personId as byPersonId', 'r.proposedAt'])
    .where('r.outcome', 'is', null)
    .orderBy('r.proposedAt')
    .orderBy('r.id')
    .execute();
}

/** As pages show it. `isOwn`: `personId` removed them. */
export type ShownRemoval = { id: string; who: string; by: string; since: string; until: string; isOwn: boolean };

export async function shownRemovals(db: Db, personId: string, zone: string): Promise<ShownRemoval[]> {
  return (await listRemovals(db)).map(({ id, name, email, by, byPersonId, proposedAt }) => ({
    id,
    who: name === '' ? email : `${name}, ${email}`,
    by,
    since: formatInstant(proposedAt, zone),
    until: formatInstant(noticeEnds(proposedAt), zone),
    isOwn: byPersonId === personId,
  }));
}
