// A request to follow a vehicle or a list of trucks. The answer is the same whether the address follows it already,
// does not exist or asks too often, so it reveals nothing about an address. Everything else is said in the mail.
import { refusedTooMany } from '#app/forms/submit-form.server.ts';
import { mailboxOf } from '#app/people/email-key.ts';
import { queueMail } from '#app/platform/mail/mail.server.ts';
import { takeHit, type Hit, type Limit } from '#app/platform/database/rate-limit.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';

const HOUR_MS = 60 * 60 * 1000;
export const FOLLOWS_PER_CLIENT: Limit = { max: 20, windowMs: HOUR_MS };
export const FOLLOWS_PER_ADDRESS: Limit = { max: 5, windowMs: HOUR_MS };

/** `list`: from `namesOf`. */
export type Asked = { email: string } & ({ vehicleId: string } | { list: string });

/** `client`: the visitor's network address. */
export async function askToFollow(
  { db, config, now }: Pick<Services, 'db' | 'config' | 'now'>,
  client: string,
  asked: Asked,
): Promise<Hit> {
  if (config.rateLimits) {
    const hit = await takeHit(db, ['follow', client], { limit: FOLLOWS_PER_CLIENT, now: now() });
    if (!hit.allowed) return hit;
    // An address over its limit gets the usual answer: a refusal would reveal that somebody else asks for it.
    const ofAddress = await takeHit(db, ['follow-address', mailboxOf(asked.email)], {
      limit: FOLLOWS_PER_ADDRESS,
      now: now(),
    });
    if (!ofAddress.allowed) return { allowed: true };
  }
  return db.transaction().execute(async (tx) => {
    // Who has just ended it confirms it anew.
    await tx.deleteFrom('follower').where('email', '=', asked.email).where('endedAt', 'is not', null).execute();
    const { id } = await tx
      .insertInto('follower')
      .values({ ...asked, askedAt: now() })
      .onConflict((conflict) => conflict.columns(['vehicleId', 'email']).doUpdateSet({ askedAt: now() }))
      .returning('id')
      .executeTakeFirstOrThrow();
    await queueMail(tx, { kind: 'follow-asked', recipient: asked.email, facts: { follower: id } });
    return { allowed: true };
  });
}

/** What the form is answered. `to`: the page that says that a mail was sent. */
export const answerAsked = (hit: Hit, to: string) =>
  hit.allowed ? { goTo: { to } } : refusedTooMany('Too many requests came from here.', hit.retryAfterSeconds);
