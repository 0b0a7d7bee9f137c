// The one click of a mail program (RFC 8058): a POST to the address in the mail's header, from no page and without a
// cookie.
import { Hono } from 'hono';
import { matchPath } from 'react-router';
import { PAGES } from '#app/access/pages.ts';
import { may } from '#app/access/permissions.ts';
import { readConfig } from '#app/platform/process/config.server.ts';
import { sameOrigin } from '#server/same-origin.ts';

/** The status of that POST to the address of each mail that has one, once a page for anybody was found there. */
export async function clickOnce(mails: readonly { headers?: Record<string, string> }[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const { headers = {} } of mails) {
    const [, address] = /^<(.+)>$/.exec(headers['List-Unsubscribe'] ?? '') ?? [];
    if (address === undefined) continue;
    const { origin, pathname } = new URL(address);
    const [, page] = Object.entries(PAGES).find(([pattern]) => matchPath(pattern, pathname) !== null) ?? [];
    const isOpen = page?.POST !== undefined && may('public', page.POST);
    const app = new Hono()
      .use(sameOrigin(readConfig({ PUBLIC_URL: origin })))
      .post('*', (context) => context.text('', isOpen ? 200 : 404));
    const body = new URLSearchParams('List-Unsubscribe=One-Click');
    statuses.push((await app.request(address, { method: 'POST', body })).status);
  }
  return statuses;
}
