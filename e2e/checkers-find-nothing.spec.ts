// Independent checkers over every public page: accessibility (axe), markup (the Nu HTML checker), headers, weight.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import axe, { type default as Axe } from 'axe-core';
import type { Page } from '@playwright/test';
import { newReference, newVerification, newWithdrawal } from '#test/references.ts';
import type { StartedRegistry } from '#test/start-registry.ts';
import { weighedBy } from './check-visits.ts';
import { listLinkOf } from './follow-links.ts';
import { newPerson, sessionOf, signInAs } from './people.ts';
import { expect, hydrated, test } from './registry.ts';
import { newRego } from './vehicles.ts';

const PAGES = [
  '/',
  '/?q=XV',
  '/?q=ZZZZ9',
  '/?q=%25',
  '/search',
  '/search?q=XV',
  '/about',
  '/log',
  '/log/entries/35',
  '/vehicles/view/XV04KL',
  '/vehicles/view/XV04KL?image=2',
  '/vehicles/view/XV04KL?steer=1.2&drive=9&trailera=x',
  '/vehicles/view/XV11QT',
  '/vehicles/view/XV27BD',
  '/vehicles/view/XV38MN',
  '/vehicles/view/XV52TR',
  '/vehicles/view/NOPE99',
  '/vehicles/view/-',
  '/vehicles/follow/XV04KL',
  '/vehicles/follow/XV04KL?sent',
  `/follow/confirm/${'x'.repeat(43)}`,
  `/follow/leave/${'x'.repeat(43)}`,
  '/no-page',
  '/tech-register',
  '/login',
  '/tech-login',
  '/second-factor',
  '/reset',
  '/reset?sent',
  `/reset/${'x'.repeat(43)}`,
  '/setup',
  '/logout',
];
// Public too, but nobody who checks a truck loads their scripts.
const PAGES_BESIDE = [
  '/vehicles/history/XV04KL',
  '/check',
  '/check/follow',
  '/check/follow?sent',
  `/lists/${'x'.repeat(43)}`,
  `/lists/${'x'.repeat(43)}/end`,
  '/references',
  '/references?q=zzzz',
  '/patterns/method',
  '/log/witnesses',
  '/field',
];
const SIGNED_IN_PAGES = [
  '/dashboard',
  '/my-calibrations',
  '/my-patterns',
  '/patterns',
  '/patterns?state=decided&q=zzzz',
  '/check-visits',
  '/my-profile',
  '/profile/update',
  '/settings',
  '/settings/second-factor',
  '/settings/policy',
  '/settings/policy/proposal',
  '/new-password',
  '/vehicles',
  '/vehicles?verdict=overdue,due-soon&sort=due&dir=asc',
  '/vehicles?q=zzzz',
  '/logs',
  '/logs?who=zzzz',
  '/logs?record=XV04KL&from=2026-02-30&to=2026-01-01',
  '/references/new',
  '/references/import',
  '/vehicles/new',
  '/vehicles/import',
  '/vehicles/kept?of=q%3DXV',
  '/vehicles?due_from=2026-12-01&visits=waits',
  '/vehicles/update/XV04KL',
  '/vehicles/delete/XV04KL',
  '/vehicles/removed',
  '/applications',
  '/applications?q=zzzz',
  '/technicians',
  '/technicians/view/j,nguyen@northernscales,example',
  '/technicians/delete/j,nguyen@northernscales,example',
  '/technicians/suspend/j,nguyen@northernscales,example',
  '/technicians/licence/j,nguyen@northernscales,example',
  '/vehicles/view/XV04KL',
  '/vehicles/view/XV04KL?calibrate',
  '/vehicles/calibrate/XV04KL',
  '/admins',
  '/admins?q=zzzz',
  '/admins/new',
  '/admins/view/mia,kowalski@registry,example',
  '/admins/view/nobody@registry,example',
  '/admins/update/mia,kowalski@registry,example',
  '/admins/delete/mia,kowalski@registry,example',
];
const NARROW = { width: 390, height: 900 };
const WIDE = { width: 1280, height: 900 };
const CRITICAL_MAX_BYTES = 30 * 1024;
const BUNDLE_MAX_BYTES = 130 * 1024;

// In parts, as each page is looked at in four ways.
for (const half of [0, 1])
  test(`axe finds nothing on any public page, light or dark, narrow or wide, ${half + 1} of 2`, async ({
    page,
    registry,
    quiet,
  }) => {
    quiet.allow(/status of 4(04|10)/);
    const [weighbridge = ''] = await weighbridgePages(registry);
    const all = [...PAGES, ...PAGES_BESIDE, await anEntry(registry), weighbridge];
    for (const address of all.filter((_, place) => place % 2 === half)) await expectNothing(page, address);
  });

for (const third of [0, 1, 2])
  test(`axe finds nothing on any page of an admin, light or dark, narrow or wide, ${third + 1} of 3`, async ({
    page,
    registry,
    quiet,
  }) => {
    quiet.allow(/status of 4(04|10)/);
    await signInAs(page, await newPerson(registry, 'admin'));
    const entry = await anEntry(registry);
    const more = [
      ...(await erasePages(registry)),
      ...(await weighbridgePages(registry)),
      ...(await checkVisitPages(registry)),
      entry,
      entry.replace('/calibrations/', '/calibrations/correct/'),
    ];
    const addresses = [...SIGNED_IN_PAGES, ...more].filter((_, place) => place % 3 === third);
    for (const address of addresses) await expectNothing(page, address);
  });

test('axe finds nothing in what the forms of many trucks answer', async ({ page, registry }) => {
  await page.goto(await listLinkOf(registry));
  await hydrated(page);
  await expectNothingHere(page, 'a followed list');
  await page.goto('/check');
  await hydrated(page);
  await page.getByLabel('Regos or VINs').fill('Rego\nXV04KL\nxvo4kl\nXV04K\n\nABC#\nNT88QZ\nXV27BD');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByRole('heading', { name: '8 lines checked' }).waitFor();
  await expectNothingHere(page, 'a checked list');
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto('/vehicles/import');
  await hydrated(page);
  const rego = newRego();
  await page
    .getByLabel('or its lines')
    .fill(`rego,make,vin\n${rego},Volvo,\nXV04KL%,x,\n${newRego()},,6T9HZ8FM2PA100418`);
  await page.getByRole('button', { name: 'Preview' }).click();
  const confirm = page.getByRole('button', { name: 'Import 1 line' });
  await confirm.waitFor();
  await expectNothingHere(page, 'the preview of an import');
  await confirm.click();
  await page.getByText('Imported: 1 added').waitFor();
  await expectNothingHere(page, 'what an import did');
});

test('axe finds nothing in the open menu of an admin, light or dark', async ({ page, registry }) => {
  await page.setViewportSize(NARROW);
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto('/dashboard');
  await hydrated(page);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.evaluate(axe.source);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await violationsOn(page)).toEqual([]);
  }
});

async function anEntry({ db }: StartedRegistry): Promise<string> {
  const entry = db.selectFrom('calibration').select('id').where('rego', '=', 'XV04KL').limit(1);
  return `/calibrations/XV04KL/${(await entry.executeTakeFirstOrThrow()).id}`;
}

// A visit of somebody else, and the form that asks for a check visit of it.
async function checkVisitPages(registry: StartedRegistry): Promise<string[]> {
  const { visit } = await weighedBy(registry, await newPerson(registry, 'technician'), 2);
  return [`/visits/${visit}`, `/visits/${visit}/check`];
}

// Of one with a verification: its page first, then those of its forms.
async function weighbridgePages(registry: StartedRegistry): Promise<string[]> {
  const { personId } = await newPerson(registry, 'admin');
  const { id } = await newReference(registry.db, personId, `Checked ${personId}`);
  const verification = await newVerification(registry.db, personId, id, {});
  const page = `/references/${id}`;
  const withdrawal = await newWithdrawal(registry.db, personId, id);
  return [
    page,
    ...['update', 'verify', 'repair', 'recall?from=2026-05-03&to=2026-05-19'].map((form) => `${page}/${form}`),
    `${page}/withdraw/${verification.id}`,
    `/references/recalls/${withdrawal.id}`,
  ];
}

// Only a removed person can be erased.
async function erasePages({ db }: StartedRegistry): Promise<string[]> {
  const pages: string[] = [];
  for (const role of ['admin', 'technician'] as const) {
    const { email } = await newPerson({ db }, role);
    await db.updateTable(role).set({ deletedAt: new Date() }).where('email', '=', email).execute();
    pages.push(`/${role}s/erase/${email.replaceAll('.', ',')}`);
  }
  return pages;
}

async function expectNothing(page: Page, address: string): Promise<void> {
  await page.setViewportSize(NARROW);
  await page.goto(address);
  await hydrated(page);
  // /field reads the phone's own database first.
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await expectNothingHere(page, address);
}

async function expectNothingHere(page: Page, address: string): Promise<void> {
  await page.evaluate(axe.source);
  for (const size of [NARROW, WIDE]) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    const light = await violationsOn(page);
    // In the dark only the colours differ.
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    const dark = await violationsOn(page, ['color-contrast', 'link-in-text-block']);
    expect([address, size.width, light, dark]).toEqual([address, size.width, [], []]);
  }
}

async function violationsOn(page: Page, rules?: string[]): Promise<string[]> {
  const violations = await page.evaluate(async (runOnly) => {
    const { axe } = globalThis as unknown as { axe: typeof Axe };
    const { violations } = await axe.run({
      resultTypes: ['violations'],
      ...(runOnly === undefined ? {} : { runOnly }),
    });
    return violations;
  }, rules);
  return violations.map(({ id: rule, nodes }) => `${rule}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

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

test('a vehicle’s page needs at most 64 kB of HTML, and 15 kB compressed', async ({ request }) => {
  const html = await (await request.get('/vehicles/view/XV04KL')).body();
  expect(html.length).toBeLessThanOrEqual(64 * 1024);
  expect(brotliCompressSync(html).length).toBeLessThanOrEqual(15 * 1024);
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
