// Pages are rendered whole, so that the hashes of their inline scripts can go into the Content-Security-Policy: no
// nonce, so a page can be cached.
import { hash } from 'node:crypto';
import { ServerRouter, type EntryContext, type RouterContextProvider } from 'react-router';
import { renderWhole } from '#app/platform/http/render-whole.server.ts';
import { isAway, renderedPage, requestId, services } from '#app/platform/services/services.server.ts';
import { RequestId } from './ui/request-id.ts';
import { isUnavailable } from '#app/platform/process/unavailable.server.ts';

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  provider: RouterContextProvider,
): Promise<Response> {
  const { config, log } = provider.get(services);
  provider.set(renderedPage, null);
  // Thrown, it is rendered in the place of the error.
  if (status === 500 && provider.get(isAway))
    throw new Response(null, { status: 503, statusText: 'Service Unavailable' });
  const { page, failed } = await renderWhole(
    <RequestId value={provider.get(requestId)}>
      <ServerRouter context={ofItsRoutes(context)} url={request.url} />
    </RequestId>,
    request.signal,
    (error) => log.error({ err: error, request: provider.get(requestId) }, 'rendering failed'),
  );
  headers.set('content-type', 'text/html; charset=utf-8');
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-cache');
  // In development Vite's own scripts and styles come inline and change with every edit.
  if (import.meta.env.PROD)
    headers.set('content-security-policy', contentSecurityPolicy(page, config.publicUrl?.protocol === 'https:'));
  if (request.method !== 'HEAD') provider.set(renderedPage, page);
  return new Response(null, { status: failed ? 500 : status, headers });
}

// The router makes a tree of all the routes it is given, for each page anew, and renders those that matched.
function ofItsRoutes(context: EntryContext): EntryContext {
  const { routes } = context.manifest;
  const ids = context.staticHandlerContext.matches.map(({ route }) => route.id);
  const matched = Object.fromEntries(ids.map((id) => [id, routes[id]]));
  return { ...context, manifest: { ...context.manifest, routes: matched } };
}

/** Called for what a loader or action threw that was no answer. */
export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
): void {
  if (error instanceof Response) return;
  if (isUnavailable(error)) context.set(isAway, true);
  if (!request.signal.aborted)
    context.get(services).log.error({ err: error, request: context.get(requestId) }, 'a page failed');
}

function contentSecurityPolicy(page: Buffer, https: boolean): string {
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
    ...(https ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

// Found in the bytes: as one text the page would be made, and searched, once more.
function* inlineScripts(page: Buffer): Generator<Buffer> {
  for (let tag = page.indexOf('<script'); tag !== -1; tag = page.indexOf('<script', tag)) {
    const from = page.indexOf('>', tag) + 1;
    const to = page.indexOf('</script>', from);
    if (from === 0 || to === -1) return;
    if (!/\ssrc=/.test(page.toString('latin1', tag, from))) yield page.subarray(from, to);
    tag = to;
  }
}
