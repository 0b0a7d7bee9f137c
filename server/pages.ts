// The pages: React Router's handler, given the services and a URL that speaks of the public origin.
import type { Context } from 'hono';
import { createRequestHandler, RouterContextProvider } from 'react-router';
import { clientAddress, requestId, routePattern, services, type Services } from '#app/platform/services.server.ts';
import type { ServerEnv } from './request-log.ts';

export function pages(given: Services): (context: Context<ServerEnv>) => Promise<Response> {
  const handle = createRequestHandler(() => import('virtual:react-router/server-build'), import.meta.env.MODE);
  return async (context) => {
    const provider = new RouterContextProvider();
    provider.set(services, given);
    provider.set(requestId, context.get('requestId'));
    provider.set(clientAddress, context.get('clientAddress'));
    const response = await handle(withPublicOrigin(context.req.raw, given.config.publicUrl), provider);
    context.set('routePattern', provider.get(routePattern));
    return response;
  };
}

// Behind TLS the socket says http; origin checks and absolute links need what the browser sees.
function withPublicOrigin(request: Request, publicUrl: URL | undefined): Request {
  if (publicUrl === undefined) return request;
  const url = new URL(request.url);
  return new Request(new URL(`${url.pathname}${url.search}`, publicUrl.origin), request);
}
