// Pages on a PostgreSQL of one's own, as its makers or Debian set it up, beside those on the embedded one: asked in
// turn in one run, from the first request after `npm run import` on, and again when autovacuum has been by. No page
// takes more than 1.5 times as long. Prints a line for each page. Of one PostgreSQL: POSTGRES=FOLDER, with bin/ in it,
// or 'embedded'. An older one than the embedded is asked where this machine has it.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashPassword } from '#app/platform/auth/password-hash.server.ts';
import { openDatabase } from '#app/platform/database/database.server.ts';
import type { DatabaseAddress } from '#database/connection.ts';
import { joinEmbeddedPostgres } from '#app/platform/embedded-postgres/embedded-postgres.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { setPassword } from '#app/sign-in/set-password.server.ts';
import { demoExport } from '#commands/demo/export.ts';
import { freePort } from '#test/cluster.ts';
import { olderPostgres, startExternalPostgres } from '#test/external-postgres.ts';
import { ready } from '#test/start-registry.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const BOUND = 1.5;
// What a page may take in any case: below it one is as fast as another for anybody who waits.
const NOTHING_MS = 4;
const TIMES = 12;
// A page is slower if it is so each time: once it may be what the machine did meanwhile.
const TRIES = 3;
const PASSWORD = 'a weighbridge in the rain';
const SILENT = { info: () => {}, warn: () => {} };

type Side = { name: string; url: string; address: DatabaseAddress; cookie: string };
const undo: (() => Promise<unknown>)[] = [];
const sides: Side[] = [];
let regos: string[];

beforeAll(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'own-postgres-'));
  undo.push(() => rm(folder, { recursive: true }));
  await chmod(folder, 0o755);
  const file = path.join(folder, 'export.json');
  await writeFile(file, JSON.stringify(demoExport(todayIn('Australia/Sydney'))));
  const { POSTGRES } = process.env;
  const older = POSTGRES === undefined ? await olderPostgres() : undefined;
  if (POSTGRES === undefined && older === undefined)
    process.stdout.write('NOT RUN: pages on an older PostgreSQL, as there is none on this machine.\n');
  const natives = POSTGRES === undefined ? [undefined, older] : [POSTGRES === 'embedded' ? undefined : POSTGRES];
  sides.push(await startSide('embedded', path.join(folder, 'embedded'), file));
  // One after the other: imports beside each other wait too long for connections on a small machine.
  for (const [nth, native] of [...new Set(natives)].entries()) {
    const external = await startExternalPostgres({ native, locale: 'C.UTF-8' });
    undo.push(external.stop);
    const dataDir = path.join(folder, `own-${nth}`);
    sides.push(await startSide(`PostgreSQL ${external.version.split(' ')[0]}`, dataDir, file, external.url));
  }
}, 300_000);
afterAll(async () => {
  for (const step of undo.toReversed()) await step();
}, 60_000);

async function startSide(name: string, dataDir: string, file: string, url = ''): Promise<Side> {
  const port = await freePort();
  const env = { ...process.env, NODE_ENV: 'production', DATA_DIR: dataDir, DATABASE_URL: url, PORT: String(port) };
  await promisify(execFile)(process.execPath, [path.join(ROOT, 'commands/import.ts'), file, '--trial'], { env });
  const server = spawn(process.execPath, [path.join(ROOT, 'server/index.ts')], {
    env: { ...env, RATE_LIMITS: 'off', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  undo.push(() => end(server));
  const origin = `http://127.0.0.1:${port}`;
  await ready(origin, server);
  if (url !== '') return signedIn({ name, url: origin, address: { connectionString: url } });
  const { address, leave } = await joinEmbeddedPostgres({ dataDir, log: SILENT });
  undo.push(leave);
  return signedIn({ name, url: origin, address });
}

async function signedIn(side: Omit<Side, 'cookie'>): Promise<Side> {
  const { db } = openDatabase(side.address, { max: 1 });
  const admins = db.selectFrom('admin').select(['personId', 'email', 'name']).orderBy('email').limit(1);
  const admin = await admins.executeTakeFirstOrThrow();
  const hash = await hashPassword(PASSWORD);
  await db.transaction().execute((tx) => setPassword(tx, { ...admin, hash, mustChange: false }));
  regos = (await db.selectFrom('vehicle').select('rego').orderBy('rego').execute()).map(({ rego }) => rego);
  await db.destroy();
  const answer = await fetch(`${side.url}/login`, {
    method: 'POST',
    body: new URLSearchParams({ email: admin.email, password: PASSWORD }),
    headers: { origin: side.url },
    redirect: 'manual',
  });
  const cookies = answer.headers.getSetCookie().map((line) => line.split(';')[0]);
  return { ...side, cookie: cookies.join('; ') };
}

async function end(server: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await ended;
}

// As an admin, whose pages are not cached; the public ones with a cookie of no meaning, for the same reason.
const PAGES: readonly [name: string, at: (rego: string) => string, as: 'admin' | 'public'][] = [
  ['vehicle', (rego) => `/vehicles/view/${rego}`, 'public'],
  ['history', (rego) => `/vehicles/history/${rego}`, 'public'],
  ['search', (rego) => `/search?q=${rego.slice(0, 3)}`, 'public'],
  ['vehicle as JSON', (rego) => `/api/v1/vehicles/${rego}`, 'public'],
  ['readings as JSON', (rego) => `/api/v1/vehicles/${rego}/calibrations`, 'public'],
  ['vehicle in the office', (rego) => `/vehicles/view/${rego}`, 'admin'],
  ['list', (rego) => `/vehicles?q=${rego.slice(0, 2)}`, 'admin'],
  ['dashboard', () => '/dashboard', 'admin'],
  ['visits that wait', () => '/visits', 'admin'],
  ['patterns', () => '/patterns', 'admin'],
  ['activity log', () => '/logs', 'admin'],
];

async function took({ url, cookie }: Side, at: string, as: 'admin' | 'public'): Promise<number> {
  const began = performance.now();
  const answer = await fetch(`${url}${at}`, {
    headers: { cookie: as === 'admin' ? cookie : 'none=1' },
    redirect: 'manual',
  });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${at} was answered ${answer.status}`);
  return performance.now() - began;
}

const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** The medians of each side, in turn, with another truck each time. */
async function medians([, at, as]: (typeof PAGES)[number], from: number): Promise<number[]> {
  const times = sides.map((): number[] => []);
  for (let nth = 0; nth < TIMES; nth += 1)
    for (const [place, side] of sides.entries())
      times[place]?.push(await took(side, at(regos[(from + nth) % regos.length] ?? ''), as));
  return times.map(median);
}

/** The places of the sides that are slower than the embedded one. */
const slowerOnes = ([embedded = 0, ...others]: readonly number[]) =>
  others.flatMap((other, nth) => (other > Math.max(NOTHING_MS, embedded * BOUND) ? [nth + 1] : []));

const described = (name: string, times: readonly number[]) =>
  `${name}: ${sides.map((side, nth) => `${side.name} ${times[nth]?.toFixed(1)} ms`).join(', ')}`;

async function slower(moment: string): Promise<string[]> {
  const found: string[] = [];
  for (const page of PAGES) {
    let slow = sides.map((_, place) => place);
    let line = '';
    for (let nth = 0; nth < TRIES && slow.length > 0; nth += 1) {
      const times = await medians(page, nth * TIMES);
      line = described(`${moment}, ${page[0]}`, times);
      process.stdout.write(`${line}\n`);
      const now = slowerOnes(times);
      slow = slow.filter((place) => now.includes(place));
    }
    if (slow.length > 0) found.push(line);
  }
  return found;
}

test('a page takes at most 1.5 times as long as on the embedded one, from the first request after an import on', async () => {
  // Each comes once, so they are judged together.
  const first = sides.map(() => 0);
  for (const [name, at, as] of PAGES) {
    const times: number[] = [];
    for (const side of sides) times.push(await took(side, at(regos[0] ?? ''), as));
    process.stdout.write(`${described(`the first, ${name}`, times)}\n`);
    for (const [nth, time] of times.entries()) first[nth] = (first[nth] ?? 0) + time;
  }
  expect(slowerOnes(first), described('all first ones', first)).toEqual([]);
  expect(await slower('right after the import')).toEqual([]);
}, 120_000);

test('an hour later, once autovacuum was there, it does so too', async () => {
  for (const { address } of sides) {
    const { db } = openDatabase(address, { max: 1 });
    await sql`vacuum (analyze)`.execute(db);
    await db.destroy();
  }
  expect(await slower('an hour later')).toEqual([]);
}, 120_000);
