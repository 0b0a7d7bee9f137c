import { createServer, request, type IncomingHttpHeaders, type Server } from 'node:http';
import { once } from 'node:events';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import { createLogger } from '#app/platform/process/logger.server.ts';
import { enterLeaves } from '#test/leaves.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { publicApi } from './api.ts';
import { observeRequests } from './observe-requests.ts';
import { catchUpAfterWrite, openPublicCache, responseCache, type PublicCache } from './response-cache.ts';
import { securityHeaders } from './security-headers.ts';
import type { ServerEnv } from './server-env.ts';

let services: TestServices;
let cache: PublicCache;
let server: Server;
let port: number;
/** How many requests reached the app. */
let made = 0;
const lines: string[] = [];
beforeAll(async () => {
  services = await createTestServices();
  cache = openPublicCache(services);
  const log = createLogger({ logLevel: 'info' }, { write: (line) => void lines.push(line) });
  const app = new Hono<ServerEnv>();
  app.use(observeRequests({ ...services, log }));
  app.use(securityHeaders(services.config));
  app.use(catchUpAfterWrite(cache, services));
  app.use(responseCache(cache, services));
  app.use((_context, next) => {
    made += 1;
    return next();
  });
  app.post('/change', async (context) => context.json(await change(await context.req.text())));
  app.all('/api/v1/*', publicApi(services));
  server = createServer(getRequestListener(app.fetch));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const bound = server.address();
  port = bound !== null && typeof bound === 'object' ? bound.port : 0;
  await services.db.insertInto('vehicle').values({ rego: 'XV04KL', nextCalibrationDueOn: '2026-11-21' }).execute();
  await enterLeaves(services.db);
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await services.stop();
});
beforeEach(() => {
  services.setNow('2026-11-21T03:00:00Z');
});
afterEach(async () => {
  await change('');
  await services.live.catchUp();
  made = 0;
});

const VEHICLE = '/api/v1/vehicles/XV04KL';
const vehicle = z.object({ company_name: z.string(), as_at: z.string(), verdict: z.string() });

async function change(companyName: string): Promise<{ companyName: string }> {
  await services.db.transaction().execute(async (tx) => {
    await tx.updateTable('vehicle').set({ companyName }).where('rego', '=', 'XV04KL').execute();
    await appendActivities(tx, [{ kind: 'vehicle.updated', actorId: null, rego: 'XV04KL' }]);
  });
  return { companyName };
}

type Got = { status: number; headers: IncomingHttpHeaders; body: Buffer };
async function get(path: string, headers: Record<string, string> = {}, method = 'GET', body = ''): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, path, method, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      );
    });
    sent.on('error', reject).end(body);
  });
}
const company = async (headers?: Record<string, string>) =>
  vehicle.parse(JSON.parse((await get(VEHICLE, headers)).body.toString())).company_name;

test('the second to ask is answered from the cache, with the same bytes and headers but the request’s id', async () => {
  const first = await get(VEHICLE);
  const second = await get(VEHICLE);
  expect(made).toBe(1);
  expect(second.body.equals(first.body)).toBe(true);
  for (const name of ['content-type', 'etag', 'cache-control', 'access-control-allow-origin'])
    expect([name, second.headers[name]]).toEqual([name, first.headers[name]]);
  expect(second.headers['x-content-type-options']).toBe('nosniff');
  expect(second.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect((await get(`${VEHICLE}/calibrations`)).body.toString()).toBe(
    '{"items":[],"page":1,"pages":1,"total":0,"missing":[]}',
  );
});

test('its line in the log names the request and the route, and nothing that was asked for', async () => {
  await get(VEHICLE);
  lines.splice(0);
  const { headers } = await get(VEHICLE);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      request: headers['x-request-id'],
      method: 'GET',
      route: '/api/v1/vehicles/:rego',
      status: 200,
      cached: true,
    }),
  ]);
  expect(lines.join('')).not.toContain('XV04KL');
});

test('a change is shown to anybody who asks after it', async () => {
  await company();
  await change('Northern Haulage');
  await services.live.catchUp();
  expect(await company()).toBe('Northern Haulage');
});

test('the one who changed something is answered when nobody is given the old any more', async () => {
  for (let round = 0; round < 50; round += 1) {
    await company();
    await get('/change', {}, 'POST', `Haulier ${round}`);
    expect(await company()).toBe(`Haulier ${round}`);
  }
});

test('never refilled from behind a change, however they meet', async () => {
  let latest = 0;
  const reading = async () => {
    while (latest < 150) {
      const atLeast = latest;
      const shown = Number((await company()) || 0);
      expect(shown).toBeGreaterThanOrEqual(atLeast);
    }
  };
  const writing = async () => {
    for (let round = 1; round <= 150; round += 1) {
      await change(String(round));
      await services.live.catchUp();
      latest = round;
    }
  };
  await Promise.all([writing(), ...Array.from({ length: 6 }, reading)]);
  expect(made).toBeGreaterThan(2);
});

test('nobody with a cookie is given a cached response, and nothing of theirs is cached', async () => {
  await get(VEHICLE, { cookie: 'registry-notice=saved' });
  await get(VEHICLE);
  await get(VEHICLE, { cookie: 'registry-notice=saved' });
  expect(made).toBe(3);
});

test('each encoding has the same content, and says which it is', async () => {
  const plain = await get(VEHICLE);
  const br = await get(VEHICLE, { 'accept-encoding': 'gzip, deflate, br' });
  const gzip = await get(VEHICLE, { 'accept-encoding': 'gzip;q=1.0, br;q=0' });
  const none = await get(VEHICLE, { 'accept-encoding': 'identity, brotli, xgzip' });
  expect([br, gzip, none].map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'gzip', undefined]);
  for (const body of [brotliDecompressSync(br.body), gunzipSync(gzip.body), none.body])
    expect(body.equals(plain.body)).toBe(true);
  for (const { headers, body } of [br, gzip, none]) {
    expect(headers['content-length']).toBe(String(body.length));
    expect(headers.vary).toContain('Accept-Encoding');
  }
  expect(made).toBe(1);
});

test('anybody who has it already is told so, cached or not', async () => {
  const { headers } = await get(VEHICLE);
  const etag = headers.etag ?? '';
  for (const tag of [etag, `"other", ${etag}`, '*', etag.replace('W/', '')]) {
    const again = await get(VEHICLE, { 'if-none-match': tag });
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag]);
  }
  expect((await get(VEHICLE, { 'if-none-match': '"other"' })).status).toBe(200);
  await change('Northern Haulage');
  await services.live.catchUp();
  expect((await get(VEHICLE, { 'if-none-match': etag })).status).toBe(200);
});

test('what was cached before midnight is not shown after it', async () => {
  // Sydney, one second to midnight: due today.
  services.setNow('2026-11-21T12:59:59Z');
  const today = vehicle.parse(JSON.parse((await get(VEHICLE)).body.toString()));
  services.setNow('2026-11-21T13:00:00Z');
  const tomorrow = vehicle.parse(JSON.parse((await get(VEHICLE)).body.toString()));
  expect([today.as_at, tomorrow.as_at]).toEqual(['2026-11-21', '2026-11-22']);
  expect(made).toBe(2);
});

test('what is altered behind the registry’s back shows within minutes', async () => {
  await get(VEHICLE);
  services.setNow('2026-11-21T03:04:59Z');
  await get(VEHICLE);
  expect(made).toBe(1);
  services.setNow('2026-11-21T03:05:00Z');
  await get(VEHICLE);
  expect(made).toBe(2);
});

test('only what was found is cached, and a HEAD is none of it', async () => {
  await get('/api/v1/vehicles/NONE99');
  await get('/api/v1/vehicles/NONE99');
  await get('/api/v1/vehicles?q=XV');
  await get('/api/v1/vehicles?q=XV');
  const head = await get(VEHICLE, {}, 'HEAD');
  expect([head.status, head.body.length, made, cache.size().responses]).toEqual([200, 0, 5, 0]);
});

test('a query that nothing reads leads to the same cached answer, and is not worked out again', async () => {
  const first = await get(VEHICLE);
  for (const query of ['?', '?x=1', '?x=2', '?__proto__=1&constructor']) {
    const { status, body } = await get(`${VEHICLE}${query}`);
    expect([query, status, body.equals(first.body)]).toEqual([query, 200, true]);
  }
  expect([made, cache.size().responses]).toEqual([1, 1]);
  // The page of a list is read, and worked out for each number: it fills no cache.
  for (const page of [1, 2]) expect((await get(`${VEHICLE}/calibrations?page=${page}&x=1`)).status).toBe(200);
  expect([made, cache.size().responses]).toEqual([3, 1]);
});
