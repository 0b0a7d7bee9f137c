// Rate limits for passwords, codes and reset mails (hazards.md). The counters are in the database, so all nodes share
// them. RATE_LIMITS=off turns them off, except that a code still counts once.
import { takeHit, type Hit, type Limit } from '#app/platform/database/rate-limit.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { findKnownDevice } from './known-device.server.ts';
import type { SignedIn } from '#app/access/session.server.ts';
import type { Visitor } from '#app/access/visitor.server.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const SIGN_IN_PER_CLIENT: Limit = { max: 20, windowMs: MINUTE };
const SIGN_IN_PER_ACCOUNT_AND_CLIENT: Limit = { max: 5, windowMs: MINUTE };
const SIGN_IN_PER_ACCOUNT: Limit = { max: 30, windowMs: HOUR };
const SIGN_IN_PER_KNOWN_DEVICE: Limit = { max: 10, windowMs: MINUTE };
const RESET_PER_CLIENT: Limit = { max: 10, windowMs: HOUR };
const RESET_PER_ACCOUNT_AND_CLIENT: Limit = { max: 3, windowMs: HOUR };
const RESET_PER_ACCOUNT: Limit = { max: 30, windowMs: HOUR };
const RESET_PER_KNOWN_DEVICE: Limit = { max: 3, windowMs: HOUR };
/** For users with a session: a stolen session must not be a way to guess the password. */
const CONFIRM_A_MINUTE: Limit = { max: 5, windowMs: MINUTE };
const CONFIRM_AN_HOUR: Limit = { max: 30, windowMs: HOUR };
/** Longer than an authenticator code is valid (a minute and a half). */
const CODE_LIFE: Limit = { max: 1, windowMs: 2 * MINUTE };

type Counted = readonly [names: readonly string[], limit: Limit];

/**
 * Counts an attempt to sign in as `email`, known or not. A device that signed in to the account before has a limit of
 * its own, so attempts from other devices cannot lock the owner out.
 */
export async function takeSignInHit(services: Services, { cookie, address }: Visitor, email: string): Promise<Hit> {
  if (!services.config.rateLimits) return { allowed: true };
  const device = await findKnownDevice(services, cookie, email);
  const ofAccount: Counted[] =
    device === undefined
      ? [
          [['sign-in as', email, 'from', address], SIGN_IN_PER_ACCOUNT_AND_CLIENT],
          [['sign-in as', email], SIGN_IN_PER_ACCOUNT],
        ]
      : [[['sign-in as', email, 'on', device], SIGN_IN_PER_KNOWN_DEVICE]];
  return takeHits(services, [[['sign-in from', address], SIGN_IN_PER_CLIENT], ...ofAccount]);
}

/** Counts a code given in the second step, under the client's limit for signing in. */
export const takeCodeHit = (services: Services, { address }: Visitor): Promise<Hit> =>
  takeHits(services, [[['sign-in from', address], SIGN_IN_PER_CLIENT]]);

/** Counts a request for a reset mail to `email`, known or not. A known device has a limit of its own here too. */
export async function takeResetHit(services: Services, { cookie, address }: Visitor, email: string): Promise<Hit> {
  if (!services.config.rateLimits) return { allowed: true };
  const device = await findKnownDevice(services, cookie, email);
  const ofAccount: Counted[] =
    device === undefined
      ? [
          [['reset', email, 'from', address], RESET_PER_ACCOUNT_AND_CLIENT],
          [['reset', email], RESET_PER_ACCOUNT],
        ]
      : [[['reset', email, 'on', device], RESET_PER_KNOWN_DEVICE]];
  return takeHits(services, [[['reset from', address], RESET_PER_CLIENT], ...ofAccount]);
}

/** Counts a password or code that a signed-in user enters to change their password or second factor. */
export const takeConfirmHit = (services: Services, { personId }: Pick<SignedIn, 'personId'>): Promise<Hit> =>
  takeHits(services, [
    [['confirm', personId], CONFIRM_A_MINUTE],
    [['confirm an hour', personId], CONFIRM_AN_HOUR],
  ]);

/**
 * Claims a code: false when it was claimed before, for whatever purpose. Called before the code is checked, so one of
 * two concurrent uses is refused. Applies with RATE_LIMITS=off too.
 */
export async function claimCode({ db, now }: Services, personId: string, code: string): Promise<boolean> {
  return (await takeHit(db, ['code', personId, code], CODE_LIFE, now())).allowed;
}

// In this order: an attempt that one limit refuses does not count against the later ones.
async function takeHits({ db, config, now }: Services, all: readonly Counted[]): Promise<Hit> {
  if (!config.rateLimits) return { allowed: true };
  for (const [names, limit] of all) {
    const hit = await takeHit(db, names, limit, now());
    if (!hit.allowed) return hit;
  }
  return { allowed: true };
}
