// The second factor: a code from an authenticator app (TOTP, RFC 6238), and recovery codes for the day it is lost.
import type { ActivityKind } from '#app/activity-log/activity.ts';
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import type { Services } from '#app/platform/services.server.ts';
import { actorOf, type SignedIn } from './session.server.ts';
import { askAuth } from './sign-in.server.ts';
import type { Visitor } from './visitor.server.ts';

export type SecondFactorAnswer = { done: true; setCookies: string[] } | { done: false; message: string };

const WRONG_PASSWORD = { done: false, message: 'This is not your current password.' } as const;

/** Makes a new entry for the app, to be confirmed by a first code. Needs the password. */
export async function beginSecondFactor(
  services: Services,
  visitor: Visitor,
  password: string,
): Promise<SecondFactorAnswer> {
  const answer = await askAuth(services, '/two-factor/enable', { password }, visitor);
  return answer.ok ? { done: true, setCookies: answer.headers.getSetCookie() } : WRONG_PASSWORD;
}

/** The otpauth: address of the entry that waits for its first code; null when none waits. */
export async function pendingSecondFactor({ auth }: Services, personId: string): Promise<string | null> {
  return (await auth.api.pendingSecondFactor({ body: { userId: personId } })).uri;
}

/** Confirms the entry with a first code. Returns the recovery codes too: they are shown this once. */
export async function confirmSecondFactor(
  services: Services,
  who: SignedIn,
  visitor: Visitor,
  code: string,
): Promise<(SecondFactorAnswer & { done: true; recoveryCodes: string[] }) | (SecondFactorAnswer & { done: false })> {
  if ((await pendingSecondFactor(services, who.personId)) === null)
    return { done: false, message: 'There is nothing to confirm. Begin again.' };
  const answer = await askAuth(services, '/two-factor/verify-totp', { code }, visitor);
  if (!answer.ok) return { done: false, message: 'This code does not match. Wait for the next one and try again.' };
  await logged(services, who, 'second-factor.added');
  const { backupCodes } = await services.auth.api.viewBackupCodes({ body: { userId: who.personId } });
  return { done: true, setCookies: answer.headers.getSetCookie(), recoveryCodes: backupCodes };
}

/** Makes new recovery codes; the old ones are void. Needs the password. */
export async function renewRecoveryCodes(
  services: Services,
  who: SignedIn,
  visitor: Visitor,
  password: string,
): Promise<{ done: true; recoveryCodes: string[] } | { done: false; message: string }> {
  const answer = await askAuth(services, '/two-factor/generate-backup-codes', { password }, visitor);
  if (!answer.ok) return WRONG_PASSWORD;
  await logged(services, who, 'recovery-codes.renewed');
  const { backupCodes } = await services.auth.api.viewBackupCodes({ body: { userId: who.personId } });
  return { done: true, recoveryCodes: backupCodes };
}

/** Removes it. Needs the password; not for admins where the registry requires one. */
export async function removeSecondFactor(
  services: Services,
  who: SignedIn,
  visitor: Visitor,
  password: string,
): Promise<SecondFactorAnswer> {
  if (services.config.requireAdmin2fa && who.role === 'admin')
    return { done: false, message: 'This registry requires a second factor of every admin.' };
  const answer = await askAuth(services, '/two-factor/disable', { password }, visitor);
  if (!answer.ok) return WRONG_PASSWORD;
  await logged(services, who, 'second-factor.removed');
  return { done: true, setCookies: answer.headers.getSetCookie() };
}

async function logged({ db }: Services, who: SignedIn, kind: ActivityKind): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const actorId = await actorOf(tx, who);
    const topics = ['logs', `person:${who.personId}`];
    await appendActivities(tx, [{ kind, actorId, subject: who.role, subjectId: who.recordId, topics }]);
  });
}
