// npm run bench -- find [TRUCKS]: "Find anything" on TRUCKS (1,000,000) trucks with as many tickets: how long its first
// answers take by kind of text, one after the other as somebody types, signed in as an admin and as a technician.
// Beside them the plain search of such texts, in the same minute. Ends with 1 when 95 of 100 are not within 150 ms. The
// registry is one of 1,000 imported trucks, to which the others are added in the database, without readings. SECONDS=
// (5) for each kind; FOLDER= where it lies, and is found again.
import { stat } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { openDatabase, type Db } from '#app/platform/database/database.server.ts';
import { joinEmbeddedPostgres } from '#app/platform/embedded-postgres/embedded-postgres.server.ts';
import { demoRandom } from '#commands/demo/random.ts';
import { insistOnLeaves } from '#test/cluster.ts';
import { importGenerated, regoAt, vinAt } from './generated-registry.ts';
import { percentile, runWindow } from './load.ts';
import { postmasterOf, untilQuiet } from './processes.ts';
import { serveRegistry } from './servers.ts';
import { cookieFor, signIn } from './sign-in.ts';

const PROMISED_MS = 150;
const IMPORTED = 1000;
const BATCH = 10_000;
const WARM_SECONDS = 1;
const HERE = path.resolve(import.meta.dirname, '..');
const trucks = Number(process.argv[2] ?? '1000000');
const seconds = Number(process.env['SECONDS'] ?? '5');
const dataDir = path.resolve(process.env['FOLDER'] ?? path.join(tmpdir(), `registry-find-${trucks}`));

const random = demoRandom('what is found');
const index = () => random.whole(0, trucks - 1);
const digits = (length: number) => String(random.whole(10 ** (length - 1), 10 ** length - 1));
const serialAt = (nth: number) => `LC-40 ${regoAt(nth)}`;
const KINDS: Readonly<Record<string, () => string>> = {
  plate: () => regoAt(index()),
  'three of a plate': () => regoAt(index()).slice(0, 3),
  'one character': () => regoAt(index()).slice(0, 1),
  VIN: () => vinAt(index()),
  'end of a VIN': () => vinAt(index()).slice(-6),
  serial: () => serialAt(index()),
  'what every serial has': () => 'LC-40',
  company: () => `Carrier ${random.whole(1, 60_000)} Pty`,
  'what every company has': () => 'pty ltd',
  person: () => `Technician ${random.whole(0, 399)}`,
  ticket: () => `HR-${index()}`,
  'begun ticket': () => `HR-${digits(1)}`,
  entry: () => digits(4),
  absent: () => `QO${digits(4)}I`,
};

const say = (line: string) => void process.stdout.write(`${line}\n`);
if ((await stat(dataDir).catch(() => undefined)) === undefined) await importGenerated(dataDir, IMPORTED, HERE);
const registry = await serveRegistry(dataDir);
try {
  const cookies = await enter();
  await untilQuiet(registry.pid, await postmasterOf(dataDir));
  say(`${trucks} trucks, ${cpus().length} × ${cpus()[0]?.model ?? ''}.`);
  say('| p50, p95 ms | admin | technician | plain search |\n|---|---|---|---|');
  let isSoon = true;
  for (const [kind, textOf] of Object.entries(KINDS)) {
    const admin = await measure('/find.data', textOf, cookies.admin);
    const technician = await measure('/find.data', textOf, cookies.technician);
    const plain = await measure('/search.data', textOf, cookies.technician);
    isSoon &&= Math.max(admin.p95, technician.p95) <= PROMISED_MS;
    const shown = [admin, technician, plain].map(({ p50, p95 }) => `${p50.toFixed(1)}, ${p95.toFixed(1)}`);
    say(`| ${kind} | ${shown.join(' | ')} |`);
  }
  process.exitCode = isSoon ? 0 : 1;
} finally {
  await registry.stop();
}

async function enter(): Promise<Record<'admin' | 'technician', string>> {
  const warn = (line: string) => void process.stderr.write(`${line}\n`);
  const { address, leave } = await joinEmbeddedPostgres({ dataDir, log: { info: () => {}, warn } });
  const { db } = openDatabase(address, { max: 2 });
  // A record that is only here for its number needs no entry in the log.
  await insistOnLeaves(address, false);
  await addTrucks(db);
  const [admin] = await signIn(db, registry.url, 'admin', 1);
  const technicians = await signIn(db, registry.url, 'technician', 1);
  await sql`vacuum (analyze)`.execute(db);
  await db.destroy();
  await leave();
  return { admin: admin ?? '', technician: cookieFor(technicians, 0) };
}

/** The trucks that are not there yet, each with a visit that has a ticket. */
async function addTrucks(db: Db): Promise<void> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from vehicle`.execute(db);
  const actors = (await db.selectFrom('actor').select('id').orderBy('id').execute()).map(({ id }) => id);
  for (let from = rows[0]?.n ?? 0; from < trucks; from += BATCH) {
    const all = Array.from({ length: Math.min(BATCH, trucks - from) }, (_, nth) => from + nth);
    await sql`with added as (
        insert into vehicle (rego, vin, scale_serial_number, company_name, calibration_validated, next_calibration_due_on)
        select * from unnest(${all.map(regoAt)}::text[], ${all.map(vinAt)}::text[], ${all.map(serialAt)}::text[],
          ${all.map((nth) => `Carrier ${(nth * 7919) % 60_000} Pty Ltd`)}::text[], ${all.map(() => true)}::boolean[],
          ${all.map((nth) => `2027-0${(nth % 9) + 1}-01`)}::date[])
        returning id
      ), numbered as (select id, gen_random_uuid() as visit, ${from} + row_number() over () - 1 as nth from added),
      own as (select *, (${actors}::bigint[])[1 + nth % ${actors.length}] as actor from numbered),
      visits as (
        insert into visit (id, vehicle_id, technician_id, visited_at, visited_on, closed_at, state, judged)
        select visit, id, actor, now(), current_date, now(), 'counts', 'counts' from own)
      insert into calibration_set (id, vehicle_id, visited_at, technician_id, weighbridge, ticket_number, axles)
      select visit, id, now(), actor, 'Hollow Ridge', 'HR-' || nth, '[{}]' from own`.execute(db);
  }
}

async function measure(at: string, textOf: () => string, cookie: string): Promise<{ p50: number; p95: number }> {
  const ask = () => ({ path: `${at}?q=${encodeURIComponent(textOf())}` });
  const window = { url: registry.url, connections: 1, ask, from: 0, cookie: () => cookie };
  await runWindow({ ...window, seconds: WARM_SECONDS });
  const { latencies, refused } = await runWindow({ ...window, seconds });
  if (refused.size > 0) throw new Error(`answered with ${[...refused.keys()].join(', ')}`);
  return { p50: percentile(latencies, 50), p95: percentile(latencies, 95) };
}
