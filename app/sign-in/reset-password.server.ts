// Resets a forgotten password by a mailed link. A request queues a mail for every address, known or not; the address is
// looked up only when the mail is composed, so the response reveals no account, by its text or its time. A link works
// once, within 30 minutes, and a newer link replaces it.
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { queueMail } from '#app/platform/mail/mail.server.ts';
import { hashPassword } from '#app/platform/auth/password-hash.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { takeResetHit } from './account-limits.server.ts';
import type { Visitor } from '#app/access/visitor.server.ts';
import { linkTokenHash, newLinkToken } from '#app/access/one-time-link.server.ts';
import { findPersonByEmail, findAccount } from '#app/access/queries.server.ts';
import { setPassword } from './set-password.server.ts';
import { personalWords, weaknessOf } from './weak-password.server.ts';

export const RESET_LINK_LIFE_MS = 30 * 60 * 1000;
/** The life of the link with which a new technician sets the first password. The longest of all links. */
export const FIRST_LINK_LIFE_MS = 3 * 24 * 60 * 60 * 1000;

export type ResetRequestAnswer = { asked: true } | { asked: false; retryAfterSeconds: number };

/** Queues a mail with a link. Limited per client and per address, known or not, like sign-in attempts. */
export async function requestPasswordReset(
  services: Services,
  visitor: Visitor,
  { email }: { email: string },
): Promise<ResetRequestAnswer> {
  const hit = await takeResetHit(services, visitor, email);
  if (!hit.allowed) return { asked: false, retryAfterSeconds: hit.retryAfterSeconds };
  await queueMail(services.db, { kind: 'password-reset', recipient: email, facts: {} });
  return { asked: true };
}

/**
 * Makes a link token for `email`, valid for `lifeMs`. It replaces an older one. Undefined when nobody has a role there.
 */
export async function makeResetToken(
  tx: Tx,
  email: string,
  { now, lifeMs }: { now: Date; lifeMs: number },
): Promise<{ token: string } | undefined> {
  const person = await findPersonByEmail(tx, email);
  if (person === undefined) return undefined;
  const { token, tokenHash } = newLinkToken();
  const expiresAt = new Date(now.getTime() + lifeMs);
  await tx
    .insertInto('resetToken')
    .values({ personId: person.personId, tokenHash, expiresAt })
    .onConflict((conflict) => conflict.column('personId').doUpdateSet({ tokenHash, expiresAt }))
    .execute();
  return { token };
}

/** Whether a link still works. Checking does not use it up. */
export const isResetTokenGood = async (services: Services, token: string): Promise<boolean> =>
  (await findOwner(services, token)) !== undefined;

// The person whose link it is; undefined when it does not work.
async function findOwner({ db, now }: Services, token: string): Promise<string | undefined> {
  const tokenHash = linkTokenHash(token);
  if (tokenHash === undefined) return undefined;
  const found = await db
    .selectFrom('resetToken')
    .select(['personId', 'expiresAt'])
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst();
  return found !== undefined && isInTime(found.expiresAt, now()) ? found.personId : undefined;
}

// A link that expires later than the longest life was made while the clock was wrong, and is refused.
function isInTime(expiresAt: Date, now: Date): boolean {
  const left = expiresAt.getTime() - now.getTime();
  return left > 0 && left <= FIRST_LINK_LIFE_MS;
}

export type ResetAnswer =
  | { reset: true }
  | { reset: false; reason: 'link-used' }
  | { reset: false; reason: 'password'; message: string };

/** Sets the password by a link. One transaction uses up the link, sets the hash and ends every session. */
export async function resetPassword(
  services: Services,
  { token, password }: { token: string; password: string },
): Promise<ResetAnswer> {
  const { db, config, now } = services;
  const tokenHash = linkTokenHash(token);
  const owner = await findOwner(services, token);
  if (tokenHash === undefined || owner === undefined) return { reset: false, reason: 'link-used' };
  const weakness = await weaknessOf(config, password, await personalWords(db, owner));
  if (weakness !== undefined) return { reset: false, reason: 'password', message: weakness };
  const hash = await hashPassword(password);
  return db.transaction().execute(async (tx) => {
    const used = await tx
      .deleteFrom('resetToken')
      .where('tokenHash', '=', tokenHash)
      .returning(['personId', 'expiresAt'])
      .executeTakeFirst();
    if (used === undefined || !isInTime(used.expiresAt, now())) return { reset: false, reason: 'link-used' };
    const account = await findAccount(tx, used.personId);
    if (account === undefined) return { reset: false, reason: 'link-used' };
    const { personId } = used;
    await setPassword(tx, { personId, name: account.name, email: account.email, hash, mustChange: false });
    const actorId = await findOrAddActor(tx, { name: account.name, email: account.email, personId });
    await appendActivity(tx, {
      kind: 'password.reset',
      actorId,
      subject: account.role,
      subjectId: account.recordId,
      persons: [personId],
    });
    return { reset: true };
  });
}
