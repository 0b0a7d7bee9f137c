// A request to follow a list of trucks. The answer is the same whether or not the address exists or asks too often, so it
// reveals nothing about an address. Everything else is said in the mail.
import { FOLLOWS_PER_ADDRESS, FOLLOWS_PER_CLIENT } from '#app/followers/ask-to-follow.server.ts';
import { mailboxOf } from '#app/people/email-key.ts';
import { takeHit, type Hit } from '#app/platform/database/rate-limit.server.ts';
import { queueMail } from '#app/platform/mail/mail.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';

/** `client`: the visitor's network address. `list`: from `namesOf`. */
export async function askToWatch(
  { db, config, now }: Pick<Services, 'db' | 'config' | 'now'>,
  client: string,
  { email, list }: { email: string; list: string },
): Promise<Hit> {
  if (config.rateLimits) {
    const hit = await takeHit(db, ['watch', client], FOLLOWS_PER_CLIENT, now());
    if (!hit.allowed) return hit;
    if (!(await takeHit(db, ['watch-address', mailboxOf(email)], FOLLOWS_PER_ADDRESS, now())).allowed)
      return { allowed: true };
  }
  return db.transaction().execute(async (tx) => {
    const { id } = await tx
      .insertInto('watchList')
      .values({ email, list, askedAt: now() })
      .returning('id')
      .executeTakeFirstOrThrow();
    await queueMail(tx, { kind: 'list-asked', recipient: email, facts: { list: id } });
    return { allowed: true };
  });
}
