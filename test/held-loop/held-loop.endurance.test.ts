// Large, deep, repeated and slow input from a stranger, to every address of the server: none holds its event loop, and
// with it everybody's requests, for more than 200 ms, and the memory stays bounded. One run sends a part of the kinds,
// chosen by SEED=; ALL=1 sends all of them, and ONLY= is a pattern of the routes.
import { spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PAGES } from '#app/access/pages.ts';
import { may } from '#app/access/permissions.ts';
import { demoRandom, type DemoRandom } from '#commands/demo/random.ts';
import { freePort } from '#test/cluster.ts';
import { addressOf, addressWith, allRoutes, API_PREFIX, type Examples, type Route } from '#test/fuzz/routes.ts';
import { createTestServices } from '#test/services.ts';
import { startRegistry, type StartedRegistry } from '#test/start-registry.ts';
import { BODIES, HEADS, type Kind } from './kinds.ts';

const HELD_AT_MOST_MS = 200;
const TRIES = 3;
const AT_ONCE = 6;
const GROWN_AT_MOST_MB = 300;
const FORM_BYTES = 1024 * 1024 - 2000;
const LIST_BYTES = 8_900_000;
const LIST_CHECK = `${API_PREFIX}/check`;
// All large bodies go to the two that read a list in the most ways, a part of them to the other addresses.
const ALL_BODIES = new Set(['/check', LIST_CHECK]);
const PART = { heads: 5, bodies: 12 };

const { SEED = String(Date.now() % 1_000_000), ALL, ONLY = '' } = process.env;

const MONITOR = pathToFileURL(path.resolve(import.meta.dirname, 'monitor.mjs')).href;

type Sent = { method: string; path: string; kind: Kind; bytes: number };
type Held = { heldMs: number; delayMs: number; megabytes: number };

let registry: StartedRegistry;
let loopPort: number;
let routes: Route[];
let examples: Examples;
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
beforeAll(async () => {
  loopPort = await freePort();
  registry = await startRegistry({ NODE_OPTIONS: `--import ${MONITOR}`, LOOP_PORT: String(loopPort) });
  const services = await createTestServices();
  routes = allRoutes(services);
  await services.stop();
  const { rego, id } = await registry.db
    .selectFrom('calibration')
    .select(['rego', 'id'])
    .limit(1)
    .executeTakeFirstOrThrow();
  const reference = await registry.db.selectFrom('reference').select('id').limit(1).executeTakeFirst();
  examples = { rego, calibration: String(id), email: 'a@b.example', personId: 'x', reference: reference?.id ?? 'x' };
}, 180_000);
afterAll(async () => {
  agent.destroy();
  await registry.stop();
});

/** What the server says of its event loop since it was asked last. */
async function held(port = loopPort): Promise<Held> {
  return (await fetch(`http://127.0.0.1:${port}`)).json();
}

function send({ method, path: at, kind, bytes }: Sent): Promise<number> {
  const { hostname, port, origin, host } = new URL(registry.url);
  const body = method === 'GET' ? undefined : Buffer.from(kind.body?.(bytes) ?? '');
  const headers = { host, origin, ...kind.headers, ...(body === undefined ? {} : { 'content-length': body.length }) };
  return new Promise((resolve) => {
    const sending = request({ hostname, port, path: at, method, agent, headers, timeout: 30_000 }, (answer) => {
      if (answer.headers['content-type'] === 'text/event-stream') answer.destroy();
      answer.on('close', () => resolve(answer.statusCode ?? 0)).resume();
    });
    // The server may refuse a body and close before all of it arrived.
    sending.on('error', () => resolve(0)).on('timeout', () => sending.destroy());
    if (kind.pieces === undefined || body === undefined) return void sending.end(body);
    void inPieces(body, kind.pieces, (piece) => sending.write(piece)).then(() => sending.end());
  });
}

async function inPieces(body: Buffer, pieces: number, write: (piece: Buffer) => void): Promise<void> {
  const size = Math.ceil(body.length / pieces);
  for (let at = 0; at < body.length; at += size) {
    write(body.subarray(at, at + size));
    await pause(10);
  }
}

/** The first, and some of the others. */
function some(kinds: readonly Kind[], count: number, random: DemoRandom): readonly Kind[] {
  if (ALL !== undefined) return kinds;
  const others = kinds.slice(1).map((kind) => ({ kind, turn: random.between(0, 1) }));
  const chosen = others.toSorted((a, b) => a.turn - b.turn).slice(0, count - 1);
  return [...kinds.slice(0, 1), ...chosen.map(({ kind }) => kind)];
}

function requestsTo({ pattern, kind: what }: Route): Sent[] {
  // Of each route its own: it gets the same with another ONLY.
  const random = demoRandom(`${SEED} ${pattern}`);
  const at = addressOf(pattern, examples);
  const withQuery = (to: string, { query }: Kind) => (query === undefined ? to : `${to}?${query}`);
  const gets = some(HEADS, PART.heads, random).flatMap((kind): Sent[] => {
    const to = kind.parameter === undefined ? at : addressWith(pattern, examples, kind.parameter);
    return to === undefined ? [] : [{ method: 'GET', path: withQuery(to, kind), kind, bytes: 0 }];
  });
  const [plain] = gets;
  const data = what === 'page' && plain !== undefined ? [{ ...plain, path: `${at === '/' ? '/_root' : at}.data` }] : [];
  const page = PAGES[pattern];
  const takes = pattern === LIST_CHECK || (page?.POST !== undefined && may('public', page.POST));
  const bytes = pattern === LIST_CHECK || page?.list === true ? LIST_BYTES : FORM_BYTES;
  const to = pattern.endsWith(':file') && takes ? at.replace(/[^/]*$/, 'answer.csv') : at;
  // Of what a stranger may not send, nothing is read.
  const kinds = takes
    ? some(BODIES, ALL_BODIES.has(pattern) ? BODIES.length : PART.bodies, random)
    : BODIES.slice(0, 1);
  return [...gets, ...data, ...kinds.map((kind) => ({ method: 'POST', path: to, kind, bytes }))];
}

const nameOf = ({ method, path: at, kind }: Sent) => `${method} ${at.slice(0, 60)}, ${kind.name}`;

test('there are forty kinds and more, and they go to every address', () => {
  expect(HEADS.length + BODIES.length).toBeGreaterThan(40);
  expect(routes.length).toBeGreaterThan(75);
});

test('a loop that is held is seen', async () => {
  const port = await freePort();
  const holds = `setInterval(() => {
    const before = process.threadCpuUsage();
    while (process.threadCpuUsage(before).user < ${2 * HELD_AT_MOST_MS * 1000});
  }, 1000)`;
  const program = spawn(process.execPath, ['--import', MONITOR, '--eval', holds], {
    env: { ...process.env, LOOP_PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    let longest = 0;
    for (const until = Date.now() + 20_000; longest <= HELD_AT_MOST_MS && Date.now() < until; await pause(100))
      longest = (await held(port).catch(() => ({ heldMs: 0 }))).heldMs;
    expect(longest).toBeGreaterThan(HELD_AT_MOST_MS);
  } finally {
    program.kill();
  }
});

test(
  'no stranger holds the event loop for more than 200 ms',
  { timeout: ALL === undefined ? 600_000 : 1_800_000 },
  async () => {
    await held();
    await pause(2000);
    const idle = await held();
    const dear: { ms: number; name: string }[] = [];
    const wrong: string[] = [];
    let asked = 0;
    let most = 0;
    async function heldNow(): Promise<number> {
      const { heldMs, megabytes } = await held();
      most = Math.max(most, megabytes);
      return heldMs;
    }
    // Alone, and again where it held the loop: what the machine did meanwhile, and compiling, do not come again each
    // time.
    async function alone(each: Sent): Promise<void> {
      let least = Infinity;
      for (let nth = 0; nth < TRIES && least > HELD_AT_MOST_MS; nth += 1) {
        await heldNow();
        await send(each);
        least = Math.min(least, await heldNow());
      }
      dear.push({ ms: least, name: nameOf(each) });
      if (least > HELD_AT_MOST_MS) wrong.push(`${nameOf(each)}: ${least} ms`);
    }
    const only = new RegExp(ONLY);
    for (const route of routes.filter(({ pattern }) => only.test(pattern))) {
      const requests = requestsTo(route);
      const large = requests.filter(({ method, bytes }) => method !== 'GET' && bytes === LIST_BYTES);
      const small = requests.filter((each) => !large.includes(each));
      for (let at = 0; at < small.length; at += AT_ONCE) {
        const few = small.slice(at, at + AT_ONCE);
        await Promise.all(few.map(send));
        if ((await heldNow()) > HELD_AT_MOST_MS) for (const each of few) await alone(each);
      }
      for (const each of large) await alone(each);
      asked += requests.length;
    }
    const grown = most - idle.megabytes;
    const dearest = dear.toSorted((a, b) => b.ms - a.ms).slice(0, 20);
    process.stdout.write(
      `${asked} requests; the idle loop was held for ${idle.heldMs} ms, its timer ${idle.delayMs} ms late; memory ${idle.megabytes} MB, at most ${most} MB
${dearest.map(({ ms, name }) => `  ${ms} ms  ${name}`).join('\n')}
again: SEED=${SEED} npx vitest run --mode endurance test/held-loop (ALL=1: every kind to every address; ONLY=PATTERN: of the routes)
`,
    );
    expect(wrong).toEqual([]);
    expect(grown).toBeLessThan(GROWN_AT_MOST_MB);
  },
);
