// npm run bench [-- VEHICLES --histories --write]: the registry at national size beside what bare Node and bare SQL can do on
// the same machine, in the same run. Trucks have four readings each, and some long histories are planted among them; with
// `--histories` all have histories as trucks have (registry-plan.ts). VEHICLES= (1,000,000; 20,000 with histories), SECONDS= a
// window (10), ROUNDS= (3), ONLY= a pattern of workloads' names, FOLDER= where the registry is or will be. `--write` puts the
// result into bench/RESULTS.md. Linux, and wrk.
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { z } from 'zod';
import { closeExpired } from '#app/visits/close-visit.server.ts';
import { openDatabase, type Db } from '#app/platform/database/database.server.ts';
import { joinEmbeddedPostgres } from '#app/platform/embedded-postgres/embedded-postgres.server.ts';
import { serveBareBytes, serveBareSql, serveRegistry, type Served } from './scale/children.ts';
import { loadRegistry } from './scale/load-registry.ts';
import { measure, memoryOf, sendAll, type Result, type Targets } from './scale/measure.ts';
import { diskOf, postmasterOf, untilQuiet } from './scale/processes.ts';
import { report } from './scale/report.ts';
import { isRight, readTruth, type Truth } from './scale/truth.ts';
import { planRegistry, type RegistryKind } from './scale/registry-plan.ts';
import { chooseNeedles } from './scale/search-lists.ts';
import { RECORDERS, signIn } from './scale/sign-in.ts';
import type { Workload } from './scale/workload.ts';
import { workloads } from './scale/workloads.ts';
import { insistOnWrk, runWindow, type Asked, type Load } from './scale/wrk.ts';

const say = (line: string) => void process.stderr.write(`${line}\n`);
const DAY_MS = 86_400_000;
// So many of a list of searches are compared with counting by hand.
const COMPARED = 120;
const silent = { info: () => {}, warn: say };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean' }, histories: { type: 'boolean' } },
});
const kind: RegistryKind = values.histories === true ? 'histories' : 'four';
const numbers = z
  .object({
    vehicles: z.coerce.number().int().min(1000),
    seconds: z.coerce.number().min(1),
    rounds: z.coerce.number().int().min(1),
  })
  .parse({
    vehicles: positionals[0] ?? process.env['VEHICLES'] ?? (kind === 'four' ? 1_000_000 : 20_000),
    seconds: process.env['SECONDS'] ?? 10,
    rounds: process.env['ROUNDS'] ?? 3,
  });
const { vehicles, seconds, rounds } = numbers;
const only = new RegExp(process.env['ONLY'] ?? '');
const folder = path.resolve(process.env['FOLDER'] ?? path.join(tmpdir(), `registry-bench-${kind}-${vehicles}`));

insistOnWrk();
const plan = planRegistry(kind, vehicles);
const loaded = await loadRegistry(folder, plan, say);
// The first start brings an older folder up to date; the second is what is timed.
await (await serveRegistry(folder)).stop();
const registry = await serveRegistry(folder);
say(`First answer after ${registry.startedMs} ms.`);
const { address, leave } = await joinEmbeddedPostgres({ dataDir: folder, log: silent });
if ('connectionString' in address) throw new Error('an embedded PostgreSQL has a socket');
const { db } = openDatabase(address, { max: 2 });
const started: Served[] = [registry];
const failed: string[] = [];
try {
  await makeReady(db);
  const truth = await readTruth(db);
  const all = workloads(truth, chooseNeedles(truth), plan).filter(({ name }) => only.test(name));
  const bytes = await serveBareBytes();
  started.push(bytes);
  const page = `${registry.url}/vehicles/view/${truth.regos.at(-1)}`;
  const pool = await bestPool(all, page);
  const bare = await serveBareSql(address, pool, page);
  started.push(bare);
  await compareAll(truth, all, bare);
  const postmaster = await postmasterOf(folder);
  const sessions = {
    technicians: await signIn(db, registry.url, 'technician', RECORDERS),
    admin: await signIn(db, registry.url, 'admin'),
  };
  const targets: Targets = { bytes, sql: bare, registry, postmaster, sessions };
  const sent = new Set<readonly Asked[]>();
  const results: Result[] = [];
  for (const [nth, first] of all.entries()) {
    const { comparedBy } = first;
    const group = comparedBy === undefined ? [first] : all.filter((each) => each.comparedBy === comparedBy);
    if (all.indexOf(group[0] ?? first) < nth) continue;
    const name = group.map((each) => `${each.name}, ${each.connections}`).join('; ');
    say(`${name} …`);
    // What hours have measured is not lost with one workload: it is reported, and not written.
    await measureAfter(group, targets, sent).then(
      (measured) => results.push(...measured),
      (error: Error) => failed.push(`${name}: ${error.message}`),
    );
  }
  const whole = {
    loaded,
    diskMb: await diskOf(folder),
    startMs: registry.startedMs,
    memoryMb: await memoryOf(targets),
    pool,
    seconds,
    rounds,
  };
  const text = report(results, whole);
  process.stdout.write(text);
  if (failed.length > 0) throw new Error(failed.join('\n'));
  if (values.write === true) await write(text);
} finally {
  for (const served of started) await served.stop();
  await sql`drop schema if exists bench cascade`.execute(db);
  await db.destroy();
  await leave();
}

// `sent`: what was sent before workloads that ran already.
async function measureAfter(
  group: readonly Workload[],
  targets: Targets,
  sent: Set<readonly Asked[]>,
): Promise<Result[]> {
  for (const { after } of group)
    if (after !== undefined && !sent.has(after)) {
      sent.add(after);
      await sendAll(after, targets);
    }
  return measure(group, targets, { seconds, rounds });
}

// What a bare insert goes into; statistics, and every table vacuumed, or the database would do it by itself in the midst of
// it all; and a log that is published. Nothing is under way then but what is measured.
async function makeReady(on: Db): Promise<void> {
  await sql`drop schema if exists bench cascade`.execute(on);
  await sql`create schema bench`.execute(on);
  await sql`create table bench.calibration (like public.calibration including defaults including indexes)`.execute(on);
  // The visits that the last run left open would refuse what this one records.
  const tomorrow = { now: new Date(Date.now() + DAY_MS), zone: 'Australia/Sydney' };
  while ((await closeExpired(on, tomorrow)) > 0);
  // Else the server looks for patterns around the visits of earlier runs while this one measures, twenty every ten seconds.
  await sql`update pattern_progress set (closed_at, visit_id) = (
    select closed_at, id from visit where closed_at is not null order by closed_at desc, id desc limit 1)
    where exists (select from visit where closed_at is not null)`.execute(on);
  await sql`vacuum (analyze)`.execute(on);
  await sql`select fold_vehicle_grams()`.execute(on);
  const { leafSize } = await on.selectFrom('activityState').select('leafSize').executeTakeFirstOrThrow();
  for (let told = -1; ;) {
    const text = await (await fetch(`${registry.url}/log/1/checkpoint`)).text();
    const size = Number(text.split('\n')[1] ?? 0);
    if (size >= leafSize) return untilQuiet(registry.pid, await postmasterOf(folder));
    const percent = Math.floor((size / leafSize) * 100);
    if (percent !== told) say(`The log is being published: ${(told = percent)} %`);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

// The pool that serves (b) best, tried with the first of those that are asked in turn.
async function bestPool(all: readonly Workload[], page: string): Promise<number> {
  const requests = all.find(
    ({ bare, connections, warmBare }) => bare !== undefined && connections === 16 && warmBare === undefined,
  )?.bare;
  if (requests === undefined) return 4;
  let best = { pool: 4, requests: 0 };
  for (const pool of [2, 4, 8, 16]) {
    const served = await serveBareSql(addressOf(), pool, page);
    const load: Omit<Load, 'seconds'> = { url: served.url, requests, connections: 16, from: 'anywhere' };
    await runWindow({ ...load, seconds: 1 });
    const window = await runWindow({ ...load, seconds: Math.min(3, seconds) });
    if (window.requests > best.requests) best = { pool, requests: window.requests };
    await served.stop();
  }
  return best.pool;
}

function addressOf() {
  if ('connectionString' in address) throw new Error('an embedded PostgreSQL has a socket');
  return address;
}

// Before anything is timed: the searches, of the registry and of (b), against a count by hand.
async function compareAll(truth: Truth, all: readonly Workload[], bare: Served): Promise<void> {
  const answerSchema = z.object({ total: z.number(), items: z.array(z.object({ rego: z.string() })) });
  const asked = new Set<string>();
  for (const { requests, bare: alike = [] } of all) {
    const [own, others] = [requests.slice(0, COMPARED), alike.slice(0, COMPARED)];
    for (const { path: one } of own) if (one.startsWith('/api/v1/vehicles?q=')) asked.add(`${registry.url}${one}`);
    for (const { path: one } of others) if (one.startsWith('/search?q=')) asked.add(`${bare.url}${one}`);
  }
  let compared = 0;
  for (const text of asked) {
    const url = new URL(text);
    const needle = url.searchParams.get('q') ?? '';
    const { total, items } = answerSchema.parse(await (await fetch(url)).json());
    const answer = { total, regos: items.map(({ rego }) => rego) };
    if (!isRight(truth, needle, Number(url.searchParams.get('page')), answer))
      throw new Error(`not what counting by hand gives: ${text}`);
    compared += 1;
  }
  say(`${compared} searches are what counting by hand gives.`);
}

async function write(text: string): Promise<void> {
  const file = path.join(import.meta.dirname, 'RESULTS.md');
  const which = kind === 'four' ? String(vehicles) : `${vehicles} ${kind}`;
  const [begin, end] = [`<!-- bench ${which} -->\n`, `<!-- end of bench ${which} -->\n`];
  const before = await readFile(file, 'utf8');
  const section = `${begin}\n## ${vehicles.toLocaleString('en-AU')} vehicles${kind === 'four' ? '' : ' with histories'}: \`npm run bench\`\n\n${text}\n${end}`;
  const [from, to] = [before.indexOf(begin), before.indexOf(end)];
  await writeFile(
    file,
    from < 0 ? `${before.trimEnd()}\n\n${section}` : before.slice(0, from) + section + before.slice(to + end.length),
  );
}
