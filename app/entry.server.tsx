// Renders each page whole before it is sent, so that the Content-Security-Policy can contain the hashes of its inline
// scripts. Hashes, unlike a nonce, allow the page to be cached.
import { hash } from 'node:crypto';
import { ServerRouter, type EntryContext, type RouterContextProvider } from 'react-router';
import { inThreadTurn } from '#app/platform/process/few-at-once.server.ts';
import { renderWhole } from '#app/platform/http/render-whole.server.ts';
import { isAway, requestId, servicesContext } from '#app/platform/services/services.server.ts';
import { RequestId } from './ui/request-id.ts';
import { isUnavailable } from '#app/platform/process/unavailable.server.ts';

// The router gives so many.
// oxlint-disable-next-line max-params
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  provider: RouterContextProvider,
): Promise<Response> {
  const { config, log } = provider.get(servicesContext);
  // The router renders this response's error page instead of the one for status 500.
  if (status === 500 && provider.get(isAway))
    throw new Response(null, { status: 503, statusText: 'Service Unavailable' });
  const { page, failed } = await inThreadTurn(() =>
    renderWhole(
      <RequestId value={provider.get(requestId)}>
        <ServerRouter context={withMatchedRoutes(context)} url={request.url} />
      </RequestId>,
      request.signal,
      (error) => log.error({ err: error, request: provider.get(requestId) }, 'rendering failed'),
    ),
  );
  headers.set('content-type', 'text/html; charset=utf-8');
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-cache');
  // In development, Vite adds inline scripts and styles that change with every edit.
  if (import.meta.env.PROD) headers.set('content-security-policy', contentSecurityPolicy(page, config.publicUrl));
  return new Response(request.method === 'HEAD' ? null : page, { status: failed ? 500 : status, headers });
}

// ServerRouter builds the tree of all routes in the manifest for every page, so it gets only the matched ones.
function withMatchedRoutes(context: EntryContext): EntryContext {
  const { routes } = context.manifest;
  const ids = context.staticHandlerContext.matches.map(({ route }) => route.id);
  const matched = Object.fromEntries(ids.map((id) => [id, routes[id]]));
  return { ...context, manifest: { ...context.manifest, routes: matched } };
}

/** The router calls this with whatever a loader or an action throws. Responses are answers, not errors. */
export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
): void {
  if (error instanceof Response) return;
  if (isUnavailable(error)) context.set(isAway, true);
  if (!request.signal.aborted)
    context.get(servicesContext).log.error({ err: error, request: context.get(requestId) }, 'a page failed');
}

function contentSecurityPolicy(page: Buffer, publicUrl: URL | undefined): string {
  const hashes = new Set([...inlineScripts(page)].map((script) => `'sha256-${hash('sha256', script, 'base64')}'`));
  return [
    "default-src 'none'",
    `script-src 'self' ${[...hashes].join(' ')}`,
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(publicUrl?.protocol === 'https:' ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

// Searches the bytes, which saves decoding the whole page into a string.
function* inlineScripts(page: Buffer): Generator<Buffer> {
  for (let tag = page.indexOf('<script'); tag !== -1; tag = page.indexOf('<script', tag)) {
    const from = page.indexOf('>', tag) + 1;
    const to = page.indexOf('</script>', from);
    if (from === 0 || to === -1) return;
    if (!/\ssrc=/.test(page.toString('latin1', tag, from))) yield page.subarray(from, to);
    tag = to;
  }
}
