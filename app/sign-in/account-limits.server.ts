// How often a password or a code may be tried, and a reset asked for (hazards.md). Counted in the database: every node
// counts alike. RATE_LIMITS=off counts nothing.
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
/** Of whoever has a session already: a stolen one must not be a way to guess the password. */
const CONFIRM_A_MINUTE: Limit = { max: 5, windowMs: MINUTE };
const CONFIRM_AN_HOUR: Limit = { max: 30, windowMs: HOUR };
/** A code of the app is good for a minute and a half. */
const CODE_LIFE: Limit = { max: 1, windowMs: 2 * MINUTE };

type Counted = readonly [names: readonly string[], limit: Limit];

/**
 * Counts a try to sign in as `email`, known or not. Strangers use up their own tries for it, and those of all devices that
 * it was never signed in from, but none of a device that it was.
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

/** Counts a code for the second step. */
export const takeCodeHit = (services: Services, { address }: Visitor): Promise<Hit> =>
  takeHits(services, [[['sign-in from', address], SIGN_IN_PER_CLIENT]]);

/** Counts a request for a reset mail to `email`, known or not: strangers likewise use up none of a known device's. */
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

/** Counts a password or code that somebody signed in gives to confirm a change of the sign-in. */
export const takeConfirmHit = (services: Services, { personId }: Pick<SignedIn, 'personId'>): Promise<Hit> =>
  takeHits(services, [
    [['confirm', personId], CONFIRM_A_MINUTE],
    [['confirm an hour', personId], CONFIRM_AN_HOUR],
  ]);

/**
 * Claims a code, so that it counts once whatever it is given for. Before it is checked, so of two at once one is refused;
 * whatever RATE_LIMITS says.
 */
export async function claimCode({ db, now }: Services, personId: string, code: string): Promise<boolean> {
  return (await takeHit(db, ['code', personId, code], CODE_LIFE, now())).allowed;
}

// In this order: a try that the first refuses is not counted by the others.
async function takeHits({ db, config, now }: Services, all: readonly Counted[]): Promise<Hit> {
  if (!config.rateLimits) return { allowed: true };
  for (const [names, limit] of all) {
    const hit = await takeHit(db, names, limit, now());
    if (!hit.allowed) return hit;
  }
  return { allowed: true };
}
