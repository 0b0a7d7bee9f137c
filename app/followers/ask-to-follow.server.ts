// Somebody asks to follow a vehicle. Whether the address follows it already, is nobody's or asks too often: the answer is
// the same, and what there is to say goes to the address alone.
import { queueMail } from '#app/platform/mail/mail.server.ts';
import { takeHit, type Limit } from '#app/platform/database/rate-limit.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { findVehicle } from '#app/vehicles/queries.server.ts';

const HOUR_MS = 60 * 60 * 1000;
export const FOLLOWS_PER_CLIENT: Limit = { max: 20, windowMs: HOUR_MS };
export const FOLLOWS_PER_ADDRESS: Limit = { max: 5, windowMs: HOUR_MS };

export type AskAnswer =
  | { asked: true }
  | { asked: false; reason: 'too-many-requests'; retryAfterSeconds: number }
  | { asked: false; reason: 'removed' | 'unknown' };

/** `client`: the visitor's network address. */
export async function askToFollow(
  { db, config, now }: Pick<Services, 'db' | 'config' | 'now'>,
  client: string,
  rego: string,
  email: string,
): Promise<AskAnswer> {
  if (config.rateLimits) {
    const hit = await takeHit(db, ['follow', client], FOLLOWS_PER_CLIENT, now());
    if (!hit.allowed) return { asked: false, reason: 'too-many-requests', retryAfterSeconds: hit.retryAfterSeconds };
  }
  const found = await findVehicle(db, rego);
  if (found.state !== 'live') return { asked: false, reason: found.state };
  // Of an address that is asked for too often nothing is said, or anybody could see that somebody asks.
  if (config.rateLimits && !(await takeHit(db, ['follow-address', email], FOLLOWS_PER_ADDRESS, now())).allowed)
    return { asked: true };
  return db.transaction().execute(async (tx) => {
    const { id } = await tx
      .insertInto('follower')
      .values({ email, vehicleId: found.vehicle.id, askedAt: now() })
      .onConflict((conflict) => conflict.columns(['vehicleId', 'email']).doUpdateSet({ askedAt: now() }))
      .returning('id')
      .executeTakeFirstOrThrow();
    await queueMail(tx, { kind: 'follow-asked', recipient: email, facts: { follower: id } });
    return { asked: true };
  });
}
