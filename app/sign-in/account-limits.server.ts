// Rate limits for passwords, codes and reset mails (hazards.md). The counters are in the database, so all nodes share
// them. RATE_LIMITS=off turns them off, except that a code still counts once.
import { takeHit, type Hit, type Limit } from '#app/platform/database/rate-limit.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { findKnownDevice } from './known-device.server.ts';
import type { SignedIn } from '#app/access/session.server.ts';
import type { Visitor } from '#app/access/visitor.server.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A device that signed in to the account before has a limit of its own, so others cannot lock the owner out. */
type AccountLimits = Record<'client' | 'accountAndClient' | 'account' | 'knownDevice', Limit>;
const SIGN_IN: AccountLimits = {
  client: { max: 20, windowMs: MINUTE },
  accountAndClient: { max: 5, windowMs: MINUTE },
  account: { max: 30, windowMs: HOUR },
  knownDevice: { max: 10, windowMs: MINUTE },
};
const RESET: AccountLimits = {
  client: { max: 10, windowMs: HOUR },
  accountAndClient: { max: 3, windowMs: HOUR },
  account: { max: 30, windowMs: HOUR },
  knownDevice: { max: 3, windowMs: HOUR },
};
/** For users with a session: a stolen session must not be a way to guess the password. */
const CONFIRM_A_MINUTE: Limit = { max: 5, windowMs: MINUTE };
const CONFIRM_AN_HOUR: Limit = { max: 30, windowMs: HOUR };
/** Longer than an authenticator code is valid (a minute and a half). */
const CODE_LIFE: Limit = { max: 1, windowMs: 2 * MINUTE };

type Counted = readonly [names: readonly string[], limit: Limit];

/** Counts an attempt at the account of `email`, known or not. */
const countingAs =
  (what: 'sign-in' | 'reset', limits: AccountLimits) =>
  async (services: Services, { cookie, address }: Visitor, email: string): Promise<Hit> => {
    if (!services.config.rateLimits) return { allowed: true };
    const device = await findKnownDevice(services, cookie, email);
    const as = [`${what} as`, email];
    const ofAccount: Counted[] =
      device === undefined
        ? [
            [[...as, 'from', address], limits.accountAndClient],
            [as, limits.account],
          ]
        : [[[...as, 'on', device], limits.knownDevice]];
    return takeHits(services, [[[`${what} from`, address], limits.client], ...ofAccount]);
  };

export const takeSignInHit = countingAs('sign-in', SIGN_IN);
/** Of a request for a reset mail. */
export const takeResetHit = countingAs('reset', RESET);

/** Counts a code given in the second step, under the client's limit for signing in. */
export const takeCodeHit = (services: Services, { address }: Visitor): Promise<Hit> =>
  takeHits(services, [[['sign-in from', address], SIGN_IN.client]]);

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
  return (await takeHit(db, ['code', personId, code], { limit: CODE_LIFE, now: now() })).allowed;
}

// In this order: an attempt that one limit refuses does not count against the later ones.
async function takeHits({ db, config, now }: Services, all: readonly Counted[]): Promise<Hit> {
  if (!config.rateLimits) return { allowed: true };
  for (const [names, limit] of all) {
    const hit = await takeHit(db, names, { limit, now: now() });
    if (!hit.allowed) return hit;
  }
  return { allowed: true };
}
