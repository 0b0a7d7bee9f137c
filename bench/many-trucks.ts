// npm run bench:many-trucks: a list of 10,000 lines against 1,000,000 vehicles, on a server that has never seen them and again,
// while others search. Prints how long it takes, how much memory it adds at most, and the searches' latencies. VEHICLES=, FOLDER=
// where the registry is or will be (shared with `npm run bench`). Ends with 1 when a list takes over 5 s or adds over 50 MB, or
// when 95 of 100 searches are not within 50 ms.
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { serveRegistry } from './scale/children.ts';
import { loadRegistry } from './scale/load-registry.ts';
import { planRegistry, regoAt } from './scale/registry-plan.ts';
import { cpuOf, residentOf } from './scale/processes.ts';

const LINES = 10_000;
const ROUNDS = 3;
const SEARCHES_A_SECOND = 20;
const LIST_MAX_MS = 5000;
const MEMORY_MAX_MB = 50;
const SEARCH_MAX_MS = 50;
const QUIET_MS = 5000;
const QUIET_SHARE = 0.25;
// A node takes the jobs of all some seconds after it started.
const QUIET_TIMES = 12;
const SETTLES_MS = 15_000;

const vehicles = Number(process.env['VEHICLES'] ?? 1_000_000);
const folder = path.resolve(process.env['FOLDER'] ?? path.join(tmpdir(), `registry-bench-four-${vehicles}`));
const say = (words: string) => void process.stdout.write(`${words}\n`);
await loadRegistry(folder, planRegistry('four', vehicles), say);
const registry = await serveRegistry(folder);
let failed = false;
try {
  await untilQuiet();
  // What a start does by itself is over then, and the searches' own memory is there.
  await searching(pause(SETTLES_MS));
  const idle = await searching(pause(SETTLES_MS));
  say(`searches alone: p50 ${at(idle, 50)} ms, p95 ${at(idle, 95)} ms`);
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await residentOf(registry.pid);
    let most = before;
    const begun = performance.now();
    let ms = 0;
    const checked = check().then(() => void (ms = performance.now() - begun));
    const watched = watch(checked, (mb) => (most = Math.max(most, mb)));
    const latencies = await searching(checked);
    await watched;
    failed ||= ms > LIST_MAX_MS || most - before > MEMORY_MAX_MB || at(latencies, 95) > SEARCH_MAX_MS;
    say(
      `${round === 0 ? 'first list' : 'the same again'}: ${LINES} lines in ${(ms / 1000).toFixed(1)} s, ${most - before} MB more than ${before}; ` +
        `${latencies.length} searches beside it: p50 ${at(latencies, 50)} ms, p95 ${at(latencies, 95)} ms, longest ${at(latencies, 100)} ms`,
    );
  }
} finally {
  await registry.stop();
}
process.exit(failed ? 1 : 0);

/** The log of the import is published then, and the check of all of it at the start is over: of six million entries it takes minutes. */
async function untilQuiet(): Promise<void> {
  const began = performance.now();
  let before = await cpuOf(registry.pid);
  for (let quiet = 0; quiet < QUIET_TIMES;) {
    await pause(QUIET_MS);
    const now = await cpuOf(registry.pid);
    quiet = now - before < QUIET_MS * QUIET_SHARE ? quiet + 1 : 0;
    before = now;
  }
  say(`the server is quiet ${Math.round((performance.now() - began) / 1000)} s after its start`);
}

/** As many lines as it sends: of ten, nine regos that are there and one that is not. */
async function check(): Promise<void> {
  const lines = Array.from({ length: LINES }, (_, n) =>
    n % 10 === 9 ? `NONE${n}` : regoAt(Math.floor((n * vehicles) / LINES)),
  );
  const answer = await fetch(`${registry.url}/api/v1/check`, {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: lines.join('\n'),
  });
  const rows = (await answer.text()).trimEnd().split('\n').length;
  if (answer.status !== 200 || rows !== LINES) throw new Error(`${answer.status}, with ${rows} rows`);
}

async function watch(until: Promise<unknown>, tell: (mb: number) => void): Promise<void> {
  let isOver = false;
  void until.finally(() => (isOver = true));
  while (!isOver) {
    tell(await residentOf(registry.pid));
    await pause(20);
  }
}

/** Searches, each another one, as many a second whatever they take. Returns how long each took, the shortest first. */
async function searching(until: Promise<unknown>): Promise<number[]> {
  let isOver = false;
  void until.finally(() => (isOver = true));
  const waits: Promise<number>[] = [];
  for (let n = Math.floor(Math.random() * vehicles); !isOver; n += 7919) {
    waits.push(search(regoAt(n % vehicles).slice(0, 3 + (n % 3))));
    await pause(1000 / SEARCHES_A_SECOND);
  }
  return (await Promise.all(waits)).toSorted((a, b) => a - b);
}

async function search(needle: string): Promise<number> {
  const begun = performance.now();
  const answer = await fetch(`${registry.url}/api/v1/vehicles?q=${needle}`);
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`a search was answered ${answer.status}`);
  return performance.now() - begun;
}

function at(sorted: readonly number[], percent: number): number {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0);
}
