// Signs a person in: the password, then the second factor if it is on. A wrong password and an unknown address get the
// same answer after the same time (the library hashes in both cases), so the answer reveals no account.
import { authOrigin, cookiePrefix, recoveryCodeHash, SIGN_IN_PATH } from '#app/platform/auth/auth.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { Unavailable } from '#app/platform/process/unavailable.server.ts';
import type { SignInInput } from './sign-in-entry.ts';
import { claimCode, takeCodeHit, takeSignInHit } from './account-limits.server.ts';
import { rememberDevice } from './known-device.server.ts';
import { PASSWORD_MAX } from './password-length.ts';
import { findPersonByEmail, findAccount } from '#app/access/queries.server.ts';
import { syncSignIn } from './token-sync.server.ts';
import type { Visitor } from '#app/access/visitor.server.ts';

export type SignInAnswer =
  | { state: 'signed-in'; mustChangePassword: boolean; setCookies: string[] }
  | { state: 'second-factor'; setCookies: string[] }
  | { state: 'refused' }
  | { state: 'too-many'; retryAfterSeconds: number };

const AUTH_PATH = '/api/auth';

/** Signs in with a password. Ends the visitor's former session, so that no session id is reused (session fixation). */
export async function signIn(services: Services, visitor: Visitor, input: SignInInput): Promise<SignInAnswer> {
  const limited = await takeSignInHit(services, visitor, input.email);
  if (!limited.allowed) return { state: 'too-many', retryAfterSeconds: limited.retryAfterSeconds };
  if (input.password.length > PASSWORD_MAX) return { state: 'refused' };
  const answer = await askAuth(services, SIGN_IN_PATH, { body: input, visitor: { ...visitor, cookie: '' } });
  if (!answer.ok) return { state: 'refused' };
  const body: unknown = await answer.json();
  const setCookies = answer.headers.getSetCookie();
  await endSessionOf(services, visitor.cookie);
  if (typeof body === 'object' && body !== null && 'twoFactorRedirect' in body)
    // An admin whose removal waits keeps their second factor, and is not asked for it.
    return (await findPersonByEmail(services.db, input.email)) === undefined
      ? { state: 'refused' }
      : { state: 'second-factor', setCookies };
  return begun(services, visitor, setCookies);
}

/** The second step: a code from the app, or a recovery code. Each code counts once. */
export async function signInWithCode(services: Services, visitor: Visitor, code: string): Promise<SignInAnswer> {
  const limited = await takeCodeHit(services, visitor);
  if (!limited.allowed) return { state: 'too-many', retryAfterSeconds: limited.retryAfterSeconds };
  const cookie = cookieNamed(visitor.cookie, `${cookiePrefix(services.config)}.two_factor`);
  const personId = await challenged(services, cookie);
  if (personId === undefined) return { state: 'refused' };
  if (!(await claimCode(services, personId, code))) return { state: 'refused' };
  const answer = await askAboutCode(services, code, { ...visitor, cookie });
  if (answer.status === 429) return { state: 'too-many', retryAfterSeconds: 15 * 60 };
  return answer.ok ? begun(services, visitor, answer.headers.getSetCookie()) : { state: 'refused' };
}

async function begun(services: Services, visitor: Visitor, setCookies: string[]): Promise<SignInAnswer> {
  const cookie = setCookies.map((line) => line.split(';')[0]).join('; ');
  const found = await services.auth.api.getSession({
    headers: new Headers({ cookie }),
    query: { disableRefresh: true },
  });
  if (found === null) return { state: 'refused' };
  const account = await findAccount(services.db, found.user.id);
  if (account === undefined) {
    await services.db.deleteFrom('session').where('id', '=', found.session.id).execute();
    return { state: 'refused' };
  }
  services.log.info({ person: found.user.id, role: account.role }, 'signed in');
  syncSignIn(services, { personId: found.user.id, ...account });
  return {
    state: 'signed-in',
    mustChangePassword: found.user.mustChangePassword === true,
    setCookies: [...setCookies, ...(await rememberDevice(services, visitor.cookie, found.user.email))],
  };
}

/** Ends the session of a Cookie header, if any. Returns the Set-Cookie lines that remove it from the browser. */
export async function endSessionOf({ auth, config }: Services, cookie: string): Promise<string[]> {
  const own = sessionCookie(config, cookie);
  if (own === '') return [];
  const { headers } = await auth.api.signOut({ headers: new Headers({ cookie: own }), returnHeaders: true });
  return headers.getSetCookie();
}

// The person whose code is awaited. The library stores it under the id in the cookie, and checks the signature itself.
async function challenged({ db, now }: Services, cookie: string): Promise<string | undefined> {
  // The id is URL-safe, so only the signature after the dot would need decoding.
  const [, identifier] = /^[^=]+=([\w-]+)\./.exec(cookie) ?? [];
  if (identifier === undefined) return undefined;
  const found = await db
    .selectFrom('verification')
    .select('value')
    .where('identifier', '=', identifier)
    .where('expiresAt', '>', now())
    .executeTakeFirst();
  return found?.value;
}

/** The session cookie alone, as a Cookie header; '' when there is none. */
export const sessionCookie = (config: Services['config'], cookie: string): string =>
  cookieNamed(cookie, `${cookiePrefix(config)}.session_token`);

/** Checks a code, the app's or a recovery code, for the person whose session or challenge is in the cookie. */
export function askAboutCode(services: Services, code: string, visitor: Visitor): Promise<Response> {
  if (/^\d{6}$/.test(code)) return askAuth(services, '/two-factor/verify-totp', { body: { code }, visitor });
  const hash = recoveryCodeHash(services.auth.options.secret, code);
  return askAuth(services, '/two-factor/verify-backup-code', { body: { code: hash }, visitor });
}

function cookieNamed(header: string, name: string): string {
  return (
    header
      .split(';')
      .map((part) => part.trim())
      .find((part) => part.startsWith(`${name}=`)) ?? ''
  );
}

/**
 * Calls the sign-in library through its HTTP handler, which has checks that its functions lack. Throws Unavailable when
 * the library fails, so that a failure never looks like a wrong password.
 */
export async function askAuth(
  { auth, config }: Services,
  path: string,
  { body, visitor }: { body: unknown; visitor: Visitor },
): Promise<Response> {
  const origin = authOrigin(config);
  const headers = new Headers({
    'content-type': 'application/json',
    origin,
    'user-agent': visitor.userAgent,
    'x-client-ip': visitor.address,
  });
  if (visitor.cookie !== '') headers.set('cookie', visitor.cookie);
  const answer = await auth.handler(
    new Request(`${origin}${AUTH_PATH}${path}`, { method: 'POST', headers, body: JSON.stringify(body) }),
  );
  if (answer.status >= 500) throw new Unavailable(`${path} failed with ${answer.status}`);
  return answer;
}
