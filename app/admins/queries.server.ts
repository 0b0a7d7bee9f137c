// Queries on admins: the list, one by address, and the lock for removing one.
import { sql } from 'kysely';
import { noticeEnds } from '#app/people/two-people.server.ts';
import { formatInstant } from '#app/platform/time/calendar.ts';
import { holdsPersonText, listPeople } from '#app/people/people-search.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import type { ListPage } from '#app/platform/database/list-page.server.ts';
import type { ListAddress } from '#app/ui/list-address.ts';

export type ListedAdmin = {
  personId: string;
  email: string;
  name: string;
  roleLabel: string;
  phone: string;
  address: string;
  imageId: string | null;
};

/** A page of the live admins whose key, address or name contains `text`, ordered by address. */
export function listAdmins(db: Db, { text, page }: ListAddress): Promise<ListPage<ListedAdmin>> {
  const found = db
    .selectFrom('admin')
    .select(['personId', 'email', 'name', 'roleLabel', 'phone', 'address', 'imageId'])
    .where('deletedAt', 'is', null)
    .where(holdsPersonText(text, [sql`name`]))
    .orderBy('email');
  return listPeople(found, page);
}

/** The admin with an address: live, removed, or unknown. */
export type FoundAdmin =
  | { state: 'live'; recordId: string; personId: string; name: string }
  | { state: 'removed'; personId: string; name: string; removedAt: Date }
  | { state: 'unknown' };

/**
 * The live admin with this address (normalised), else the one removed last. `locked`: the result of `lockAdmins`; a
 * live admin who is not in it, because they were added later, is ignored.
 */
export async function findAdmin(
  db: Db | Tx,
  email: string,
  locked?: readonly { recordId: string }[],
): Promise<FoundAdmin> {
  const admin = await db
    .selectFrom('admin')
    .select(['id', 'personId', 'name', 'deletedAt'])
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
  if (admin === undefined) return { state: 'unknown' };
  const { id: recordId, personId, name, deletedAt } = admin;
  return deletedAt === null
    ? { state: 'live', recordId, personId, name }
    : { state: 'removed', personId, name, removedAt: deletedAt };
}

/**
 * Locks all live admins to the end of the transaction, ordered by id against deadlocks, so that no other transaction
 * removes one. `canSignIn`: has a password. An imported admin has none at first.
 */
export async function lockAdmins(tx: Tx): Promise<{ recordId: string; personId: string; canSignIn: boolean }[]> {
  const admins = await tx
    .selectFrom('admin')
    .select(['id as recordId', 'personId'])
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  const accounts = await tx
    .selectFrom('account')
    .innerJoin('admin', 'admin.personId', 'account.userId')
    .select('account.userId')
    .where('admin.deletedAt', 'is', null)
    .where('account.providerId', '=', 'credential')
    .where('account.password', 'is not', null)
    .execute();
  const withPassword = new Set(accounts.map(({ userId }) => userId));
  return admins.map((admin) => ({ ...admin, canSignIn: withPassword.has(admin.personId) }));
}

/** A removal that a second admin may confirm or refuse. */
export type OpenRemoval = {
  id: string;
  adminId: string;
  personId: string;
  email: string;
  name: string;
  by: string;
  byPersonId: string;
  proposedAt: Date;
};

/** The removals that wait, the oldest first. */
export function listRemovals(db: Db | Tx): Promise<OpenRemoval[]> {
  return db
    .selectFrom('adminRemoval as r')
    .innerJoin('admin', 'admin.id', 'r.adminId')
    .innerJoin('actor', 'actor.id', 'r.proposedBy')
    .select(['r.id', 'r.adminId', 'admin.personId', 'admin.email', 'admin.name'])
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
