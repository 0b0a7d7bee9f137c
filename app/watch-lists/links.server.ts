// The links in the mails of a list: each opens the list, to confirm, change or end it. The database keeps only their hashes.
import { linkTokenHash, newLinkToken } from '#app/access/one-time-link.server.ts';
import { CONFIRM_WITHIN_DAYS } from '#app/followers/follower.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';

export type LinkedList = { id: string; list: string; version: number; isConfirmed: boolean };

const DAY_MS = 86_400_000;

export async function makeListLink(tx: Tx, listId: string, now: Date): Promise<string> {
  const { token, tokenHash } = newLinkToken();
  await tx.insertInto('watchListLink').values({ tokenHash, listId, madeAt: now }).execute();
  return token;
}

/** The list of a link. Undefined: there is none, or nobody confirmed it in time. */
export async function findList(db: Db | Tx, token: string, now: Date): Promise<LinkedList | undefined> {
  const tokenHash = linkTokenHash(token);
  if (tokenHash === undefined) return undefined;
  const found = await db
    .selectFrom('watchListLink')
    .innerJoin('watchList', 'watchList.id', 'watchListLink.listId')
    .select(['watchList.id', 'list', 'version', 'confirmedOn', 'askedAt'])
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const { confirmedOn, askedAt, ...list } = found;
  const isLate = Math.abs(now.getTime() - askedAt.getTime()) > CONFIRM_WITHIN_DAYS * DAY_MS;
  return confirmedOn === null && isLate ? undefined : { ...list, isConfirmed: confirmedOn !== null };
}
