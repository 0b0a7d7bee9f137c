// Which answers to a stranger are dear, and what fifty of one kind at once leave a search beside them: npm run
// bench:slow-clients -- --dear. Every public page by GET and by POST, the API and the log's files, none from the cache,
// on 1,000 trucks of which the asked one has the longest history. Then each of the dearest, and each that is marked
// dear, by fifty clients at once, again and again. FOLDER= where the registry is or will be, ONLY= a pattern of the
// addresses.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { PAGES } from '#app/access/pages.ts';
import { may } from '#app/access/permissions.ts';
import { isDear } from '#server/dear-answers.ts';
import { addressOf, API_PREFIX, type Examples } from '#test/fuzz/routes.ts';
import { openDatabase } from '#app/platform/database/database.server.ts';
import { joinEmbeddedPostgres } from '#app/platform/embedded-postgres/embedded-postgres.server.ts';
import { serveRegistry } from './scale/children.ts';
import { loadRegistry } from './scale/load-registry.ts';
import { planRegistry } from './scale/registry-plan.ts';

const TRUCKS = 1000;
const LIST_LINES = 10_000;
const TIMES = 3;
const BETWEEN_MS = 3000;
const LISTED = 20;
const BESIDE = 8;
const CLIENTS = 50;
const BESIDE_MS = 5000;
const LIMIT_MS = 300;
const SEARCHES = 500;
const OF_THE_LOG = ['/log/1/checkpoint', '/log/1/tile/0/000', '/log/1/tile/entries/000', '/readyz'];

type Asked = { method: 'GET' | 'POST'; pattern: string; path: string; isDear: boolean; body?: () => BodyInit };
type Timed = Asked & { ms: number; status: number };

const say = (line: string) => process.stdout.write(`${line}\n`);
const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** Whether every search beside them was soon enough. */
export async function measureDearAnswers(): Promise<boolean> {
  const { FOLDER, ONLY = '' } = process.env;
  const folder = FOLDER ?? (await mkdtemp(path.join(tmpdir(), 'dear-answers-')));
  await loadRegistry(folder, { ...planRegistry('four', TRUCKS), isInUse: false }, say);
  const registry = await serveRegistry(folder);
  try {
    const { examples, regos } = await readExamples(folder);
    const only = new RegExp(ONLY);
    const asked = (await addresses(registry.url, examples, regos)).filter(({ pattern }) => only.test(pattern));
    const timed: Timed[] = [];
    for (const each of asked) timed.push(await timeOf(registry.url, each));
    const dearest = timed.toSorted((a, b) => b.ms - a.ms);
    say(`${timed.length} public addresses, in order of their time (median of ${TIMES}):`);
    for (const { ms, method, pattern, status, isDear: marked } of dearest.slice(0, LISTED))
      say(`| ${ms.toFixed(1)} ms | ${method} ${pattern} | ${status}${marked ? ' | dear' : ' |'} |`);
    // Those with a body last: what was cut of a list is worked on for a while.
    const chosen = dearest
      .filter((each, nth) => each.isDear || nth < BESIDE)
      .toSorted((a, b) => a.method.localeCompare(b.method));
    const late: number[] = [await searchesBeside(registry.url, regos)];
    for (const each of chosen) late.push(await searchesBeside(registry.url, regos, each));
    return late.every((ms) => ms < LIMIT_MS);
  } finally {
    await registry.stop();
    if (FOLDER === undefined) await rm(folder, { recursive: true });
  }
}

async function readExamples(dataDir: string): Promise<{ examples: Examples; regos: string[] }> {
  const { address, leave } = await joinEmbeddedPostgres({ dataDir, log: { info: () => {}, warn: say } });
  const { db } = openDatabase(address, { max: 1 });
  try {
    const { rego, id } = await db
      .selectFrom('calibration')
      .select(['rego', (of) => of.fn.max('id').as('id')])
      .groupBy('rego')
      .orderBy((of) => of.fn.countAll(), 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    const vehicles = await db.selectFrom('vehicle').select('rego').orderBy('rego').execute();
    const examples = { rego, calibration: String(id), email: 'a@b.example', personId: 'x', reference: 'x' };
    return { examples, regos: vehicles.map((vehicle) => vehicle.rego) };
  } finally {
    await db.destroy();
    await leave();
  }
}

async function addresses(url: string, examples: Examples, regos: readonly string[]): Promise<Asked[]> {
  const list = Array.from({ length: LIST_LINES }, (_, nth) => regos[nth % regos.length]).join('\n');
  const form = () => new URLSearchParams({ list, email: examples.email, password: 'certainly not this one' });
  const at = (pattern: string, by = examples) => addressOf(pattern.replaceAll(/:(index|version)/g, '1'), by);
  const pages = Object.entries(PAGES).flatMap(([pattern, { GET, POST }]): Asked[] => {
    const posted = pattern === '/check/:file' ? '/check/answer.csv' : at(pattern);
    return [
      ...(GET !== undefined && may('public', GET)
        ? [{ method: 'GET' as const, pattern, path: at(pattern), isDear: isDear(at(pattern)) }]
        : []),
      ...(POST !== undefined && may('public', POST)
        ? [{ method: 'POST' as const, pattern, path: posted, isDear: false, body: form }]
        : []),
    ];
  });
  const described = await (await fetch(`${url}${API_PREFIX}/openapi.json`)).json();
  const { paths } = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) }).parse(described);
  const listed = await (await fetch(`${url}${API_PREFIX}/vehicles/${examples.rego}/sets`)).json();
  const { items } = z.object({ items: z.array(z.object({ id: z.coerce.string() })) }).parse(listed);
  const ofSet = { ...examples, email: items[0]?.id ?? 'x' };
  const ofReading = { ...examples, email: examples.calibration };
  const api = Object.entries(paths).flatMap(([name, methods]): Asked[] => {
    const pattern = `${name.startsWith(API_PREFIX) ? '' : API_PREFIX}${name}`;
    const to = at(pattern.replaceAll(/\{(\w+)\}/g, ':$1'), pattern.includes('/sets/') ? ofSet : ofReading);
    return [
      ...('get' in methods ? [{ method: 'GET' as const, pattern, path: to, isDear: isDear(to) }] : []),
      ...('post' in methods ? [{ method: 'POST' as const, pattern, path: to, isDear: false, body: () => list }] : []),
    ];
  });
  const openapi = `${API_PREFIX}/openapi.json`;
  const others = OF_THE_LOG.map((to): Asked => ({ method: 'GET', pattern: to, path: to, isDear: false }));
  return [...pages, ...api, ...others, { method: 'GET', pattern: openapi, path: openapi, isDear: true }];
}

// With a cookie of no meaning, which no cached page is given for.
async function ask(url: string, { method, path: to, body }: Asked, signal?: AbortSignal): Promise<number> {
  const type = to.startsWith(API_PREFIX) && body !== undefined ? { 'content-type': 'text/csv' } : undefined;
  const given = body === undefined ? {} : { body: body() };
  const headers = { origin: url, cookie: 'none=1', ...type };
  const answer = await fetch(`${url}${to}`, { method, redirect: 'manual', headers, signal: signal ?? null, ...given });
  await answer.arrayBuffer();
  return answer.status;
}

async function timeOf(url: string, asked: Asked): Promise<Timed> {
  const took: number[] = [];
  // The first one compiles.
  let status = await ask(url, asked);
  for (let nth = 0; nth < TIMES; nth += 1) {
    const began = performance.now();
    status = await ask(url, asked);
    took.push(performance.now() - began);
  }
  return { ...asked, ms: median(took), status };
}

/** The 95th percentile of searches beside fifty who ask for `dear`, or alone. */
async function searchesBeside(url: string, regos: readonly string[], dear?: Asked): Promise<number> {
  // Each another, so that none comes from the cache.
  const paths = Array.from(
    { length: SEARCHES },
    (_, nth) => `/search?q=${regos[(nth * 7) % regos.length]?.slice(0, 5)}`,
  );
  await pause(BETWEEN_MS);
  const searching = new Worker(new URL('normal-requests.ts', import.meta.url), { workerData: { url, paths } });
  await once(searching, 'online');
  const answered = new Map<number | string, number>();
  const over = AbortSignal.timeout(BESIDE_MS);
  while (!over.aborted) {
    if (dear === undefined) await pause(BESIDE_MS);
    else
      await Promise.all(
        Array.from({ length: CLIENTS }, async () => {
          // The last ones are cut: fifty lists take a minute.
          const status = await ask(url, dear, over).catch(() => 'cut');
          answered.set(status, (answered.get(status) ?? 0) + 1);
        }),
      );
  }
  searching.postMessage('stop');
  const [answer]: unknown[] = await once(searching, 'message');
  await searching.terminate();
  const { took, failed } = z.object({ took: z.array(z.number()), failed: z.number() }).parse(answer);
  const sorted = took.toSorted((a, b) => a - b);
  const p95 = failed > 0 ? Infinity : (sorted[Math.floor(sorted.length * 0.95)] ?? Infinity);
  const name = dear === undefined ? 'none' : `${dear.method} ${dear.pattern}`;
  const answers = [...answered].map(([status, count]) => `${count} × ${status}`).join(', ');
  say(`| ${name} | ${sorted.length} searches, 95 of 100 within ${p95.toFixed(0)} ms, ${failed} failed | ${answers} |`);
  return p95;
}
