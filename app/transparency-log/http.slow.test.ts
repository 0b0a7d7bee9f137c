// The public log over HTTP, as the process keeps it: published by itself, audited from outside, proofs of calibrations.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { serve, type ServerType } from '@hono/node-server';
import { Hono } from 'hono';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { apiApp } from '#server/api.ts';
import { HELD_LEASE } from '#test/held-lease.ts';
import { alterLeaf, audit, growLog, publishedFolder } from '#test/published-log.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { appendLeaves } from './append-leaves.server.ts';
import { checkShown } from '#app/tlog/check-shown.ts';
import { readEntryPage } from './entry-page.server.ts';
import { calibrationEvent } from '#app/readings/insert-readings.server.ts';
import { logApp } from './http.server.ts';
import { keepPublishing } from './keep-publishing.server.ts';
import { LOG_PREFIX } from './log-address.ts';
import { logKey } from './log-key.server.ts';
import { logFigures, readLogPage } from './log-page.server.ts';
import { nodeSha256 } from '#app/tlog/sha256.server.ts';
import { formatVerifierKey } from '#app/tlog/signed-note.ts';
import { parseTlogProof, parseProofExtra } from '#app/tlog/tlog-proof.ts';
import { verifyProofFile } from '#app/tlog/verify-proof-file.ts';

const ID = 1_794_525_720_000;
let services: TestServices;
let server: ServerType;
let origin: string;
let stop: () => Promise<void>;
let vehicleId: string;

beforeAll(async () => {
  services = await createTestServices();
  const app = new Hono().route(LOG_PREFIX, logApp(services)).route('/api/v1', apiApp(services));
  origin = await new Promise<string>((resolve) => {
    server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
      resolve(`http://127.0.0.1:${port}`),
    );
  });
  const { id } = await services.db
    .insertInto('vehicle')
    .values({ rego: 'XV04KL', driverName: 'PRIVATE DRIVER', notes: 'PRIVATE NOTES' })
    .returning('id')
    .executeTakeFirstOrThrow();
  vehicleId = id;
});
afterAll(async () => {
  await stop();
  server.close();
  await services.stop();
});

const get = (address: string, headers: Record<string, string> = {}) => fetch(`${origin}${address}`, { headers });
const signedSize = async () => (await logFigures(services)).signed ?? 0;

async function record(id: number): Promise<void> {
  const reading = {
    id,
    axle: 'DRIVE',
    attribute: 'Loaded Volt',
    value: '4.25',
    dueOn: null,
    calibratedAt: new Date(id),
  } as const;
  await services.db.transaction().execute(async (tx) => {
    await tx
      .insertInto('calibration')
      .values({ ...reading, rego: 'XV04KL', vehicleId })
      .execute();
    await appendLeaves(tx, [calibrationEvent({ id: vehicleId, rego: 'XV04KL' }, reading, { technician: 'J. Nguyen' })]);
  });
}

test('before anything is signed there is no checkpoint, and a proof waits', async () => {
  await record(ID);
  expect((await get('/log/1/checkpoint')).status).toBe(404);
  const waiting = await get(`/api/v1/vehicles/XV04KL/calibrations/${ID}/proof`);
  expect([waiting.status, waiting.headers.get('retry-after')]).toEqual([503, '2']);
  expect(await waiting.json()).toMatchObject({ code: 'proof-waiting' });
});

test('it is published by itself, at the start and within about a second of each append', async () => {
  stop = await keepPublishing(services, HELD_LEASE);
  await vi.waitFor(async () => expect(await signedSize()).toBe(1), 5000);
  for (const more of [1, 300]) {
    const size = (await signedSize()) + more;
    await growLog(services.db, more);
    await vi.waitFor(async () => expect(await signedSize()).toBe(size), { timeout: 3000, interval: 20 });
  }
  expect(await audit(`${origin}/log/1`, await logKey(services.config))).toMatchObject({ result: 'proved' });
});

test('anyone anywhere reads the files; what never changes is kept for ever, the checkpoint is asked for each time', async () => {
  const checkpoint = await get('/log/1/checkpoint', { origin: 'https://elsewhere.example' });
  expect(checkpoint.headers.get('access-control-allow-origin')).toBe('*');
  expect(checkpoint.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect(checkpoint.headers.get('cache-control')).toBe('no-cache');
  expect(checkpoint.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const again = await get('/log/1/checkpoint', { 'if-none-match': checkpoint.headers.get('etag') ?? '' });
  expect([again.status, again.headers.get('access-control-allow-origin')]).toEqual([304, '*']);
  for (const [name, length] of [
    ['tile/0/000', 256 * 32],
    ['tile/0/000.p/9', 9 * 32],
    ['tile/0/001.p/46', 46 * 32],
    ['tile/0/001.p/1', 32],
    ['tile/1/000.p/1', 32],
  ] as const) {
    const tile = await get(`/log/1/${name}`);
    expect([name, tile.status, (await tile.bytes()).length]).toEqual([name, 200, length]);
    expect(tile.headers.get('content-type')).toBe('application/octet-stream');
    expect(tile.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(tile.headers.get('access-control-allow-origin')).toBe('*');
  }
  expect((await get('/log/1/tile/entries/000')).status).toBe(200);
  // Not by fetch, which unpacks by itself.
  const bundleAs = (accepted: string) =>
    logApp(services).request('/tile/entries/000', { headers: { 'accept-encoding': accepted } });
  const plain = await bundleAs('identity');
  expect([plain.headers.get('content-encoding'), plain.headers.get('vary')]).toEqual([null, 'Accept-Encoding']);
  const bundle = Buffer.from(await plain.arrayBuffer());
  for (const accepted of ['gzip', 'br;q=1.0, GZIP;q=0.8', '*']) {
    const packed = await bundleAs(accepted);
    expect([packed.headers.get('content-encoding'), packed.headers.get('vary')]).toEqual(['gzip', 'Accept-Encoding']);
    expect(packed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const sent = Buffer.from(await packed.arrayBuffer());
    expect(sent.length).toBeLessThan(bundle.length / 2);
    expect(gunzipSync(sent).equals(bundle)).toBe(true);
  }
  for (const refusing of ['gzip;q=0', 'gzip; q=0.0', 'br', '']) {
    const answer = await bundleAs(refusing);
    expect(answer.headers.get('content-encoding')).toBeNull();
  }
});

test('what was never signed, or is no file of a log, is not there', async () => {
  await writeFile(path.join(publishedFolder({ dataDir: services.config.dataDir }), 'tile/0/001.p/47'), 'left over');
  for (const name of [
    'tile/0/001.p/47',
    'tile/0/001.p/200',
    'tile/0/001',
    'tile/0/002.p/1',
    'tile/1/000',
    'tile/1/000.p/2',
    'tile/2/000.p/1',
    'tile/entries/001',
    'tile/entries/001.p/47',
    'tile/0/0',
    'tile/0/000.p/0',
    'tile/0/000.p/256',
    'tile/0/000.p/01',
    'tile/00/000',
    'tile/0/x000/000',
    'tile/9/000',
    'tile/0/..%2f..%2f..%2fhigh-water',
    '..%2fhigh-water',
    'high-water',
    'tile/',
    'tile',
    '',
  ])
    expect([name, (await get(`/log/1/${name}`)).status]).toEqual([name, 404]);
});

test('a calibration’s proof verifies offline and opens its public fields, and nothing else', async () => {
  const answer = await get(`/api/v1/vehicles/xv-04-kl/calibrations/${ID}/proof`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="XV04KL-${ID}.tlog-proof"`);
  const file = await answer.bytes();
  const { verifier } = await logKey(services.config);
  expect(await verifyProofFile(nodeSha256, file, { key: verifier })).toMatchObject({ result: 'proved' });
  const { openings } = parseProofExtra(parseTlogProof(file).extra ?? new Uint8Array());
  expect([...openings].map(([field, { value }]) => [field, value])).toEqual([
    ['people.technician', 'J. Nguyen'],
    ['subject', { rego: 'XV04KL', vehicle: vehicleId }],
  ]);
  expect(Buffer.from(file).toString()).not.toMatch(/PRIVATE/);
  expect(Buffer.from(parseTlogProof(file).extra ?? []).toString()).not.toMatch(/PRIVATE/);
  // What was erased is not opened, and the proof holds.
  await sql`update leaf_opening set salt = null, value = null, erased_at = now() where field = 'people.technician'`.execute(
    services.db,
  );
  const erased = await (await get(`/api/v1/vehicles/XV04KL/calibrations/${ID}/proof`)).bytes();
  expect(await verifyProofFile(nodeSha256, erased, { key: verifier })).toMatchObject({ result: 'proved' });
  expect([...parseProofExtra(parseTlogProof(erased).extra ?? new Uint8Array()).openings.keys()]).toEqual(['subject']);
});

test('a proof of what is not recorded is a problem that says so', async () => {
  for (const [address, status, code] of [
    [`/api/v1/vehicles/XV04KL/calibrations/1/proof`, 404, 'calibration-unknown'],
    [`/api/v1/vehicles/NOPE1/calibrations/${ID}/proof`, 404, 'calibration-unknown'],
    [`/api/v1/vehicles/XV04KL/calibrations/x/proof`, 400, 'calibration-invalid'],
    [`/api/v1/vehicles/-/calibrations/${ID}/proof`, 400, 'rego-missing'],
  ] as const) {
    const answer = await get(address);
    expect([address, answer.status, await answer.json()]).toEqual([address, status, expect.objectContaining({ code })]);
  }
});

test('the page shows the signed state and entries that name nobody', async () => {
  const page = await readLogPage(services, origin, 1);
  expect(page.signed?.size).toBe(302);
  expect(page.entries).toMatchObject({ page: 1, pages: 16 });
  expect(page.entries.items.length).toBe(20);
  expect(page.entries.items[0]).toMatchObject({ index: 301, words: 'A technician was approved' });
  expect(page.refusal).toBeNull();
  expect(page.key).toBe(formatVerifierKey((await logKey(services.config)).verifier));
  expect(JSON.stringify(page)).not.toMatch(/XV04KL|Nguyen|Smith/);
});

test('the pages have every entry once, the newest first, and none beyond the last', async () => {
  const seen: number[] = [];
  for (let page = 1; page <= 16; page += 1)
    seen.push(...(await readLogPage(services, origin, page)).entries.items.map(({ index }) => index));
  expect(seen).toEqual(Array.from({ length: 302 }, (_, at) => 301 - at));
  expect((await readLogPage(services, origin, 99)).entries).toMatchObject({ page: 16, items: { length: 2 } });
});

test('each signed entry has a page, with a proof that opens nothing; one that is not signed has none', async () => {
  for (const index of [0, 255, 256, 301]) {
    const found = await readEntryPage(services, index);
    if (found.state !== 'signed') throw new Error('it is signed');
    expect(found.entry).toMatchObject({ index, size: 302 });
    expect(JSON.stringify(found)).not.toMatch(/XV04KL|Nguyen|Smith/);
    const file = await (await get(found.entry.shown.proof)).bytes();
    expect(parseTlogProof(file).index).toBe(index);
    expect(parseProofExtra(parseTlogProof(file).extra ?? new Uint8Array()).openings.size).toBe(0);
    const fetched = (address: string) => fetch(`${origin}${address}`);
    const memory = { getItem: () => null, setItem: () => {} };
    expect(await checkShown(found.entry.shown, fetched, { memory })).toMatchObject({ result: 'proved' });
    // A proof of another entry is not one of this.
    const other = { ...found.entry.shown, proof: `/api/v1/log/entries/${(index + 1) % 302}/proof` };
    expect(await checkShown(other, fetched, { memory })).toMatchObject({ result: 'tampered' });
  }
  expect(await readEntryPage(services, 302)).toEqual({ state: 'not-signed', size: 302 });
  expect((await get('/api/v1/log/entries/302/proof')).status).toBe(503);
  for (const index of ['-1', '01', 'x', '1e9', '9'.repeat(20)])
    expect((await get(`/api/v1/log/entries/${index}/proof`)).status).toBe(400);
});

test('a changed entry: the next start refuses, says so to everyone, and signs nothing more', async () => {
  await stop();
  const before = await (await get('/log/1/checkpoint')).bytes();
  await alterLeaf(services.db, 100);
  stop = await keepPublishing(services, HELD_LEASE);
  await vi.waitFor(async () => expect((await logFigures(services)).refuses).toBe(true), 5000);
  await growLog(services.db, 5);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(await (await get('/log/1/checkpoint')).bytes()).toEqual(before);
  expect((await readLogPage(services, origin, 1)).refusal?.sentence).toBe(
    'Entry 100 in the database is not the one that was signed: it was changed.',
  );
  // What was signed is read as before.
  expect(await audit(`${origin}/log/1`, await logKey(services.config), before)).toMatchObject({ result: 'proved' });
  await record(ID + 1);
  expect((await get(`/api/v1/vehicles/XV04KL/calibrations/${ID + 1}/proof`)).status).toBe(503);

  // Made good, the next start goes on.
  await stop();
  await sql`alter table log_leaf disable trigger log_leaf_never_changes`.execute(services.db);
  await sql`update log_leaf set entry = replace(entry, 'technician.removed', 'technician.approved') where index = 100`.execute(
    services.db,
  );
  stop = await keepPublishing(services, HELD_LEASE);
  await vi.waitFor(async () => expect(await signedSize()).toBe(308), 5000);
  expect((await readLogPage(services, origin, 1)).refusal).toBeNull();
});

test('a database that goes back under the running publisher is refused at the next round', async () => {
  const before = await (await get('/log/1/checkpoint')).bytes();
  const { leafSize } = await services.db.selectFrom('activityState').select('leafSize').executeTakeFirstOrThrow();
  await services.db
    .updateTable('activityState')
    .set({ leafSize: leafSize - 1 })
    .execute();
  await sql`notify leaves`.execute(services.db);
  await vi.waitFor(
    async () =>
      expect((await readLogPage(services, origin, 1)).refusal?.sentence).toContain(
        `The database has ${leafSize - 1} entries, but ${leafSize} were signed`,
      ),
    5000,
  );
  expect(await (await get('/log/1/checkpoint')).bytes()).toEqual(before);
});
