// Changes one's own password, with the old one as proof. Every session ends; this browser gets a new one.
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import { hashPassword, verifyPassword } from '#app/platform/auth/password-hash.server.ts';
import { retryIn } from '#app/platform/database/rate-limit.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { takeConfirmHit } from './account-limits.server.ts';
import { rememberDevice } from './known-device.server.ts';
import { findPasswordHash } from '#app/access/queries.server.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { setPassword } from './set-password.server.ts';
import type { Visitor } from '#app/access/visitor.server.ts';
import { personalWords, weaknessOf } from './weak-password.server.ts';

export type ChangePasswordAnswer =
  | { changed: true; setCookies: string[] }
  | { changed: false; field: 'current_password' | 'password'; message: string; retryAfterSeconds?: number };

/** `setCookies`: the lines of the new session, and of the device, which stays known under the new password. */
export async function changePassword(
  services: Services,
  who: SignedIn,
  { visitor, current, password }: { visitor: Visitor; current: string; password: string },
): Promise<ChangePasswordAnswer> {
  const { db, auth, config } = services;
  const hit = await takeConfirmHit(services, who);
  if (!hit.allowed) {
    const { retryAfterSeconds } = hit;
    const message = `Too many tries. Try again ${retryIn(retryAfterSeconds)}.`;
    return { changed: false, field: 'current_password', message, retryAfterSeconds };
  }
  const old = await findPasswordHash(db, who.personId);
  if (old === undefined || !(await verifyPassword({ password: current, hash: old })))
    return { changed: false, field: 'current_password', message: 'This is not your current password.' };
  const weakness = await weaknessOf(config, password, await personalWords(db, who.personId));
  if (weakness !== undefined) return { changed: false, field: 'password', message: weakness };
  const hash = await hashPassword(password);
  const stillOld = await db.transaction().execute(async (tx) => {
    // The password may have changed since the check: the locked row decides.
    const row = await tx
      .selectFrom('account')
      .select('password')
      .where('userId', '=', who.personId)
      .where('providerId', '=', 'credential')
      .forUpdate()
      .executeTakeFirst();
    if (row?.password !== old) return false;
    await setPassword(tx, { ...who, hash, mustChange: false });
    await appendActivity(tx, {
      kind: 'password.changed',
      actorId: await actorOf(tx, who),
      subject: who.role,
      subjectId: who.recordId,
      persons: [who.personId],
    });
    return true;
  });
  if (!stillOld)
    return { changed: false, field: 'current_password', message: 'The password was changed meanwhile. Sign in again.' };
  const { headers } = await auth.api.beginSession({
    body: { userId: who.personId },
    headers: new Headers({ 'user-agent': visitor.userAgent, 'x-client-ip': visitor.address }),
    returnHeaders: true,
  });
  // The old signature covers the old password hash, so a known device needs a new one.
  const device = await rememberDevice(services, visitor.cookie, who.email);
  return { changed: true, setCookies: [...headers.getSetCookie(), ...device] };
}
