// In front of every page and action: who is asking, and may they? Asks the table of permissions by the matched route's
// pattern; a route or method that is not in it is refused. It runs before any loader or action, and a public page's
// actions pass through it like any other.
//
// Roles are no column: whoever is a live admin or technician is one. Sign-in, sessions and second factor are better-auth's
// over our tables; its own routes are not mounted (docs/decisions/0008).
import { data, redirect, type MiddlewareFunction } from 'react-router';
import { bindNotice } from '#app/platform/http/notice-cookie.server.ts';
import { requestId, routePattern, services, type Services } from '#app/platform/services/services.server.ts';
import type { ForbiddenPage } from './forbidden.ts';
import { may, PAGES, type Methods, type Permission } from './permissions.ts';
import { readSession, signedInContext, type ReadSession, type SignedIn } from './session.server.ts';

export const guard: MiddlewareFunction<Response> = async ({ request, context, pattern: matched, url }, next) => {
  const pattern = `/${matched.replace(/^\//, '')}`;
  context.set(routePattern, pattern);
  const given = context.get(services);
  const session = await readSessionFor(given, request, url, pattern).catch((error: unknown) => {
    given.log.error({ err: error, request: context.get(requestId) }, 'a session could not be read');
    throw data(null, { status: 503, statusText: 'Service Unavailable' });
  });
  const wanted = Object.hasOwn(PAGES, pattern) ? PAGES[pattern] : undefined;
  const method = methodOf(request);
  const permission = method === undefined ? undefined : wanted?.[method];
  if (wanted === undefined) throw new Error(`${pattern} is in no row of the table of permissions`);
  if (permission === undefined) throw refusal(405, 'Method Not Allowed', given, session.signedIn);
  const missing = session.signedIn === null ? undefined : firstThing(given.config, session.signedIn);
  const isPublic = may('public', permission);
  // Whoever still has to set a password sees what the public sees, and no more.
  const signedIn = missing === undefined || pattern === missing || pattern === '/logout' ? session.signedIn : null;
  if (!isPublic) {
    const back = `?to=${encodeURIComponent(request.method === 'GET' || wanted.GET === undefined ? pathOf(url) : url.pathname)}`;
    if (session.signedIn === null) throw redirect(`/login${back}`, { headers: cookies(session) });
    if (signedIn === null) throw redirect(`${missing ?? '/login'}${back}`, { headers: cookies(session) });
    if (!may(signedIn.role, permission)) throw refusal(403, 'Forbidden', given, signedIn);
  }
  context.set(signedInContext, signedIn);
  const response = await next();
  bindNotice(response.headers, given.config);
  for (const line of session.setCookies) response.headers.append('set-cookie', line);
  response.headers.append('vary', 'Cookie');
  if (session.signedIn !== null || !isPublic) response.headers.set('cache-control', 'no-store');
  return response;

  function refusal(status: number, statusText: string, { config }: Services, who: SignedIn | null) {
    const page: ForbiddenPage = {
      kind: 'forbidden',
      sentence: sentenceFor(status, permission, who),
      registryName: config.registryName,
      requestId: context.get(requestId),
    };
    return data(page, { status, statusText, headers: cookies(session) });
  }
};

// Signing out must answer even when the database does not.
async function readSessionFor(given: Services, request: Request, url: URL, pattern: string): Promise<ReadSession> {
  try {
    return await readSession(given, request.headers, { isUse: isUse(request, url) });
  } catch (error) {
    if (pattern === '/logout') return { signedIn: null, setCookies: [] };
    throw error;
  }
}

/**
 * Whether a request is somebody's doing. A page that reloads its data by itself (live updates) fetches the very address
 * it is at; that keeps no session alive.
 */
function isUse(request: Request, url: URL): boolean {
  if (request.method !== 'GET' || request.headers.get('sec-fetch-dest') !== 'empty') return true;
  const from = request.headers.get('referer') ?? '';
  return URL.canParse(from) && pathOf(new URL(from)) !== pathOf(url);
}

/** The page that somebody must see to before anything else opens; undefined when there is none. */
export function firstThing(config: Services['config'], who: SignedIn): string | undefined {
  if (who.mustChangePassword) return '/new-password';
  if (config.requireAdmin2fa && who.role === 'admin' && !who.hasSecondFactor) return '/settings/second-factor';
  return undefined;
}

function methodOf({ method }: Request): keyof Methods | undefined {
  if (method === 'GET' || method === 'HEAD') return 'GET';
  return method === 'POST' ? 'POST' : undefined;
}

function sentenceFor(status: number, permission: Permission | undefined, who: SignedIn | null): string {
  if (status === 405) return 'This page does not take that kind of request.';
  return permission === 'manage people'
    ? `This page is for admins. You are signed in as a ${who?.role ?? 'visitor'}.`
    : `You are signed in as a ${who?.role ?? 'visitor'}.`;
}

const pathOf = (url: URL) => `${url.pathname}${url.search}`;

function cookies({ setCookies }: ReadSession): Headers {
  const headers = new Headers();
  for (const line of setCookies) headers.append('set-cookie', line);
  return headers;
}
