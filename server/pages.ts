// The pages: React Router's handler, given the services and a URL that speaks of the public origin.
import type { Context } from 'hono';
import { createRequestHandler, RouterContextProvider, type HeadersArgs, type ServerBuild } from 'react-router';
import { cookiePrefix } from '#app/platform/auth/auth.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';
import {
  clientAddress,
  isAway,
  keepUnder,
  renderedPage,
  requestId,
  routePattern,
  services,
  type Services,
} from '#app/platform/services/services.server.ts';
import { atPublicUrl } from './public-host.ts';
import type { ServerEnv } from './request-log.ts';

/** What everyone may read: pages, and their data as a page in the browser asks for it. */
const PUBLIC = /^\/(search|about|log|vehicles\/view\/[^/]+|calibrations\/[^/]+\/[^/]+|_root)?(\.data)?$/;

/** Whoever asked has gone before there was an answer: nginx's status for it, which no registry of HTTP has. */
const LEFT = 499;

export function pages(given: Services): (context: Context<ServerEnv>) => Promise<Response> {
  // Given a function, the router prepares its routes for each request; only in development do they change.
  const load = async () => withRetryAfter(await import('virtual:react-router/server-build'));
  const make = async () => createRequestHandler(import.meta.env.PROD ? await load() : load, import.meta.env.MODE);
  let made: ReturnType<typeof make> | undefined;
  return (context) => {
    const { method, path } = context.req;
    const answer = async (db: Db) => {
      const provider = new RouterContextProvider();
      provider.set(services, { ...given, db });
      provider.set(requestId, context.get('requestId'));
      provider.set(clientAddress, context.get('clientAddress'));
      const handle = await (made ??= make());
      const answered = await handle(withPublicOrigin(context.req.raw, given.config.publicUrl), provider);
      const plain = provider.get(renderedPage);
      const { status, headers } = answered;
      const response = plain === null || answered.body !== null ? answered : new Response(plain, { status, headers });
      const pattern = provider.get(routePattern);
      context.set('routePattern', pattern);
      const topics = provider.get(keepUnder);
      if (topics !== null && pattern !== null && !path.endsWith('.data'))
        context.set('keep', { topics, while: 'this minute', route: pattern, plain });
      if (response.status !== 500) return response;
      if (provider.get(isAway)) return notNow();
      // Nobody hears it, and nothing is wrong: in the log and in what is counted it is not a failure.
      return context.req.raw.signal.aborted ? new Response(null, { status: LEFT }) : response;
    };
    const isSession = (context.req.header('cookie') ?? '').includes(`${cookiePrefix(given.config)}.session_token=`);
    if (method !== 'GET' || isSession || !PUBLIC.test(path)) return answer(given.db);
    return given.reads.answer(path.endsWith('.data'), answer);
  };
}

// The router drops the headers of an action's or loader's answer unless the route has a function that names them. Each gets
// the one that lets through when to try again, so that no page forgets it.
function withRetryAfter(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => [
    id,
    route === undefined ? route : { ...route, module: { headers: retryAfter, ...route.module } },
  ]);
  return { ...build, routes: Object.fromEntries(routes) };
}

function retryAfter({ actionHeaders, loaderHeaders, errorHeaders, parentHeaders }: HeadersArgs): Headers {
  const headers = new Headers(parentHeaders);
  for (const answered of [loaderHeaders, actionHeaders, errorHeaders]) {
    const seconds = answered?.get('retry-after');
    if (seconds != null) headers.set('retry-after', seconds);
  }
  return headers;
}

// Behind TLS the socket says http; origin checks and absolute links need what the browser sees.
function withPublicOrigin(request: Request, publicUrl: URL | undefined): Request {
  return publicUrl === undefined ? request : new Request(atPublicUrl(publicUrl, request.url), request);
}

// For a page's data, or a download: documents have said so themselves. Without the router's own header its client takes
// it as the status that it is.
function notNow(): Response {
  return problem(503, 'registry-unavailable', 'The registry cannot reach its database. Try again in a moment.');
}
