// While the database has lost its records, no answer says anything of a truck: pages, API, files and lists are 503.
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Services } from '#app/platform/services/services.server.ts';
import { createTestServices, type TestServices } from '#test/services.ts';

let services: TestServices;
let server: Server;
let url: string;
beforeAll(async () => {
  services = await createTestServices();
  const built: { createListener: (services: Services, assets: Hono) => RequestListener } = await import(
    pathToFileURL(path.resolve(import.meta.dirname, '../build/server/index.js')).href
  );
  const lost = 'The database has no records, but a log of 40 entries was signed.';
  server = createServer(built.createListener({ ...services, lost }, new Hono()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  url = `http://127.0.0.1:${bound !== null && typeof bound === 'object' ? bound.port : 0}`;
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await services.stop();
});

const form = { method: 'POST', body: new URLSearchParams({ list: 'XV04KL' }) };
const json = { method: 'POST', body: '["XV04KL"]', headers: { 'content-type': 'application/json' } };
test.each<[string, RequestInit | undefined]>([
  ['/', undefined],
  ['/search?q=XV04KL', undefined],
  ['/vehicles/view/XV04KL', undefined],
  ['/vehicles/view/XV04KL.data', undefined],
  ['/vehicles/report/XV04KL.pdf', undefined],
  ['/check', form],
  ['/api/v1/vehicles/XV04KL', undefined],
  ['/api/v1/check', json],
  ['/live?topics=vehicle:XV04KL', undefined],
  ['/files/certificates/XV04KL/x.pdf', undefined],
])('%s', async (to, init) => {
  const headers = { ...init?.headers, origin: url };
  for (let again = 0; again < 2; again += 1) {
    const answer = await fetch(`${url}${to}`, { ...init, headers });
    const text = await answer.text();
    expect([answer.status, answer.headers.has('retry-after')]).toEqual([503, true]);
    expect(text).toMatch(/cannot reach its (records|database)|tell nothing/);
    if (answer.headers.get('content-type')?.startsWith('text/html') === true)
      expect(text).toContain('so it cannot tell anything of any truck');
    expect(text).not.toMatch(/not in this registry|log of 40/i);
  }
});
