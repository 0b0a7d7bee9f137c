// The links in a follower's mails: each opens what is followed, to confirm, change or end it. The database keeps only
// their hashes.
import { linkTokenHash, newLinkToken } from '#app/access/one-time-link.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { counted } from '#app/ui/counted.ts';
import { CONFIRM_WITHIN_DAYS } from './follower.ts';

/** Of a vehicle with `rego`, or of a `list`. `trucks`: what is followed, in words. */
export type Following = {
  id: string;
  vehicleId: string | null;
  rego: string | null;
  list: string | null;
  trucks: string;
  version: number;
  isConfirmed: boolean;
  askedAt: Date;
};

export async function makeLink(tx: Tx, followerId: string, now: Date): Promise<string> {
  const { token, tokenHash } = newLinkToken();
  await tx.insertInto('followerLink').values({ tokenHash, followerId, madeAt: now }).execute();
  return token;
}

/** What a link is about. Undefined: there is none, or nobody confirmed it in time. */
export async function findByLink(db: Db | Tx, token: string, now: Date): Promise<Following | undefined> {
  const tokenHash = linkTokenHash(token);
  if (tokenHash === undefined) return undefined;
  const link = db.selectFrom('followerLink').select('followerId').where('tokenHash', '=', tokenHash);
  const found = await findFollowing(db, await link.executeTakeFirst());
  if (found === undefined) return undefined;
  const isLate = Math.abs(now.getTime() - found.askedAt.getTime()) > CONFIRM_WITHIN_DAYS * 86_400_000;
  return !found.isConfirmed && isLate ? undefined : found;
}

export async function findFollowing(
  db: Db | Tx,
  of: { followerId: string } | undefined,
): Promise<Following | undefined> {
  if (of === undefined) return undefined;
  const found = await db
    .selectFrom('follower')
    .leftJoin('vehicle', 'vehicle.id', 'follower.vehicleId')
    .select(['follower.id', 'vehicleId', 'rego', 'list', 'follower.version', 'confirmedOn', 'askedAt'])
    .where('follower.id', '=', of.followerId)
    .where('endedAt', 'is', null)
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const { confirmedOn, ...following } = found;
  const trucks = found.rego ?? counted(found.list?.split('\n').length ?? 0, 'truck', 'trucks');
  return { ...following, trucks, isConfirmed: confirmedOn !== null };
}
