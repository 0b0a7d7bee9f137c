// npm run bench -- check: lists of 10,000 lines against a generated registry of VEHICLES trucks (100,000), while others
// search: how long one takes, how much memory it adds at most, and the searches' latencies. Then, with a cookie of no
// meaning so that nothing comes from the cache, the twenty dearest of all public answers, and how long a search takes
// beside fifty of each at once. Ends with 1 when a list takes over 5 s or adds over 50 MB, or when 95 of 100 searches
// are not within 50 ms. FOLDER= as in in-turn.ts, whose registry of this checkout it takes.
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { PAGES } from '#app/access/pages.ts';
import { may } from '#app/access/permissions.ts';
import { isDear } from '#server/dear-answers.ts';
import { addressOf, API_PREFIX } from '#test/fuzz/routes.ts';
import { readingsOf, regoAt } from './generated-registry.ts';
import { FOLDER, registryIn, vehicles } from './in-turn.ts';
import { median, percentile } from './load.ts';
import { postmasterOf, residentOf, untilQuiet } from './processes.ts';
import { serveRegistry } from './servers.ts';

const LINES = 10_000;
const ROUNDS = 3;
const SEARCHES_A_SECOND = 20;
const LIST_MAX_MS = 5000;
const MEMORY_MAX_MB = 50;
const SEARCH_MAX_MS = 50;
const SETTLES_MS = 15_000;
const LISTED = 20;
const TIMES = 3;
const CROWD = 50;
const RESTS_MS = 500;

type Asked = { pattern: string; path: string; body?: BodyInit };

const at = (sorted: readonly number[], percent: number): number => Math.round(percentile(sorted, percent));
const say = (words: string) => void process.stdout.write(`${words}\n`);
const dataDir = path.join(FOLDER, `of-${path.basename(path.resolve(import.meta.dirname, '..'))}`);
await registryIn(dataDir);
const registry = await serveRegistry(dataDir);
try {
  await untilQuiet(registry.pid, await postmasterOf(dataDir));
  const idle = await searching(pause(SETTLES_MS));
  say(`searches alone: p50 ${at(idle, 50)} ms, p95 ${at(idle, 95)} ms`);
  let isSoon = true;
  for (let round = 0; round < ROUNDS; round += 1) isSoon = (await checkBeside()) && isSoon;
  process.exitCode = isSoon ? 0 : 1;
  await nameDearest();
} finally {
  await registry.stop();
}

/** One list, and what is searched meanwhile. Returns whether all promises were kept. */
async function checkBeside(): Promise<boolean> {
  const before = await residentOf(registry.pid);
  const begun = performance.now();
  let [ms, most] = [0, before];
  const checked = check().then(() => void (ms = performance.now() - begun));
  const watched = whileUnder(checked, 20, async () => void (most = Math.max(most, await residentOf(registry.pid))));
  const latencies = await searching(checked);
  await watched;
  say(
    `${LINES} lines in ${(ms / 1000).toFixed(1)} s, ${most - before} MB more than ${before}; ` +
      `${latencies.length} searches beside it: p50 ${at(latencies, 50)} ms, p95 ${at(latencies, 95)} ms, longest ${at(latencies, 100)} ms`,
  );
  return ms <= LIST_MAX_MS && most - before <= MEMORY_MAX_MB && at(latencies, 95) <= SEARCH_MAX_MS;
}

/** As many lines as it sends: of ten, nine regos that are there and one that is not. */
async function check(): Promise<void> {
  const lines = Array.from({ length: LINES }, (_, nth) =>
    nth % 10 === 9 ? `NONE${nth}` : regoAt(Math.floor((nth * vehicles) / LINES)),
  );
  const headers = { 'content-type': 'text/csv' };
  const sent = { method: 'POST', headers, body: lines.join('\n') };
  const answer = await fetch(`${registry.url}${API_PREFIX}/check`, sent);
  const rows = (await answer.text()).trimEnd().split('\n').length;
  if (answer.status !== 200 || rows !== LINES) throw new Error(`${answer.status}, with ${rows} rows`);
}

/** Searches, each another one, as many a second whatever they take. Returns how long each took, the shortest first. */
async function searching(until: Promise<unknown>): Promise<number[]> {
  const waits: Promise<number>[] = [];
  let index = Math.floor(Math.random() * vehicles);
  await whileUnder(until, 1000 / SEARCHES_A_SECOND, async () => {
    index += 7919;
    waits.push(search(regoAt(index % vehicles).slice(0, 3 + (index % 3))));
  });
  return (await Promise.all(waits)).sort((a, b) => a - b);
}

async function search(needle: string): Promise<number> {
  const begun = performance.now();
  const answer = await fetch(`${registry.url}${API_PREFIX}/vehicles?q=${needle}`);
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`a search was answered ${answer.status}`);
  return performance.now() - begun;
}

async function whileUnder(until: Promise<unknown>, everyMs: number, work: () => Promise<void>): Promise<void> {
  let isOver = false;
  void until.finally(() => (isOver = true));
  while (!isOver) {
    await work();
    await pause(everyMs);
  }
  await until;
}

/** Every public page and address of the API, of a truck with the longest history. */
async function nameDearest(): Promise<void> {
  const longest = Array.from({ length: vehicles }, (_, index) => index).reduce((most, index) =>
    readingsOf(index) > readingsOf(most) ? index : most,
  );
  const rego = regoAt(longest);
  const listSchema = z.object({ items: z.array(z.object({ id: z.coerce.string() })) });
  const history = await (await fetch(`${registry.url}${API_PREFIX}/vehicles/${rego}/calibrations`)).json();
  const calibration = listSchema.parse(history).items[0]?.id ?? 'x';
  const examples = { rego, calibration, email: 'a@b.example', personId: 'x', reference: 'x' };
  const to = (pattern: string) => addressOf(pattern.replaceAll(/:(index|version)/g, '1'), examples);
  const list = Array.from({ length: LINES }, (_, nth) => regoAt(nth % vehicles)).join('\n');
  const form = new URLSearchParams({ list, email: examples.email, password: 'certainly not this one' });
  const asked = Object.entries(PAGES).flatMap(([pattern, { GET, POST }]): Asked[] => {
    const posted = pattern === '/check/:file' ? '/check/answer.csv' : to(pattern);
    return [
      ...(GET !== undefined && may('public', GET) ? [{ pattern, path: to(pattern) }] : []),
      ...(POST !== undefined && may('public', POST) ? [{ pattern, path: posted, body: form }] : []),
    ];
  });
  const described = await (await fetch(`${registry.url}${API_PREFIX}/openapi.json`)).json();
  const { paths } = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) }).parse(described);
  for (const [name, methods] of Object.entries(paths)) {
    const pattern = `${name.startsWith(API_PREFIX) ? '' : API_PREFIX}${name}`.replaceAll(/\{(\w+)\}/g, ':$1');
    if ('get' in methods) asked.push({ pattern, path: to(pattern) });
    if ('post' in methods) asked.push({ pattern, path: to(pattern), body: list });
  }
  const timed: { ms: number; status: number; each: Asked }[] = [];
  for (const each of asked) timed.push(await timeOf(each));
  say(
    `${timed.length} public addresses, the ${LISTED} dearest (median of ${TIMES}), and searches beside ${CROWD} at once:`,
  );
  for (const { ms, status, each } of timed.sort((a, b) => b.ms - a.ms).slice(0, LISTED)) {
    const beside = await searching(Promise.all(Array.from({ length: CROWD }, () => ask(each))));
    const { pattern, path: to, body } = each;
    const method = body === undefined ? 'GET' : 'POST';
    const kind = isDear(to) ? 'dear' : '';
    say(
      `| ${ms.toFixed(1)} ms | ${method} ${pattern} | ${status} | ${kind} | p95 ${at(beside, 95)} ms of ${beside.length} |`,
    );
    await pause(RESTS_MS);
  }
}

async function timeOf(each: Asked): Promise<{ ms: number; status: number; each: Asked }> {
  const took: number[] = [];
  let status = 0;
  // The first one compiles.
  for (let nth = 0; nth <= TIMES; nth += 1) {
    const began = performance.now();
    status = await ask(each);
    if (nth > 0) took.push(performance.now() - began);
  }
  return { ms: median(took), status, each };
}

async function ask({ path: to, body }: Asked): Promise<number> {
  const type = typeof body === 'string' ? { 'content-type': 'text/csv' } : undefined;
  const headers = { origin: registry.url, cookie: 'none=1', ...type };
  const given = body === undefined ? { method: 'GET' } : { method: 'POST', body };
  const answer = await fetch(`${registry.url}${to}`, { redirect: 'manual', headers, ...given });
  await answer.arrayBuffer();
  return answer.status;
}
