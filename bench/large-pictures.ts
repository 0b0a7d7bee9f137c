// npm run bench:large-pictures: how long searches take while four images of 49 megapixels are uploaded at once, again and
// again, and without them, in turn; for each type of image. Ends with 1 when the 99th percentile beside them is 200 ms or
// more above that without, or a search or an upload fails.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import sharp from 'sharp';
import { z } from 'zod';
import { addPerson, cookieOf, PASSWORD } from '#test/people.ts';
import { startRegistry } from '#test/start-registry.ts';

const SIDE = 7000;
const GRAIN = 1750;
const AT_ONCE = 4;
const TYPES = ['jpeg', 'webp', 'png'] as const;
const WARM_MS = 5000;
const TURNS = 3;
const MEASURE_MS = 7000;
const MORE_MS = 200;
const VEHICLES = 20_000;
const MEMORY_EVERY_MS = 100;
const MEGABYTE = 1024 * 1024;

const say = (line: string) => process.stdout.write(`${line}\n`);
const registry = await startRegistry({ LOG_LEVEL: 'error' });
await sql`insert into vehicle (rego, company_name)
  select 'PIC' || n, 'Haulage ' || n from generate_series(1, ${VEHICLES}::int) as n`.execute(registry.db);
const cookie = await signIn();
// More than are kept, so that most are asked of the database.
const paths = Array.from({ length: 5000 }, (_, n) => [
  `/search?q=PIC${n}`,
  `/?q=IC${n}`,
  `/api/v1/vehicles?q=C${n}`,
]).flat();
const searches = new Worker(new URL('normal-requests.ts', import.meta.url), {
  workerData: { url: registry.url, paths },
});

let failed = 0;
let isSlow = false;
await pause(WARM_MS);
for (const type of TYPES) {
  const picture = await makePicture(type);
  const alone: number[] = [];
  const beside: number[] = [];
  const before = await rss();
  let peak = 0;
  let uploads = 0;
  let spentMs = 0;
  // In turn: what else the machine does meets both.
  for (let turn = 0; turn < TURNS; turn += 1) {
    await measured();
    await pause(MEASURE_MS);
    alone.push(...(await measured()));
    const memory = setInterval(() => void rss().then((bytes) => (peak = Math.max(peak, bytes))), MEMORY_EVERY_MS);
    const began = performance.now();
    while (performance.now() - began < MEASURE_MS) {
      const taken = await Promise.all(Array.from({ length: AT_ONCE }, () => upload(picture, type)));
      uploads += taken.filter(Boolean).length;
      failed += taken.filter((isTaken) => !isTaken).length;
    }
    spentMs += performance.now() - began;
    clearInterval(memory);
    beside.push(...(await measured()));
  }
  const more =
    report(`beside ${type}, ${(picture.length / MEGABYTE).toFixed(1)} MB each`, beside) - report('alone', alone);
  say(
    `${uploads} taken, ${(spentMs / 1000 / uploads).toFixed(2)} s each; memory ${Math.round(before / MEGABYTE)} MB, at most ${Math.round(peak / MEGABYTE)} MB`,
  );
  isSlow ||= more >= MORE_MS;
}
await searches.terminate();
await registry.stop();
process.exit(isSlow || failed > 0 ? 1 : 0);

/** With as much in it as a photograph has, and no larger than is taken: a PNG of that is. */
async function makePicture(type: (typeof TYPES)[number]): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const grain = await sharp({ create: { width: GRAIN, height: GRAIN, channels: 3, background: '#456', noise } })
    .png()
    .toBuffer();
  const large = sharp(grain).resize(SIDE, SIDE, { kernel: type === 'png' ? 'nearest' : 'cubic' });
  if (type === 'png') return large.png({ palette: true, colours: 16, dither: 0 }).toBuffer();
  return large.toFormat(type, { quality: 60 }).toBuffer();
}

// What follows the picture makes it another one: one that is stored already is not made again.
async function upload(picture: Buffer, type: string): Promise<boolean> {
  const form = new FormData();
  form.set(
    'image_file',
    new File([new Uint8Array(picture), new Uint8Array(randomBytes(16))], `large.${type}`, { type: `image/${type}` }),
  );
  // A connection that is cut is a failed upload.
  return send('/uploads', form, cookie).then(
    ({ status }) => status === 201,
    () => false,
  );
}

async function measured(): Promise<number[]> {
  searches.postMessage('tell');
  const [answer]: unknown[] = await once(searches, 'message');
  const told = z.object({ took: z.array(z.number()), failed: z.number() }).parse(answer);
  failed += told.failed;
  return told.took;
}

function report(name: string, measuredMs: readonly number[]): number {
  const took = measuredMs.toSorted((one, other) => one - other);
  const at = (part: number) => took[Math.min(took.length - 1, Math.floor(took.length * part))] ?? Infinity;
  say(
    `${name}: ${took.length} searches, median ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms, at most ${at(1).toFixed(1)} ms`,
  );
  return at(0.99);
}

async function rss(): Promise<number> {
  const metrics = await (await fetch(`${registry.url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]);
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
  const { email } = await addPerson(registry.db, 'admin', 'pictures@registry.example');
  const answer = await send('/login', new URLSearchParams({ email, password: PASSWORD }));
  return cookieOf(answer.headers.getSetCookie().filter((line) => line.includes('session_token')));
}
