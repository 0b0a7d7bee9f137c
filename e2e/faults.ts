// Faults between a browser and the registry, put on the requests that a test chooses.
import type { Page, Request, Route } from '@playwright/test';

const proxySays = (status: number, words: string) => (route: Route) =>
  route.fulfill({ status, contentType: 'text/html', body: `<html><h1>${status} ${words}</h1></html>` });

const ANSWERS = {
  'connection reset': (route: Route) => route.abort('connectionreset'),
  'aborted fetch': (route: Route) => route.abort('aborted'),
  '502 from a proxy': proxySays(502, 'Bad Gateway'),
  '503 from a proxy': proxySays(503, 'Service Unavailable'),
} as const;

/** Answers of somebody else: a Wi-Fi's page, a proxy that wants a password or refuses, an address that says nothing. */
const STRANGE = {
  'a page with 200': (route: Route) =>
    route.fulfill({ status: 200, contentType: 'text/html', body: '<html><h1>Welcome. Room number?</h1></html>' }),
  '{} with 200': (route: Route) => route.fulfill({ status: 200, json: {} }),
  '403 from a proxy': proxySays(403, 'Forbidden'),
  '404 from a proxy': proxySays(404, 'Not Found'),
  '407 from a proxy': proxySays(407, 'Proxy Authentication Required'),
  '429 from a proxy': proxySays(429, 'Too Many Requests'),
  '511 from a Wi-Fi': proxySays(511, 'Network Authentication Required'),
} as const;
export const STRANGERS: readonly (keyof typeof STRANGE)[] = [
  'a page with 200',
  '{} with 200',
  '403 from a proxy',
  '404 from a proxy',
  '407 from a proxy',
  '429 from a proxy',
  '511 from a Wi-Fi',
];

export type Fault = keyof typeof ANSWERS | keyof typeof STRANGE | 'offline';
export const FAULTS: readonly Fault[] = [
  'connection reset',
  'aborted fetch',
  '502 from a proxy',
  '503 from a proxy',
  'offline',
];

/** The messages that these faults cause in the browser's console, for `quiet.allow`. */
export const FAULT_WORDS = /Failed to load resource|ERR_INTERNET_DISCONNECTED|\/live/;

/** The requests that a page sends for a navigation, and when it reloads its data. */
export const isPageData = (request: Request): boolean =>
  request.method() === 'GET' && new URL(request.url()).pathname.endsWith('.data');

/** A form sent by the page's script. */
export const isForm = (request: Request): boolean => request.method() === 'POST';

/**
 * Lets requests of `page` for which `which` is true fail with `fault`; offline, all requests of its context. `met`
 * counts them. `mend` ends the fault.
 */
export async function meet(
  page: Page,
  fault: Fault,
  which: (request: Request) => boolean,
): Promise<{ met: () => number; mend: () => Promise<void> }> {
  let count = 0;
  const meets = (request: Request) => {
    const isMet = which(request);
    if (isMet) count += 1;
    return isMet;
  };
  if (fault === 'offline') {
    const context = page.context();
    page.on('requestfailed', meets);
    await context.setOffline(true);
    return {
      met: () => count,
      mend: async () => {
        page.off('requestfailed', meets);
        await context.setOffline(false);
      },
    };
  }
  const handle = (route: Route) =>
    meets(route.request()) ? { ...ANSWERS, ...STRANGE }[fault](route) : route.fallback();
  await page.route('**/*', handle);
  return { met: () => count, mend: () => page.unroute('**/*', handle) };
}
