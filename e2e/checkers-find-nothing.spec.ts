// Checkers over every page: markup (the Nu HTML checker), headers, weight. axe is in axe-finds-nothing.spec.ts.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { erasePages, PAGES, PAGES_BESIDE, SIGNED_IN_PAGES, weighbridgePages } from './all-pages.ts';
import { newPerson, sessionOf } from './people.ts';
import { expect, hydrated, test } from './registry.ts';
import { newRego } from './vehicles.ts';
import { recordSet, truck } from './visits.ts';

const CRITICAL_MAX_BYTES = 30 * 1024;
const BUNDLE_MAX_BYTES = 130 * 1024;

test('the Nu HTML checker finds no error on any page', async ({ request, registry }) => {
  if (process.env['HAS_JAVA'] === 'no') {
    process.stdout.write('NOT RUN: the Nu HTML checker, as there is no Java on this machine.\n');
    expect(process.env['CI'], 'CI must have Java').toBeUndefined();
    return;
  }
  test.setTimeout(120_000);
  const folder = await mkdtemp(path.join(tmpdir(), 'nu-'));
  const files: string[] = [];
  const { cookie } = await sessionOf(registry, await newPerson(registry, 'admin'));
  const anybody = [...PAGES, ...PAGES_BESIDE];
  const ofAdmins = [...SIGNED_IN_PAGES, ...(await erasePages(registry)), ...(await weighbridgePages(registry))];
  const all = [...anybody, ...ofAdmins];
  for (const [index, address] of all.entries()) {
    const file = path.join(folder, `${index}.html`);
    const headers: Record<string, string> = index < anybody.length ? {} : { cookie };
    await writeFile(file, await (await request.get(address, { headers })).text());
    files.push(file);
  }
  const jar: unknown = createRequire(import.meta.url)('vnu-jar');
  const output = await new Promise<string>((resolve) => {
    execFile(
      'java',
      ['-jar', String(jar), '--errors-only', '--format', 'json', ...files],
      { maxBuffer: 1 << 26 },
      (_error, _stdout, stderr) => resolve(stderr),
    );
  });
  await rm(folder, { recursive: true });
  const { messages }: { messages: { url: string; message: string; extract?: string }[] } = JSON.parse(output);
  expect(
    messages.map(
      ({ url, message, extract }) => `${all[Number(path.basename(url, '.html'))]}: ${message} ${extract ?? ''}`,
    ),
  ).toEqual([]);
});

test('every page carries strict headers, and a policy that names the hash of each of its scripts', async ({
  request,
}) => {
  for (const address of [...PAGES, ...PAGES_BESIDE, '/api/v1/vehicles', '/healthz', '/files/nothing', '/favicon.svg']) {
    const response = await request.get(address);
    const headers = response.headers();
    expect([address, headers]).toEqual([
      address,
      expect.objectContaining({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'cross-origin-opener-policy': 'same-origin',
        'x-request-id': expect.any(String),
      }),
    ]);
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    const html = headers['content-type']?.startsWith('text/html') === true ? await response.text() : '';
    expect(html).not.toMatch(/ style="/);
    for (const [, script = ''] of html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g))
      expect(policy).toContain(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  }
});

test('the first render of a public page needs at most 30 kB, compressed', async ({ request }) => {
  for (const address of ['/', '/?q=XV', '/vehicles/view/XV04KL']) {
    const html = await (await request.get(address)).text();
    const parts = [gzipSync(html).length];
    for (const [, asset = ''] of html.matchAll(/(?:href|src)="(\/[^"]+\.(?:css|js|svg))"/g))
      parts.push(brotliCompressSync(await (await request.get(asset)).body()).length);
    expect([address, parts.reduce((sum, bytes) => sum + bytes, 0)]).toEqual([address, expect.any(Number)]);
    expect(parts.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(CRITICAL_MAX_BYTES);
  }
});

test('a vehicle’s page needs at most 64 kB of HTML, and 15 kB compressed, whatever its history', async ({
  request,
  registry,
}) => {
  // All axle groups, all that can be measured, and three visits that wait, each for the figures of every axle.
  const axles = ['STEER', 'DRIVE', 'TRAILERA', 'TRAILERB'] as const;
  const rego = await truck(registry, newRego(), axles.join(' '));
  const who = await newPerson(registry, 'technician');
  const all = {
    axles,
    weighbridge: 'Example Creek weighbridge',
    extras: { check_volt: '1.5', check_weight: '7000', as_found_empty: '3900', as_found_loaded: '5900' },
  };
  for (const daysAgo of [700, 520, 340, 160])
    await recordSet(registry, who, rego, daysAgo, { ...all, ticket_number: `T-${daysAgo}` });
  const far = { empty_weight: '1000', loaded_weight: '9000' };
  const readings = Object.fromEntries(axles.map((axle) => [axle, far]));
  for (const daysAgo of [6, 4, 2]) await recordSet(registry, who, rego, daysAgo, { ...all, readings });
  for (const known of ['XV04KL', rego]) {
    const html = await (await request.get(`/vehicles/view/${known}`)).body();
    expect(html.length).toBeLessThanOrEqual(64 * 1024);
    expect(brotliCompressSync(html).length).toBeLessThanOrEqual(15 * 1024);
    // Each waiting visit is named with its reasons; the newest has a card, which its link leads to.
    const main = html.toString().split('<script')[0] ?? '';
    const counted = ['waits for an administrator:', 'See the visit', 'A visit that waits'].map(
      (words) => main.split(words).length - 1,
    );
    expect(counted).toEqual(known === rego ? [3, 1, 1] : [0, 0, 0]);
  }
});

test('all scripts of the public pages together need at most 130 kB, compressed', async ({ page, request, quiet }) => {
  quiet.allow(/status of 4(04|10)/);
  const scripts = new Set<string>();
  page.on('request', (asked) => asked.resourceType() === 'script' && scripts.add(new URL(asked.url()).pathname));
  for (const address of PAGES) {
    await page.goto(address);
    await hydrated(page);
  }
  let bundle = 0;
  for (const script of scripts) bundle += brotliCompressSync(await (await request.get(script)).body()).length;
  expect(scripts.size).toBeGreaterThan(5);
  expect(bundle).toBeLessThanOrEqual(BUNDLE_MAX_BYTES);
});

test('what no request may do', async ({ request, registry }) => {
  expect((await request.get(`/?q=${'x'.repeat(3000)}`)).status()).toBe(414);
  expect((await request.get('/%E0%A4%A')).status()).toBe(400);
  expect((await request.post('/', { form: { q: 'x' } })).status()).toBe(403);
  const own = { origin: registry.url };
  expect((await request.post('/', { form: { q: 'x' }, headers: own })).status()).toBe(405);
  expect((await request.get('/', { headers: { host: 'evil.example' } })).status()).toBe(421);
  // Without a length the server would hold the form in memory before the guard has checked the sender.
  let pieces = 0;
  const body = new ReadableStream({
    pull: (controller) => ((pieces += 1) > 20 ? controller.close() : controller.enqueue(new Uint8Array(65_536))),
  });
  const chunked: RequestInit & { duplex: 'half' } = { method: 'POST', body, headers: own, duplex: 'half' };
  expect((await fetch(`${registry.url}/uploads`, chunked)).status).toBe(411);
  expect((await request.get('/live')).status()).toBe(400);
  expect((await request.get('/live?topic=admins')).status()).toBe(401);
  expect((await request.get('/files/..%2f..%2fetc%2fpasswd')).status()).toBe(404);
  expect((await request.get('/assets/..%2f..%2f..%2fpackage.json')).status()).toBe(404);
});
