// Measures this checkout, and in turn with it others of this project, each installed and built before: what a request
// costs in processor time with PostgreSQL, what a start takes, and the memory. All have a copy of one generated
// registry, which the first of the others imports. Ratios within one run count, not the figures: a shared machine gives
// twice as much in one hour as in another. VEHICLES= (100,000); WINDOWS= (5) of SECONDS= (4), after one that is not
// counted; ONLY= a pattern of rows' names; FOLDER= where the registries lie, and are found again. Linux.
import { execFileSync } from 'node:child_process';
import { mkdir, stat } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { openDatabase } from '#app/platform/database/database.server.ts';
import { joinEmbeddedPostgres } from '#app/platform/embedded-postgres/embedded-postgres.server.ts';
import { importGenerated } from './generated-registry.ts';
import { median, percentile, runWindow, type Asked } from './load.ts';
import { cpuOf, cpuOfPostgres, postmasterOf, residentOf, untilQuiet } from './processes.ts';
import { serveRegistry, type Served } from './servers.ts';
import { cookieFor, signIn, TECHNICIANS, type Sessions } from './sign-in.ts';

export type Row = {
  name: string;
  connections: number;
  /** Signed in; left out: a stranger asks. */
  as?: 'technician' | 'admin';
  ask: (nth: number) => Asked;
};
type Side = {
  name: string;
  served: Served;
  postmaster: number;
  sessions: Record<'technician' | 'admin', Sessions>;
  /** How many requests of the row were asked. */
  asked: number;
  leave: () => Promise<void>;
};
type Measured = { server: number; postgres: number; p50: number; p95: number };

const HERE = path.resolve(import.meta.dirname, '..');
const { VEHICLES = '100000', WINDOWS = '5', SECONDS = '4', ONLY = '' } = process.env;
export const vehicles = Number(VEHICLES);
export const FOLDER = path.resolve(process.env['FOLDER'] ?? path.join(tmpdir(), `registry-bench-${vehicles}`));
const STARTS = 3;
const say = (line: string) => void process.stdout.write(`${line}\n`);
const warn = (line: string) => void process.stderr.write(`${line}\n`);

/** Measures the rows, prints them as a table, and the starts and the memory below. */
export async function measureInTurn(rows: readonly Row[], checkouts: readonly string[]): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const folders: [checkout: string, dataDir: string][] = [...checkouts.map((each) => path.resolve(each)), HERE].map(
    (checkout) => [checkout, path.join(FOLDER, `of-${path.basename(checkout)}`)],
  );
  const [[oldest, first] = [HERE, '']] = folders;
  await registryIn(first, oldest);
  for (const [checkout, dataDir] of folders) {
    if (!(await isThere(dataDir))) execFileSync('cp', ['-a', first, dataDir]);
    // The first start brings it up to date.
    await (await serveRegistry(dataDir, checkout)).stop();
  }
  const starts = folders.map((): number[] => []);
  for (let round = 0; round < STARTS; round += 1)
    for (const [nth, [checkout, dataDir]] of folders.entries()) {
      const served = await serveRegistry(dataDir, checkout);
      starts[nth]?.push(served.startedMs);
      await served.stop();
    }
  const sides: Side[] = [];
  try {
    for (const [checkout, dataDir] of folders) sides.push(await enter(checkout, dataDir));
    const atRest = await memoryOf(sides);
    const [cpu] = cpus();
    const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: HERE, encoding: 'utf8' }).trim();
    say(
      `${vehicles} trucks, ${commit}, ${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpu?.model ?? ''}.`,
    );
    say(
      `| ms of processor a request (of it PostgreSQL) | connections | ${sides.map(({ name }) => name).join(' | ')} | of each | p50, p95 ms |`,
    );
    say(`|---|---|${sides.map(() => '---|').join('')}---|---|`);
    for (const row of rows.filter(({ name }) => new RegExp(ONLY).test(name))) await measureRow(row, sides);
    say(line('memory at rest, MB', '', atRest));
    say(line('memory after it all, MB', '', await memoryOf(sides)));
    say(line('start to first answer, ms', '', starts.map(median)));
  } finally {
    for (const { served, leave } of sides) {
      await served.stop();
      await leave();
    }
  }
}

const isThere = async (file: string): Promise<boolean> => (await stat(file).catch(() => undefined)) !== undefined;

/**
 * Makes the generated registry by the import of `checkout`, unless it is there. One that was cut off is made again by
 * hand.
 */
export async function registryIn(dataDir: string, checkout = HERE): Promise<void> {
  if (!(await isThere(dataDir))) await importGenerated(dataDir, vehicles, checkout);
}

async function enter(checkout: string, dataDir: string): Promise<Side> {
  const served = await serveRegistry(dataDir, checkout);
  const { address, leave } = await joinEmbeddedPostgres({ dataDir, log: { info: () => {}, warn } });
  const { db } = openDatabase(address, { max: 2 });
  const sessions = {
    technician: await signIn(db, served.url, 'technician', TECHNICIANS),
    admin: await signIn(db, served.url, 'admin', 1),
  };
  // Else the database would do it by itself in the midst of it all.
  await sql`vacuum (analyze)`.execute(db);
  await db.destroy();
  const postmaster = await postmasterOf(dataDir);
  await untilQuiet(served.pid, postmaster);
  return { name: path.basename(checkout), served, postmaster, sessions, asked: 0, leave };
}

const memoryOf = (sides: readonly Side[]): Promise<number[]> =>
  Promise.all(sides.map(({ served }) => residentOf(served.pid)));

// The median of each checkout's windows, and the median of the ratios of this one's to those of the same round.
async function measureRow(row: Row, sides: readonly Side[]): Promise<void> {
  for (const side of sides) side.asked = 0;
  const windows = sides.map((): Measured[] => []);
  // The first of each is not counted: the code is compiled, and what is cached is read, in it.
  for (let round = 0; round <= Number(WINDOWS); round += 1)
    for (const [nth, side] of sides.entries()) {
      const measured = await windowOf(side, row);
      if (round > 0) windows[nth]?.push(measured);
    }
  const here = windows.at(-1) ?? [];
  const whole = ({ server, postgres }: Measured) => server + postgres;
  const ratios = windows
    .slice(0, -1)
    .map((there) => median(here.map((own, at) => whole(own) / whole(there[at] ?? own))));
  const costs = windows.map(
    (all) => `${median(all.map(whole)).toFixed(3)} (${median(all.map(({ postgres }) => postgres)).toFixed(3)})`,
  );
  const took = [median(here.map(({ p50 }) => p50)), median(here.map(({ p95 }) => p95))];
  say(
    `| ${row.name} | ${row.connections} | ${costs.join(' | ')} | ${times(ratios)} | ${took.map((ms) => ms.toFixed(1)).join(', ')} |`,
  );
}

const times = (ratios: readonly number[]): string => ratios.map((each) => `×${each.toFixed(2)}`).join(', ');

function line(name: string, connections: string, figures: readonly number[]): string {
  const ratios = figures.slice(0, -1).map((there) => (figures.at(-1) ?? 0) / there);
  return `| ${name} | ${connections} | ${figures.join(' | ')} | ${times(ratios)} | |`;
}

async function windowOf(side: Side, { name, as, ask, connections }: Row): Promise<Measured> {
  const { served, postmaster, sessions } = side;
  const before = [await cpuOf(served.pid), await cpuOfPostgres(postmaster)] as const;
  const { latencies, refused } = await runWindow({
    url: served.url,
    connections,
    seconds: Number(SECONDS),
    ask,
    from: side.asked,
    cookie: (by) => (as === undefined ? undefined : cookieFor(sessions[as], by)),
  });
  const count = Math.max(1, latencies.length);
  side.asked += count;
  if (refused.size > 0) warn(`${side.name}, ${name}, of ${count}: ${JSON.stringify(Object.fromEntries(refused))}`);
  return {
    server: ((await cpuOf(served.pid)) - before[0]) / count,
    postgres: ((await cpuOfPostgres(postmaster)) - before[1]) / count,
    p50: percentile(latencies, 50),
    p95: percentile(latencies, 95),
  };
}
