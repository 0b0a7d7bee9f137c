// The middleware in front of every page and action: reads the session and checks the permission. It looks up the
// matched route's pattern in the table of pages (pages.ts), and refuses a route or method that is not in it. It runs
// before every loader and action, those of public pages included.
//
// A role is not a column: a person is an admin or technician as long as they have a live record of that kind. Sign-in,
// sessions and second factor are better-auth's, on our tables; its own routes are not mounted (docs/decisions/0008).
import { data, redirect, type MiddlewareFunction } from 'react-router';
import { bindFlash } from '#app/platform/http/flash-cookie.server.ts';
import {
  isAway,
  requestId,
  routePattern,
  servicesContext,
  sessionReadAt,
  type Services,
} from '#app/platform/services/services.server.ts';
import type { ForbiddenPage } from './forbidden.ts';
import { PAGES } from './pages.ts';
import { may, oneOf, type Permission, type Role } from './permissions.ts';
import { readSession, signedInContext, type Purpose, type ReadSession, type SignedIn } from './session.server.ts';

export const guard: MiddlewareFunction<Response> = async ({ request, context, pattern: matched, url }, next) => {
  const pattern = `/${matched.replace(/^\//, '')}`;
  context.set(routePattern, pattern);
  const services = context.get(servicesContext);
  if (services.lost !== undefined) throw errorPage(503, 'Service Unavailable', { sentence: CANNOT_TELL });
  context.set(sessionReadAt, performance.now());
  const session = await readSessionFor(services, request, { url, pattern }).catch((error: unknown) => {
    context.set(isAway, true);
    throw error;
  });
  const wanted = Object.hasOwn(PAGES, pattern) ? PAGES[pattern] : undefined;
  const method = methodOf(request);
  const permission = method === undefined ? undefined : wanted?.[method];
  if (wanted === undefined) throw new Error(`${pattern} has no row in the table of pages`);
  if (permission === undefined) throw refusal(405, 'Method Not Allowed', session.signedIn);
  const missing = session.signedIn === null ? undefined : firstThing(services.config, session.signedIn);
  const isPublic = may('public', permission);
  // Until a pending step (new password, second factor) is done, a user counts as public except on its page and /logout.
  const signedIn = missing === undefined || pattern === missing || pattern === '/logout' ? session.signedIn : null;
  if (!isPublic) {
    const back = `?to=${encodeURIComponent(request.method === 'GET' || wanted.GET === undefined ? pathOf(url) : url.pathname)}`;
    if (session.signedIn === null) throw redirect(`/login${back}`, { headers: cookies(session) });
    if (signedIn === null) throw redirect(`${missing ?? '/login'}${back}`, { headers: cookies(session) });
    if (!may(signedIn.role, permission)) throw refusal(403, 'Forbidden', signedIn);
  }
  context.set(signedInContext, signedIn);
  const response = await next();
  bindFlash(response.headers, services.config);
  for (const line of session.setCookies) response.headers.append('set-cookie', line);
  response.headers.append('vary', 'Cookie');
  if (session.signedIn !== null || !isPublic) response.headers.set('cache-control', 'no-store');
  return response;

  function refusal(status: number, statusText: string, who: SignedIn | null) {
    return errorPage(status, statusText, { sentence: sentenceFor(status, permission, who), headers: cookies(session) });
  }

  function errorPage(status: number, statusText: string, more: { sentence: string; headers?: Headers }) {
    const { sentence, headers = new Headers() } = more;
    const { registryName } = services.config;
    const page: ForbiddenPage = { kind: 'forbidden', sentence, registryName, requestId: context.get(requestId) };
    return data(page, { status, statusText, headers });
  }
};

const CANNOT_TELL =
  'The registry cannot reach its records now, so it cannot tell anything of any truck, not even whether it is in this ' +
  'registry. That says nothing of its scale. Try again later.';

// /logout must answer even when the database does not.
async function readSessionFor(
  services: Services,
  request: Request,
  { url, pattern }: { url: URL; pattern: string },
): Promise<ReadSession> {
  try {
    return await readSession(services, request.headers, purposeOf(request, url));
  } catch (error) {
    if (pattern === '/logout') return { signedIn: null, setCookies: [] };
    throw error;
  }
}

/**
 * A use is a user's action. A live update fetches the data of the page's own address (the referer); it must not extend
 * the session.
 */
function purposeOf(request: Request, url: URL): Purpose {
  if (request.method !== 'GET' || request.headers.get('sec-fetch-dest') !== 'empty') return 'use';
  const from = request.headers.get('referer') ?? '';
  return URL.canParse(from) && pathOf(new URL(from)) !== pathOf(url) ? 'use' : 'look';
}

/** Whether `role` needs a second factor: who reads everybody's data does, where the registry says so. */
export const needsSecondFactor = ({ requireAdmin2fa }: Services['config'], role: Role): boolean =>
  requireAdmin2fa && may(role, 'read people');

/** The page where a user must finish a pending step before any other page opens; undefined when none is pending. */
export function firstThing(config: Services['config'], who: SignedIn): string | undefined {
  if (who.mustChangePassword) return '/new-password';
  if (needsSecondFactor(config, who.role) && !who.hasSecondFactor) return '/settings/second-factor';
  return undefined;
}

function methodOf({ method }: Request): 'GET' | 'POST' | undefined {
  if (method === 'GET' || method === 'HEAD') return 'GET';
  return method === 'POST' ? 'POST' : undefined;
}

function sentenceFor(status: number, permission: Permission | undefined, who: SignedIn | null): string {
  if (status === 405) return 'This page does not take that kind of request.';
  const role = who?.role ?? 'visitor';
  const isForAdmins = permission !== undefined && !may('technician', permission);
  return `${isForAdmins ? 'This page is for admins. ' : ''}You are signed in as ${oneOf(role)}.`;
}

const pathOf = (url: URL) => `${url.pathname}${url.search}`;

const cookies = ({ setCookies }: ReadSession): Headers => new Headers(setCookies.map((line) => ['set-cookie', line]));
