// The pages: React Router's handler, with the services and with URLs under the public origin.
import type { Context } from 'hono';
import { createRequestHandler, RouterContextProvider, type HeadersArgs, type ServerBuild } from 'react-router';
import { cookiePrefix } from '#app/platform/auth/auth.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';
import {
  clientAddress,
  isAway,
  requestId,
  routePattern,
  servicesContext,
  type Services,
} from '#app/platform/services/services.server.ts';
import { pageAt } from './page-at.ts';
import { atPublicUrl } from './public-host.ts';
import type { ServerEnv } from './server-env.ts';

/** The client closed the connection before the answer. The status is nginx's; it is not in the IANA registry. */
const LEFT = 499;

export function pages(services: Services): (context: Context<ServerEnv>) => Promise<Response> {
  // With a function the router prepares its routes again for each request. That is only needed in development.
  const load = async () => withRetryAfter(await import('virtual:react-router/server-build'));
  const make = async () => createRequestHandler(import.meta.env.PROD ? await load() : load, import.meta.env.MODE);
  let made: ReturnType<typeof make> | undefined;
  return (context) => {
    const { method } = context.req;
    const asked = pageAt(context.req.path);
    const answer = async (db: Db) => {
      const provider = new RouterContextProvider();
      provider.set(servicesContext, { ...services, db });
      provider.set(requestId, context.get('requestId'));
      provider.set(clientAddress, context.get('clientAddress'));
      const handle = await (made ??= make());
      const response = await handle(withPublicOrigin(context.req.raw, services.config.publicUrl), provider);
      const pattern = provider.get(routePattern);
      context.set('routePattern', pattern);
      const { cached } = asked.page;
      if (cached !== undefined && !asked.isData && pattern !== null)
        context.set('cacheable', { tags: cached.tags(asked.params), whole: 'this minute', route: pattern });
      if (response.status !== 500) return response;
      if (provider.get(isAway)) return notNow();
      // The client has gone, so nothing is wrong: neither the log nor the metrics count a failure.
      return context.req.raw.signal.aborted ? new Response(null, { status: LEFT }) : response;
    };
    const isSession = (context.req.header('cookie') ?? '').includes(`${cookiePrefix(services.config)}.session_token=`);
    if (method !== 'GET' || isSession || asked.page.replica === undefined) return answer(services.db);
    return services.reads.answer(asked.isData ? 'newest' : 'notified', answer);
  };
}

// The router drops the headers of an action's or loader's answer unless the route has a `headers` export (its public
// API). Each route gets one that passes Retry-After on, so that no page forgets it.
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

// The 503 for a page's data or a download; an HTML page has answered 503 by itself. Without the router's own header its
// client treats the response as a plain 503.
function notNow(): Response {
  return problem(503, 'registry-unavailable', {
    detail: 'The registry cannot reach its database. Try again in a moment.',
  });
}
