// The links in a follower's mails. The database keeps only their hashes.
import { linkTokenHash, newLinkToken } from '#app/access/one-time-link.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { CONFIRM_WITHIN_DAYS } from './follower.ts';

type Purpose = 'confirm' | 'leave';
export type LinkedFollower = { id: string; vehicleId: string; rego: string; isConfirmed: boolean };

const DAY_MS = 86_400_000;

export async function makeLink(tx: Tx, followerId: string, purpose: Purpose, now: Date): Promise<string> {
  const { token, tokenHash } = newLinkToken();
  await tx.insertInto('followerLink').values({ tokenHash, followerId, purpose, madeAt: now }).execute();
  return token;
}

/** The follower of a link; undefined when the link is unknown or has expired. */
export async function findByLink(
  db: Db | Tx,
  token: string,
  purpose: Purpose,
  now: Date,
): Promise<LinkedFollower | undefined> {
  const tokenHash = linkTokenHash(token);
  if (tokenHash === undefined) return undefined;
  const found = await db
    .selectFrom('followerLink')
    .innerJoin('follower', 'follower.id', 'followerLink.followerId')
    .innerJoin('vehicle', 'vehicle.id', 'follower.vehicleId')
    .select(['follower.id', 'follower.vehicleId', 'vehicle.rego', 'follower.confirmedOn', 'followerLink.madeAt'])
    .where('tokenHash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const { confirmedOn, madeAt, ...follower } = found;
  // A link to leave never expires.
  const isLate = Math.abs(now.getTime() - madeAt.getTime()) > CONFIRM_WITHIN_DAYS * DAY_MS;
  return purpose === 'confirm' && isLate ? undefined : { ...follower, isConfirmed: confirmedOn !== null };
}
