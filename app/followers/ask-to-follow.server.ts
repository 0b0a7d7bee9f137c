// A request to follow a vehicle. The answer is the same whether the address follows it already, does not exist or asks
// too often, so it reveals nothing about an address. Everything else is said in the mail.
import { mailboxOf } from '#app/people/email-key.ts';
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
  // An address over its limit gets the usual answer: a refusal would reveal that somebody else asks for it.
  if (
    config.rateLimits &&
    !(await takeHit(db, ['follow-address', mailboxOf(email)], FOLLOWS_PER_ADDRESS, now())).allowed
  )
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
