// npm run bench:in-turn -- CHECKOUT... : what requests cost here against other checkouts of this project, in turn, in one run.
// Each is installed and built before; the oldest comes first. It imports a generated registry of VEHICLES (100,000), of which
// every tenth truck has 16 readings and the others four; each of the others, and this checkout, gets a copy of its folder,
// which it brings up to date. FOLDER= where these lie; WINDOWS= (5) of SECONDS= (4) each; ONLY= a pattern of rows' names.
// On a slow machine windows must be longer: pages get faster for some thousands of them, while V8 compiles.
// REGISTRIES="FOLDER FOLDER" instead of checkouts: what they cost in the second registry against the first, with this checkout.
// `npm run bench` has made both, with VEHICLES trucks each. Linux, and wrk.
import { execFileSync, spawn } from 'node:child_process';
import { chmod, mkdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { openDatabase } from '#app/platform/database/database.server.ts';
import { joinEmbeddedPostgres } from '#app/platform/embedded-postgres/embedded-postgres.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { serveRegistry, type Served } from './scale/children.ts';
import { writeNationalExport } from './scale/national-export.ts';
import { cpuOf, cpuOfPostgres, postmasterOf, untilQuiet } from './scale/processes.ts';
import { asForm, recordings } from './scale/recordings.ts';
import { regoAt, type RegistryPlan } from './scale/registry-plan.ts';
import { ABSENT, asHtml, asJson, asList, LENGTHS, someNeedles } from './scale/search-lists.ts';
import { RECORDERS, signIn, type Sessions } from './scale/sign-in.ts';
import { readTruth, type Truth } from './scale/truth.ts';
import { again } from './scale/workload.ts';
import { insistOnWrk, runWindow, type Asked } from './scale/wrk.ts';

const HERE = path.resolve(import.meta.dirname, '..');
const { VEHICLES = '100000', WINDOWS = '5', SECONDS = '4', ONLY = '', REGISTRIES } = process.env;
const registries = REGISTRIES?.split(' ').map((each) => path.resolve(each));
const checkouts = registries?.map(() => HERE) ?? [...process.argv.slice(2).map((each) => path.resolve(each)), HERE];
const folder = path.resolve(process.env['FOLDER'] ?? path.join(tmpdir(), 'registry-in-turn'));
const vehicles = Number(VEHICLES);
const say = (line: string) => void process.stderr.write(`${line}\n`);
const silent = { info: () => {}, warn: say };
// Every tenth truck has sixteen readings.
const SIXTEEN = 10;
const READS = 40_000;
const NEEDLES = 4000;

type Row = {
  name: string;
  requests: readonly Asked[];
  connections: readonly number[];
  as?: 'technicians' | 'admin';
  /** The same requests in each window: whatever is cached was seen before. */
  same?: boolean;
};
type Side = {
  checkout: string;
  served: Served;
  postmaster: number;
  sessions: Record<'technicians' | 'admin', Sessions>;
  leave: () => Promise<void>;
};

insistOnWrk();
await mkdir(folder, { recursive: true });
// PostgreSQL runs as another user where we are root.
await chmod(folder, 0o755);
const data = registries ?? checkouts.map((_, nth) => path.join(folder, `registry-${nth}`));
for (const [nth, checkout] of checkouts.entries()) await prepare(checkout, nth);
const sides: Side[] = [];
try {
  let truth: Truth | undefined;
  for (const [nth, checkout] of checkouts.entries()) {
    const dataDir = data[nth] ?? '';
    const served = await serveRegistry(dataDir, checkout);
    const { address, leave } = await joinEmbeddedPostgres({ dataDir, log: silent });
    const { db } = openDatabase(address, { max: 2 });
    truth ??= await readTruth(db);
    const sessions = {
      technicians: await signIn(db, served.url, 'technician', RECORDERS),
      admin: await signIn(db, served.url, 'admin'),
    };
    await sql`vacuum (analyze)`.execute(db);
    await db.destroy();
    sides.push({ checkout, served, postmaster: await postmasterOf(dataDir), sessions, leave });
  }
  for (const { served, postmaster } of sides) await untilQuiet(served.pid, postmaster);
  if (truth !== undefined) await measureAll(rows(truth).filter(({ name }) => new RegExp(ONLY).test(name)));
} finally {
  for (const { served, leave } of sides) {
    await served.stop();
    await leave();
  }
}

// The registry of the oldest, or its copy.
async function prepare(checkout: string, nth: number): Promise<void> {
  const dataDir = data[nth] ?? '';
  if ((await stat(dataDir).catch(() => undefined)) === undefined)
    if (nth > 0) execFileSync('cp', ['-a', data[0] ?? '', dataDir]);
    else await load(checkout, dataDir);
  // The first start brings it up to date.
  await (await serveRegistry(dataDir, checkout)).stop();
}

async function load(checkout: string, dataDir: string): Promise<void> {
  const [file, bucket] = [path.join(folder, 'export.json'), path.join(folder, 'bucket')];
  await mkdir(bucket, { recursive: true });
  await writeNationalExport(plan(), { file, bucket, today: todayIn('Australia/Sydney') });
  const child = spawn(process.execPath, ['commands/import.ts', file, '--files', bucket, '--trial'], {
    cwd: checkout,
    env: { ...process.env, NODE_ENV: 'production', DATA_DIR: dataDir, DATABASE_URL: '' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if ((await new Promise((resolve) => child.once('close', resolve))) !== 0) throw new Error('the import failed');
  await rm(file);
}

function plan(): RegistryPlan {
  const readingsOf = (index: number) => (index % SIXTEEN === 0 ? 16 : 4);
  return { kind: 'four', vehicles, isInUse: false, readingsOf, trucksWith: () => [] };
}

function rows(truth: Truth): Row[] {
  const all = Array.from({ length: vehicles }, (_, index) => index);
  const [four, sixteen] = [all.filter((index) => index % SIXTEEN > 0), all.filter((index) => index % SIXTEEN === 0)];
  const half = Math.floor(four.length / 2);
  const another = (trucks: readonly number[], at: (rego: string) => string): Asked[] =>
    Array.from({ length: READS }, (_, nth) => {
      const asked = { path: at(regoAt(trucks[nth % trucks.length] ?? 0)) };
      return nth < trucks.length ? asked : again(asked, nth);
    });
  const page = (rego: string) => `/vehicles/view/${rego}`;
  const vehicle = (rego: string) => `/api/v1/vehicles/${rego}`;
  const read = four.slice(0, half);
  const [alone, written] = [four.slice(half, half + half / 10), four.slice(half + half / 10)];
  const first = (length: number) => someNeedles(truth, length, NEEDLES).map((needle) => ({ needle, page: 1 }));
  const both = [1, 16];
  return [
    { name: 'page of 16 readings, each another one', requests: another(sixteen, page), connections: both },
    { name: 'page of 4 readings, each another one', requests: another(read, page), connections: both },
    { name: 'page, cached', requests: another(read.slice(0, 20), page).slice(0, 20), connections: [16], same: true },
    { name: 'JSON vehicle, each another one', requests: another(read, vehicle), connections: both },
    {
      name: 'JSON history, each another one',
      requests: another(read, (rego) => `${vehicle(rego)}/calibrations`),
      connections: [16],
    },
    ...LENGTHS.map((length) => ({
      name: `JSON search, ${length} characters`,
      requests: first(length).map(asJson),
      connections: [16],
    })),
    {
      name: 'JSON search, absent',
      requests: ABSENT.map((needle) => asJson({ needle, page: 1 })),
      connections: [16],
      same: true,
    },
    { name: 'search page', requests: first(3).map(asHtml), connections: [16] },
    { name: 'office list', requests: first(3).map(asList), connections: [16], as: 'admin' },
    { name: 'dashboard', requests: [{ path: '/dashboard' }], connections: [16], as: 'admin', same: true },
    {
      name: 'record',
      requests: recordings(alone, 20_000, 1).map(asForm),
      connections: [1],
      as: 'technicians',
    },
    {
      name: 'record',
      requests: recordings(written, 90_000).map(asForm),
      connections: [16],
      as: 'technicians',
    },
  ];
}

// A line a row: the median of each checkout's windows, and the median of the ratios of this one's to those of the same round.
async function measureAll(asked: readonly Row[]): Promise<void> {
  const names = (registries ?? checkouts).map((each) => path.basename(each));
  process.stdout.write(`| ms of processor a request | connections | ${names.join(' | ')} | here, of each |\n`);
  process.stdout.write(`|---|---|${names.map(() => '---|').join('')}---|\n`);
  for (const row of asked)
    for (const connections of row.connections) {
      const places = sides.map(() => 0);
      const windows = sides.map((): number[] => []);
      // The first of each is not counted: the code is compiled, and what is cached is read, in it.
      for (let round = 0; round <= Number(WINDOWS); round += 1)
        for (const [nth, side] of sides.entries()) {
          const { cpuMs, count } = await windowOf(side, row, connections, places[nth] ?? 0);
          places[nth] = (places[nth] ?? 0) + count;
          if (round > 0) windows[nth]?.push(cpuMs);
        }
      const here = windows.at(-1) ?? [];
      const ratios = windows.slice(0, -1).map((there) => median(here.map((cpu, at) => cpu / (there[at] ?? 0))));
      const cells = [
        ...windows.map((each) => median(each).toFixed(3)),
        ratios.map((each) => `×${each.toFixed(2)}`).join(', '),
      ];
      process.stdout.write(`| ${row.name} | ${connections} | ${cells.join(' | ')} |\n`);
    }
}

async function windowOf({ served, postmaster, sessions }: Side, row: Row, connections: number, place: number) {
  const cpu = async () => (await cpuOf(served.pid)) + (await cpuOfPostgres(postmaster));
  const before = await cpu();
  const window = await runWindow({
    url: served.url,
    requests: row.requests,
    connections,
    seconds: Number(SECONDS),
    sessions: row.as === undefined ? undefined : sessions[row.as],
    from: row.same === true ? 'anywhere' : place,
  });
  const failed = Object.entries(window.errors).filter(([, count]) => count > 0);
  if (failed.length > 0) say(`${served.url}, ${row.name}: ${JSON.stringify(Object.fromEntries(failed))}`);
  // More than those under way when it ended.
  return { cpuMs: ((await cpu()) - before) / Math.max(1, window.requests), count: window.requests + 4 * connections };
}

function median(all: readonly number[]): number {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN;
}
