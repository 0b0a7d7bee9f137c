// The session behind a request's cookie, with the person's current role, and the actor for their writes.
import { createHash } from 'node:crypto';
import { createContext, redirect, type RouterContextProvider } from 'react-router';
import { findOrAddActor, type KnownNaming } from '#app/activity-log/actor.server.ts';
import {
  cookiePrefix,
  SEEN_EVERY_SECONDS,
  SESSION_IDLE_SECONDS,
  SESSION_MAX_SECONDS,
  sessionToken,
} from '#app/platform/auth/auth.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { findSession, findAccount, type FoundSession, type Account } from './queries.server.ts';

/** The tolerated difference between the clocks of two nodes, or of one node before and after a correction. */
const CLOCKS_DIFFER_MS = 5 * 60_000;

/** A signed-in user. `name` is the displayed one: the admin's, the representative's, the company's, else the email. */
export type SignedIn = Account & {
  sessionId: string;
  personId: string;
  mustChangePassword: boolean;
  hasSecondFactor: boolean;
};

/** The user of a request, and the Set-Cookie lines that extend or clear the session. */
export type ReadSession = { signedIn: SignedIn | null; setCookies: string[] };

/** The signed-in user, for route modules; null for the public. Set by the guard. */
export const signedInContext = createContext<SignedIn | null>(null);

type Reading = Pick<Services, 'db' | 'auth' | 'config' | 'now'>;
type Found = { session: FoundSession | undefined; setCookies: string[] };

/** A use extends the idle timeout; a look, as of live updates and event streams, does not. */
export type Purpose = 'use' | 'look';

/**
 * Reads the session from the Cookie header. Deletes it when its maximum age is reached or the person no longer has a
 * role.
 */
export async function readSession(services: Reading, headers: Headers, purpose: Purpose): Promise<ReadSession> {
  const { db, config, now } = services;
  const nobody: ReadSession = { signedIn: null, setCookies: [] };
  const cookie = headers.get('cookie') ?? '';
  if (!cookie.includes(`${cookiePrefix(config)}.session_token=`)) return nobody;
  const { session, setCookies } =
    (await readOpen(services, cookie, purpose)) ?? (await askLibrary(services, cookie, purpose));
  if (session === undefined) return { signedIn: null, setCookies };
  const { account, personId, email, mustChangePassword, hasSecondFactor } = session;
  const begun = session.createdAt.getTime();
  // The library stamps `createdAt` with Date.now(). A session from the future was begun while that clock was wrong, and
  // would outlive its maximum age.
  const isOver = begun + SESSION_MAX_SECONDS * 1000 <= now().getTime() || begun > Date.now() + CLOCKS_DIFFER_MS;
  if (isOver || account === undefined) {
    await db.deleteFrom('session').where('id', '=', session.id).execute();
    return nobody;
  }
  return {
    signedIn: { ...account, sessionId: session.id, personId, email, mustChangePassword, hasSecondFactor },
    setCookies,
  };
}

// The path of nearly every request: one read, no write. Undefined when the library must act: to extend the session
// (once a minute at most), to end an expired one, or to clear a cookie without a session.
async function readOpen({ db, auth, config }: Reading, cookie: string, purpose: Purpose): Promise<Found | undefined> {
  const token = sessionToken(config, auth, cookie);
  const session = token === undefined ? undefined : await findSession(db, token);
  if (session === undefined) return undefined;
  const left = session.expiresAt.getTime() - Date.now();
  const isNoted = left > (SESSION_IDLE_SECONDS - SEEN_EVERY_SECONDS) * 1000;
  return left > 0 && (isNoted || purpose === 'look') ? { session, setCookies: [] } : undefined;
}

async function askLibrary({ db, auth }: Reading, cookie: string, purpose: Purpose): Promise<Found> {
  const { response: found, headers: answer } = await auth.api.getSession({
    headers: new Headers({ cookie }),
    query: { disableRefresh: purpose === 'look' },
    returnHeaders: true,
  });
  const setCookies = answer.getSetCookie();
  if (found === null) return { session: undefined, setCookies };
  const { session, user } = found;
  return {
    session: {
      id: session.id,
      personId: user.id,
      createdAt: session.createdAt,
      expiresAt: session.expiresAt,
      email: user.email,
      mustChangePassword: user.mustChangePassword === true,
      hasSecondFactor: user.twoFactorEnabled === true,
      account: await findAccount(db, user.id),
    },
    setCookies,
  };
}

/**
 * The name under which a browser stores a person's drafts: they outlive the session, and nobody else is offered them.
 */
export const draftOwner = ({ personId }: Pick<SignedIn, 'personId'>): string =>
  createHash('sha256').update(`drafts of ${personId}`).digest('base64url').slice(0, 16);

/** The user's current name and address, as stored with an actor. */
export const namingOf = ({ name, email, personId }: Pick<SignedIn, 'name' | 'email' | 'personId'>): KnownNaming => ({
  name: name.slice(0, 200),
  email,
  personId,
});

/** The actor id for a write by `who`, under their current name. */
export const actorOf = (tx: Tx, who: Pick<SignedIn, 'name' | 'email' | 'personId'>): Promise<number> =>
  findOrAddActor(tx, namingOf(who));

/** The signed-in user. Throws on a page that the table of pages opens to the public. */
export function requireSignedIn(context: Readonly<RouterContextProvider>): SignedIn {
  const who = context.get(signedInContext);
  if (who === null) throw new Error('no user is signed in: the page is public in app/access/pages.ts');
  return who;
}

/** Throws a redirect to /login when the session ended while the form was uploading, which may take minutes. */
export async function requireStillSignedIn(services: Reading, request: Request, who: SignedIn): Promise<void> {
  const { signedIn } = await readSession(services, request.headers, 'look');
  if (signedIn?.sessionId === who.sessionId) return;
  const page = new URL(request.url).pathname.replace(/\.data$/, '');
  throw redirect(`/login?to=${encodeURIComponent(page)}`, 303);
}
