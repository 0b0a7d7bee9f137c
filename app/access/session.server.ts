// Who is asking: the session behind a request's cookie, and the person's role as it is now.
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
import type { Role } from './permissions.ts';
import { findSession, findStanding, type FoundSession } from './queries.server.ts';

/** Of two nodes, or of one that was set right. */
const CLOCKS_DIFFER_MS = 5 * 60_000;

/** Somebody signed in. `name` is the displayed one: an admin's, a representative's, a company's, else the email. */
export type SignedIn = {
  sessionId: string;
  personId: string;
  email: string;
  name: string;
  role: Exclude<Role, 'public'>;
  /** Of the admin or technician they are. */
  recordId: string;
  mustChangePassword: boolean;
  hasSecondFactor: boolean;
};

/** The session of a request, and the cookies by which it goes on. */
export type ReadSession = { signedIn: SignedIn | null; setCookies: string[] };

/** Where a route module finds who is asking: null for the public. Set by the guard. */
export const signedInContext = createContext<SignedIn | null>(null);

type Reading = Pick<Services, 'db' | 'auth' | 'config' | 'now'>;
type Found = { session: FoundSession | undefined; setCookies: string[] };

/**
 * Reads the session from the Cookie header. Use extends it (idle end), unless `isUse` is false, as for a page that
 * reloads by itself or an event stream. Ends it when its time is over, or when the person has no role any more.
 */
export async function readSession(
  given: Reading,
  headers: Headers,
  { isUse }: { isUse: boolean },
): Promise<ReadSession> {
  const { db, config, now } = given;
  const nobody: ReadSession = { signedIn: null, setCookies: [] };
  const cookie = headers.get('cookie') ?? '';
  if (!cookie.includes(`${cookiePrefix(config)}.session_token=`)) return nobody;
  const { session, setCookies } = (await readOpen(given, cookie, isUse)) ?? (await askLibrary(given, cookie, isUse));
  if (session === undefined) return { signedIn: null, setCookies };
  const { standing, personId, email, mustChangePassword, hasSecondFactor } = session;
  const begun = session.createdAt.getTime();
  // One of the future, by the clock that the library began it with, was begun while it was wrong, and would last until then.
  const isOver = begun + SESSION_MAX_SECONDS * 1000 <= now().getTime() || begun > Date.now() + CLOCKS_DIFFER_MS;
  if (isOver || standing === undefined) {
    await db.deleteFrom('session').where('id', '=', session.id).execute();
    return nobody;
  }
  const { name, role, recordId } = standing;
  const sessionId = session.id;
  return {
    signedIn: { sessionId, personId, email, name, role, recordId, mustChangePassword, hasSecondFactor },
    setCookies,
  };
}

// Nearly every request: there is nothing to be done but to read it. Undefined for what the library is asked for: to note
// the use once a minute, to end what is over, to take away a cookie that is of no use.
async function readOpen({ db, auth, config }: Reading, cookie: string, isUse: boolean): Promise<Found | undefined> {
  const token = sessionToken(config, auth, cookie);
  const session = token === undefined ? undefined : await findSession(db, token);
  if (session === undefined) return undefined;
  const left = session.expiresAt.getTime() - Date.now();
  const isNoted = left > (SESSION_IDLE_SECONDS - SEEN_EVERY_SECONDS) * 1000;
  return left > 0 && (isNoted || !isUse) ? { session, setCookies: [] } : undefined;
}

async function askLibrary({ db, auth }: Reading, cookie: string, isUse: boolean): Promise<Found> {
  const { response: found, headers: answer } = await auth.api.getSession({
    headers: new Headers({ cookie }),
    query: { disableRefresh: !isUse },
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
      standing: await findStanding(db, user.id),
    },
    setCookies,
  };
}

/** Under which name a browser keeps the drafts of `who`: the same session's only, and no address of it. */
export const draftOwner = ({ sessionId }: Pick<SignedIn, 'sessionId'>): string =>
  createHash('sha256').update(`drafts of ${sessionId}`).digest('base64url').slice(0, 16);

/** Under which name `who` acts now. */
export const namingOf = ({ name, email, personId }: Pick<SignedIn, 'name' | 'email' | 'personId'>): KnownNaming => ({
  name: name.slice(0, 200),
  email,
  personId,
});

/** The actor of a write by `who`, under the name of now. */
export const actorOf = (tx: Tx, who: Pick<SignedIn, 'name' | 'email' | 'personId'>): Promise<number> =>
  findOrAddActor(tx, namingOf(who));

/** Who is signed in, on a page that the guard keeps from the public. */
export function requireSignedIn(context: Readonly<RouterContextProvider>): SignedIn {
  const who = context.get(signedInContext);
  if (who === null) throw new Error('this page is missing from the table of permissions');
  return who;
}

/** Throws the way to the sign-in when the session ended while a form was coming in: an upload may take minutes. */
export async function requireStillSignedIn(
  given: Pick<Services, 'db' | 'auth' | 'config' | 'now'>,
  request: Request,
  who: SignedIn,
): Promise<void> {
  const { signedIn } = await readSession(given, request.headers, { isUse: false });
  if (signedIn?.sessionId === who.sessionId) return;
  const page = new URL(request.url).pathname.replace(/\.data$/, '');
  throw redirect(`/login?to=${encodeURIComponent(page)}`, 303);
}
