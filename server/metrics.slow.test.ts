import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Hono } from 'hono';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { countFileErrors } from '#app/platform/storage/count-file-errors.server.ts';
import { openDatabase } from '#app/platform/database/database.server.ts';
import { queueMail } from '#app/platform/mail/mail.server.ts';
import { measurePools } from '#app/platform/process/metrics.server.ts';
import { enterLeaves } from '#test/leaves.ts';
import { parseMetrics } from '#test/metrics-text.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { apiApp } from './api.ts';
import { metricsApp } from './metrics.ts';
import { observeRequests } from './observe-requests.ts';
import type { ServerEnv } from './server-env.ts';

const TOKEN = 'a token of the tests';
let services: TestServices;
let app: Hono<ServerEnv>;
beforeEach(async () => {
  services = await createTestServices({ METRICS_TOKEN: TOKEN });
  app = new Hono<ServerEnv>();
  app.use(observeRequests(services));
  app.route('/', metricsApp(services));
  app.route('/api/v1', apiApp(services));
});
afterEach(() => services.stop());

const ask = (address: string, remoteAddress = '127.0.0.1', init: RequestInit = {}) =>
  Promise.resolve(app.request(address, init, { incoming: { socket: { remoteAddress } } }));
const metrics = async () => parseMetrics(await (await ask('/metrics')).text());

test.each([
  ['127.0.0.1', {}, 200],
  ['::1', {}, 200],
  ['203.0.113.7', {}, 403],
  // A proxy on this machine forwards somebody else's request.
  ['127.0.0.1', { 'x-forwarded-for': '203.0.113.7' }, 403],
  ['203.0.113.7', { authorization: `Bearer ${TOKEN}` }, 200],
  ['127.0.0.1', { 'x-forwarded-for': '203.0.113.7', authorization: `Bearer ${TOKEN}` }, 200],
  ['203.0.113.7', { authorization: `Bearer ${TOKEN}x` }, 403],
  ['203.0.113.7', { authorization: 'Bearer undefined' }, 403],
  ['203.0.113.7', { authorization: TOKEN }, 403],
  ['127.0.0.1', { host: '127.0.0.1:3000' }, 200],
  ['127.0.0.1', { host: '[::1]:3000' }, 200],
  // A foreign name that points here (DNS rebinding).
  ['127.0.0.1', { host: 'evil.example' }, 403],
  ['127.0.0.1', { host: 'localhost.evil.example:3000' }, 403],
  ['127.0.0.1', { host: 'evil.example', authorization: `Bearer ${TOKEN}` }, 200],
  ['127.0.0.1', { forwarded: 'for=203.0.113.7' }, 403],
])('asked from %s with %o: %i', async (address, headers, status) => {
  const response = await ask('/metrics', address, { headers });
  expect(response.status).toBe(status);
  if (status === 200) expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  else expect(await response.text()).not.toContain('registry_');
});

test('requests are counted by method, pattern and status, with their time', async () => {
  await ask('/api/v1/vehicles/NOPE99');
  await ask('/api/v1/vehicles/NOPE98');
  await ask('/api/v1/vehicles', '127.0.0.1', { method: 'DELETE' });
  const read = await metrics();
  expect(read.get('registry_http_requests_total{method="GET",route="/api/v1/vehicles/:rego",status="404"}')).toBe(2);
  expect(read.get('registry_http_requests_total{method="DELETE",route="/api/v1/*",status="405"}')).toBe(1);
  expect(read.get('registry_http_request_seconds_count{method="GET",route="/api/v1/vehicles/:rego"}')).toBe(2);
});

test('a thousand addresses and methods of somebody’s choosing make no new series', async () => {
  await ask('/api/v1/vehicles/X');
  await ask('/nothing', '127.0.0.1', { method: 'BREW' });
  await ask('/nothing');
  await ask('/api/v1/nothing');
  const before = await metrics();
  for (let index = 0; index < 250; index += 1) {
    const random = Math.random().toString(36).slice(2);
    await ask(`/${random}`);
    await ask(`/${random}`, '127.0.0.1', { method: `X${random.toUpperCase()}` });
    await ask(`/api/v1/vehicles/X${random}`);
    await ask(`/api/v1/${random}/${random}?q=${random}`);
  }
  const after = await metrics();
  // The second answer counts the first request for the metrics.
  const added = [...after.keys()].filter((series) => !before.has(series) && !series.includes('route="/metrics"'));
  expect(added).toEqual([]);
});

test('mail that waits and mail that was given up are counted, and the log that is not signed', async () => {
  const none = await metrics();
  expect(['waiting', 'oldest_seconds', 'given_up'].map((what) => none.get(`registry_mail_${what}`))).toEqual([0, 0, 0]);
  for (const recipient of ['a@x.example', 'b@x.example', 'c@x.example'])
    await queueMail(services.db, { kind: 'test', recipient, facts: {} });
  await sql`update mail set queued_at = now() - interval '1 hour', given_up_at = now() where recipient = 'a@x.example'`.execute(
    services.db,
  );
  await sql`update mail set queued_at = now() - interval '10 minutes' where recipient = 'b@x.example'`.execute(
    services.db,
  );
  await services.db.insertInto('vehicle').values({ rego: 'XV04KL' }).execute();
  await enterLeaves(services.db);
  const read = await metrics();
  expect(read.get('registry_database_up')).toBe(1);
  expect(read.get('registry_mail_waiting')).toBe(2);
  expect(read.get('registry_mail_given_up')).toBe(1);
  expect(Math.round((read.get('registry_mail_oldest_seconds') ?? 0) / 60)).toBe(10);
  expect(read.get('registry_log_entries')).toBe(1);
  expect(read.get('registry_log_signed_entries')).toBe(0);
  expect(read.get('registry_log_unsigned_seconds')).toBeGreaterThan(0);
  expect(read.get('registry_log_refuses')).toBe(0);
  expect(read.get('registry_log_mismatched_vehicles')).toBe(0);
});

test('what cannot be read is left out, and the rest is answered', async () => {
  const log = path.join(services.config.dataDir, 'log', '1');
  await mkdir(log, { recursive: true });
  await writeFile(path.join(log, 'checkpoint'), 'not a note');
  const damaged = await metrics();
  expect(damaged.has('registry_log_signed_entries')).toBe(false);
  expect(damaged.has('registry_log_unsigned_seconds')).toBe(false);
  expect(damaged.get('registry_log_entries')).toBe(0);

  const { db: other } = openDatabase(services.address, { max: 1 });
  await other.transaction().execute(async (tx) => {
    await sql`lock table mail in access exclusive mode`.execute(tx);
    for (const read of [await metrics(), await metrics()]) {
      expect(read.get('registry_database_up')).toBe(0);
      expect(read.has('registry_mail_waiting')).toBe(false);
      expect(read.get('registry_live_connections')).toBe(0);
    }
    // After two requests only one query waits at the database that hangs.
    const { rows } = await sql`select pid from pg_locks
      where not granted and database = (select oid from pg_database where datname = current_database())`.execute(tx);
    expect(rows).toHaveLength(1);
  });
  await other.destroy();
  await expect.poll(async () => (await metrics()).get('registry_database_up')).toBe(1);
});

test('a pool’s connections, and failures of the file store, each by its operation', async () => {
  const { db, pool } = openDatabase(services.address, { max: 3 });
  measurePools(services.metrics, { main: pool });
  await sql`select 1`.execute(db);
  const files = countFileErrors(services.files, services.metrics);
  await expect(files.size('../outside')).rejects.toThrow('not a storage key');
  const broken = await files.read('images/no-such-file');
  await expect(async () => void (await broken.toArray())).rejects.toThrow('ENOENT');
  const read = await metrics();
  expect([...read].filter(([series]) => /_pool_|file_store/.test(series))).toEqual([
    ['registry_file_store_errors_total{operation="put"}', 0],
    ['registry_file_store_errors_total{operation="read"}', 1],
    ['registry_file_store_errors_total{operation="remove"}', 0],
    ['registry_file_store_errors_total{operation="size"}', 1],
    ['registry_file_store_errors_total{operation="list"}', 0],
    ['registry_database_pool_busy{pool="main"}', 0],
    ['registry_database_pool_idle{pool="main"}', 1],
    ['registry_database_pool_max{pool="main"}', 3],
    ['registry_database_pool_waiting{pool="main"}', 0],
  ]);
  await db.destroy();
});
