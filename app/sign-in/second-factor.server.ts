// The second factor: a code from an authenticator app (TOTP, RFC 6238), and recovery codes for a lost phone. Threats:
// with a stolen session alone nobody can guess the password here (rate limit); with the password too, nobody can remove
// the second factor (it takes a code).
import type { ActivityKind } from '#app/activity-log/activity.ts';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import { verifyPassword } from '#app/platform/auth/password-hash.server.ts';
import { retryIn } from '#app/platform/database/rate-limit.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { claimCode, takeConfirmHit } from './account-limits.server.ts';
import { findPasswordHash } from '#app/access/queries.server.ts';
import { needsSecondFactor } from '#app/access/guard.server.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { CLOCK } from './sign-in-entry.ts';
import { askAboutCode, askAuth, sessionCookie } from './sign-in.server.ts';
import type { Visitor } from '#app/access/visitor.server.ts';

/** Why nothing was done, and the field that shows the message. */
export type SecondFactorRefusal = {
  done: false;
  field: 'password' | 'code';
  message: string;
  retryAfterSeconds?: number;
};
export type SecondFactorAnswer = { done: true; setCookies: string[] } | SecondFactorRefusal;

const WRONG_PASSWORD = { done: false, field: 'password', message: 'This is not your current password.' } as const;
const WRONG_CODE = {
  done: false,
  field: 'code',
  message: `This code does not match. Wait for the next one and try again. ${CLOCK}`,
} as const;

/** Makes a secret for the app, pending until a first code confirms it. Needs the password. */
export async function beginSecondFactor(
  services: Services,
  who: SignedIn,
  { visitor, password }: { visitor: Visitor; password: string },
): Promise<SecondFactorAnswer> {
  const refusal = await refuseTooMany(services, who, 'password');
  if (refusal !== undefined) return refusal;
  const answer = await askAuth(services, '/two-factor/enable', { body: { password }, visitor });
  return answer.ok ? { done: true, setCookies: answer.headers.getSetCookie() } : WRONG_PASSWORD;
}

/** The otpauth: URI of the secret that is not confirmed yet; null when there is none. */
export async function pendingSecondFactor({ auth }: Services, personId: string): Promise<string | null> {
  return (await auth.api.pendingSecondFactor({ body: { userId: personId } })).uri;
}

/** Confirms the secret with a first code. Also returns the recovery codes, which cannot be read again. */
export async function confirmSecondFactor(
  services: Services,
  who: SignedIn,
  { visitor, code }: { visitor: Visitor; code: string },
): Promise<{ done: true; setCookies: string[]; recoveryCodes: string[] } | SecondFactorRefusal> {
  const refusal = await refuseTooMany(services, who, 'code');
  if (refusal !== undefined) return refusal;
  if ((await pendingSecondFactor(services, who.personId)) === null)
    return { done: false, field: 'code', message: 'There is nothing to confirm. Start again.' };
  // Claimed, so that the same code cannot sign anybody in afterwards.
  if (!(await claimCode(services, who.personId, code))) return WRONG_CODE;
  const answer = await askAuth(services, '/two-factor/verify-totp', {
    body: { code },
    visitor: ofSession(services, visitor),
  });
  if (!answer.ok) return WRONG_CODE;
  const recoveryCodes = await makeRecoveryCodes(services, who);
  await logged(services, who, 'second-factor.added');
  return { done: true, setCookies: answer.headers.getSetCookie(), recoveryCodes };
}

/** The owner's proof, required to change the second factor. */
export type Proof = { password: string; code: string };

/** Makes new recovery codes and voids the old ones. Needs the password and a code: the app's or a recovery code. */
export async function renewRecoveryCodes(
  services: Services,
  who: SignedIn,
  { visitor, proof }: { visitor: Visitor; proof: Proof },
): Promise<{ done: true; recoveryCodes: string[] } | SecondFactorRefusal> {
  const refusal = await refuseUnproven(services, who, { visitor, ...proof });
  if (refusal !== undefined) return refusal;
  const recoveryCodes = await makeRecoveryCodes(services, who);
  await logged(services, who, 'recovery-codes.renewed');
  return { done: true, recoveryCodes };
}

/** Removes the second factor. Needs the same proof. Refused for admins when the registry requires one of them. */
export async function removeSecondFactor(
  services: Services,
  who: SignedIn,
  { visitor, proof }: { visitor: Visitor; proof: Proof },
): Promise<SecondFactorAnswer> {
  if (needsSecondFactor(services.config, who.role))
    return { done: false, field: 'password', message: 'This registry requires a second factor of every admin.' };
  const refusal = await refuseUnproven(services, who, { visitor, ...proof });
  if (refusal !== undefined) return refusal;
  const answer = await askAuth(services, '/two-factor/disable', { body: { password: proof.password }, visitor });
  if (!answer.ok) return WRONG_PASSWORD;
  await logged(services, who, 'second-factor.removed');
  return { done: true, setCookies: answer.headers.getSetCookie() };
}

// Checks the code last, so that a wrong password uses up no code.
async function refuseUnproven(
  services: Services,
  who: SignedIn,
  { visitor, password, code }: { visitor: Visitor } & Proof,
): Promise<SecondFactorRefusal | undefined> {
  // Otherwise the check of the code would confirm a pending secret.
  if (!who.hasSecondFactor) return { done: false, field: 'code', message: 'The second factor is off.' };
  const refusal = await refuseTooMany(services, who, 'password');
  if (refusal !== undefined) return refusal;
  const hash = await findPasswordHash(services.db, who.personId);
  if (hash === undefined || !(await verifyPassword({ password, hash }))) return WRONG_PASSWORD;
  if (!(await claimCode(services, who.personId, code))) return WRONG_CODE;
  return (await askAboutCode(services, code, ofSession(services, visitor))).ok ? undefined : WRONG_CODE;
}

async function refuseTooMany(
  services: Services,
  who: SignedIn,
  field: SecondFactorRefusal['field'],
): Promise<SecondFactorRefusal | undefined> {
  const hit = await takeConfirmHit(services, who);
  if (hit.allowed) return undefined;
  const { retryAfterSeconds } = hit;
  return { done: false, field, message: `Too many tries. Try again ${retryIn(retryAfterSeconds)}.`, retryAfterSeconds };
}

// Only the session cookie: without a session the library would accept a sign-in challenge, of any account, in its
// place.
const ofSession = ({ config }: Services, visitor: Visitor): Visitor => ({
  ...visitor,
  cookie: sessionCookie(config, visitor.cookie),
});

async function makeRecoveryCodes({ auth }: Services, { personId }: SignedIn): Promise<string[]> {
  return (await auth.api.makeRecoveryCodes({ body: { userId: personId } })).codes;
}

async function logged({ db }: Services, who: SignedIn, kind: ActivityKind): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const actorId = await actorOf(tx, who);
    await appendActivity(tx, { kind, actorId, subject: who.role, subjectId: who.recordId, persons: [who.personId] });
  });
}
