// npm run bench:slow-clients: 1,000 idle connections, 1,000 slow ones (headers letter by letter, bodies byte by byte,
// answers taken drop by drop) and 2,000 open event streams, and how long normal requests take beside them and without.
// Whoever is cut comes again at once, so that there are always as many. Ends with 1 when the 99th percentile is 500 ms or
// more, a normal request fails, a change does not reach every stream, or there were ever fewer connections. With `-- --dear`
// what dear-answers.ts measures, in place of that.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { addPerson, cookieOf, PASSWORD } from '#test/people.ts';
import { startRegistry } from '#test/start-registry.ts';
import { measureDearAnswers } from './dear-answers.ts';

const STREAMS = 2000;
const OPEN = 4000;
// More than the 1,000 of each: at any moment some have just been cut.
const IDLE = 1160;
const SLOW = 1160;
const MEASURE_MS = 30_000;
const SETTLE_MS = 5000;
const READY_WITHIN_MS = 120_000;
const CHANGES = 5;
const LIMIT_MS = 500;
const DRIP_MS = 1000;
// Not all at once: that would be a thousand requests in a moment, which is another question.
const COME_AGAIN_MS = 5000;
const OPEN_WITHIN_MS = 20_000;
const FILE_BYTES = 4 * 1024 * 1024;
const DESCRIPTORS = IDLE + SLOW + STREAMS + 500;

/** Keeps the connection busy, or not. What it returns ends that. */
type Kind = (socket: Socket) => (() => void) | undefined;

type Measured = { took: number[]; failed: number; busy: number };
let [usedBefore, askedBefore] = [0, 0];

if (process.argv.includes('--dear')) process.exit((await measureDearAnswers()) ? 0 : 1);

const say = (line: string) => process.stdout.write(`${line}\n`);
const { open_files: files } = z
  .object({ userLimits: z.object({ open_files: z.object({ hard: z.union([z.number(), z.literal('unlimited')]) }) }) })
  .parse(process.report.getReport()).userLimits;
if (files.hard !== 'unlimited' && files.hard < DESCRIPTORS) {
  say(`This takes ${DESCRIPTORS} file descriptors, and ${files.hard} are allowed: raise ulimit -n.`);
  process.exit(2);
}

const registry = await startRegistry({ LOG_LEVEL: 'error' });
const { hostname, port } = new URL(registry.url);
const rego = 'SLOW01';
const cookie = await signIn();
const certificate = await addVehicle();
const paths = ['/', `/vehicles/view/${rego}`, '/search?q=XV', `/api/v1/vehicles/${rego}`];
const normal = new Worker(new URL('normal-requests.ts', import.meta.url), { workerData: { url: registry.url, paths } });

await pause(5000);
await measured();
await pause(MEASURE_MS);
report('alone', await measured());

const cut = new Map<string, number>();
let isOver = false;
const open = new Set<Socket>();
const heard: number[] = [];
const opened = [
  ...times('silent', IDLE / 2, () => silent),
  ...times('between requests', IDLE / 2, () => betweenRequests),
  ...times('slow headers', SLOW / 4, () => slowHeaders),
  ...times('slow body', SLOW / 4, () => slowBody),
  ...times('slow reader', SLOW / 4, () => slowReader),
  ...times('stuck reader', SLOW / 4, () => stuckReader),
  ...times('stream', STREAMS, stream),
];
for (const begin of opened) setTimeout(begin, Math.random() * OPEN_WITHIN_MS);
for (const deadline = performance.now() + READY_WITHIN_MS; heard.filter((changes) => changes >= 0).length < STREAMS;) {
  if (performance.now() > deadline) break;
  await pause(100);
}
await pause(SETTLE_MS);
await measured();
let fewest = open.size;
const counting = setInterval(() => (fewest = Math.min(fewest, open.size)), 100);
cut.clear();
const began = performance.now();
const late: number[] = [];
for (let change = 1; change <= CHANGES; change += 1) {
  await pause(MEASURE_MS / CHANGES);
  const sent = performance.now();
  await calibrate(String(4000 + change));
  while (heard.filter((changes) => changes >= change).length < STREAMS && performance.now() - sent < 10_000)
    await pause(5);
  late.push(performance.now() - sent);
}
const beside = await measured();
clearInterval(counting);
const reached = heard.filter((changes) => changes >= CHANGES).length;
const p99 = report('beside them', beside);
say(`open at any moment: at least ${fewest}`);
say(
  `cut by the server in ${Math.round((performance.now() - began) / 1000)} s, and come again: ${[...cut].map(([name, times]) => `${name} ${times}`).join(', ')}`,
);
say(
  `${CHANGES} changes reached ${reached} of ${STREAMS} streams, each after at most ${Math.round(Math.max(...late))} ms`,
);
isOver = true;
for (const socket of open) socket.destroy();
await normal.terminate();
await registry.stop();
process.exit(p99 < LIMIT_MS && beside.failed === 0 && reached === STREAMS && fewest >= OPEN ? 0 : 1);

function times(name: string, count: number, kind: (place: number) => Kind): (() => void)[] {
  return Array.from({ length: count }, (_, place) => () => keep(name, kind(place)));
}

/** Holds a connection of this kind, and makes it again when it is cut. */
function keep(name: string, kind: Kind): void {
  if (isOver) return;
  const socket = createConnection(Number(port), hostname);
  open.add(socket);
  let stop: (() => void) | undefined;
  socket.on('error', () => {});
  socket.once('connect', () => (stop = kind(socket)));
  socket.once('close', () => {
    open.delete(socket);
    stop?.();
    if (isOver) return;
    cut.set(name, (cut.get(name) ?? 0) + 1);
    setTimeout(() => keep(name, kind), Math.random() * COME_AGAIN_MS);
  });
}

function silent(socket: Socket): undefined {
  socket.resume();
}

function betweenRequests(socket: Socket): undefined {
  socket.resume();
  socket.write(`GET /api/v1/vehicles/${rego} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
}

function slowHeaders(socket: Socket): () => void {
  socket.resume();
  socket.write(`GET / HTTP/1.1\r\nHost: ${hostname}:${port}\r\n`);
  return drip(socket, 'X-Slow: yes\r\n');
}

function slowBody(socket: Socket): () => void {
  socket.resume();
  const head = ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 100000', `Origin: ${registry.url}`];
  socket.write(`POST /login HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${head.join('\r\n')}\r\n\r\nemail=`);
  return drip(socket, 'a');
}

function slowReader(socket: Socket): () => void {
  stuckReader(socket);
  const timer = setInterval(() => void socket.read(1024), DRIP_MS);
  return () => clearInterval(timer);
}

function stuckReader(socket: Socket): undefined {
  socket.pause();
  socket.write(`GET ${certificate} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
}

// `heard` is how many changes each stream has got, from when it was opened for the first time.
function stream(place: number): Kind {
  return (socket) => {
    socket.on('data', (chunk) => {
      heard[place] = (heard[place] ?? 0) + chunk.toString().split('event: change').length - 1;
    });
    socket.write(`GET /live?topic=vehicle:${rego} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
    return undefined;
  };
}

function drip(socket: Socket, text: string): () => void {
  const timer = setInterval(() => socket.write(text), DRIP_MS);
  return () => clearInterval(timer);
}

/** What was measured since it was last asked for; `busy` is the part of a core that the server used. */
async function measured(): Promise<Measured> {
  const metrics = await (await fetch(`${registry.url}/metrics`)).text();
  const used = Number(/^process_cpu_seconds_total (\S+)/m.exec(metrics)?.[1]);
  const busy = (used - usedBefore) / ((performance.now() - askedBefore) / 1000);
  [usedBefore, askedBefore] = [used, performance.now()];
  normal.postMessage('tell');
  const [answer]: unknown[] = await once(normal, 'message');
  return { busy, ...z.object({ took: z.array(z.number()), failed: z.number() }).parse(answer) };
}

function report(name: string, { took, failed, busy }: Measured): number {
  const sorted = took.toSorted((one, other) => one - other);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Infinity;
  say(
    `normal requests ${name}: ${took.length}, median ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms, ${failed} failed, the server busy ${Math.round(busy * 100)} % of a core`,
  );
  return at(0.99);
}

function send(path: string, body: BodyInit, as = ''): Promise<Response> {
  return fetch(`${registry.url}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: registry.url, cookie: as },
    body,
  });
}

async function signIn(): Promise<string> {
  const { email } = await addPerson(registry.db, 'admin', 'slow@registry.example');
  const answer = await send('/login', new URLSearchParams({ email, password: PASSWORD }));
  return cookieOf(answer.headers.getSetCookie().filter((line) => line.includes('session_token')));
}

// With a certificate that is longer than what lies in buffers on the way.
async function addVehicle(): Promise<string> {
  const form = new FormData();
  form.set('rego', rego);
  const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(FILE_BYTES, '0'), Buffer.from('\n%%EOF\n')]);
  form.set('certificate_file', new File([pdf], 'certificate.pdf', { type: 'application/pdf' }));
  const answer = await send('/vehicles/new', form, cookie);
  if (answer.status !== 303) throw new Error(`no vehicle was added: ${answer.status}`);
  const { fileId } = await registry.db
    .selectFrom('vehicleFile')
    .innerJoin('vehicle', 'vehicle.id', 'vehicleId')
    .select('fileId')
    .where('rego', '=', rego)
    .executeTakeFirstOrThrow();
  return `/files/${fileId}`;
}

async function calibrate(value: string): Promise<void> {
  const reading = { rego, axle: 'steer', attribute: 'Empty Weight', value, due_date: '', form_key: randomUUID() };
  const answer = await send(`/vehicles/view/${rego}`, new URLSearchParams(reading), cookie);
  if (answer.status !== 303) throw new Error(`not calibrated: ${answer.status}`);
}
