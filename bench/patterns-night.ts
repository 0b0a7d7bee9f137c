// npm run bench -- visits night: the nightly look at 250,000 visits with 4,000,000 readings of a year, from the
// database, in a thread as the registry has it, and the look around one visit. Prints the time and the memory that the
// thread added, and the processor that one visit takes, with PostgreSQL's. Ends with 1 above 120 s, 600 MB or 50 ms.
// VISITS=.
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { lookAtClosed } from '#app/patterns/look-for-patterns.server.ts';
import { openDatabase, type Db } from '#app/platform/database/database.server.ts';
import { joinEmbeddedPostgres } from '#app/platform/embedded-postgres/embedded-postgres.server.ts';
import { addDays } from '#app/platform/time/calendar.ts';
import { enterFirstPolicy } from '#app/policy/enter-version.server.ts';
import { migrate } from '#database/migrate.ts';
import type { NightlyWork } from '#server/pattern-worker.ts';
import { insistOnLeaves } from '#test/cluster.ts';

const VISITS = Number(process.env['VISITS'] ?? 250_000);
const TECHNICIANS = 1000;
const A_TRUCK = 10;
const ZONE = 'Australia/Sydney';
const NIGHT = '2026-11-30';
const LIMITS = { seconds: 120, megabytes: 600, visitMs: 50 };
const CLOSED = 200;
const MB = 1024 * 1024;

const say = (words: string) => process.stdout.write(`${words}\n`);
const folder = await mkdtemp(path.join(tmpdir(), 'registry-bench-'));
await chmod(folder, 0o755);
const { address, leave } = await joinEmbeddedPostgres({ dataDir: folder, log: { info: () => {}, warn: () => {} } });
await migrate(address);
await insistOnLeaves(address, false);
// One connection, so that one PostgreSQL process does all of it.
const { db } = openDatabase(address, { max: 1 });
await enterFirstPolicy(db);
const loading = performance.now();
await load(db);
say(`loaded ${VISITS} visits with ${VISITS * 16} readings in ${secondsSince(loading).toFixed(0)} s`);

const before = process.memoryUsage.rss();
let most = before;
const watching = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 50);
const begun = performance.now();
const workerData: NightlyWork = { address, zone: ZONE, night: NIGHT };
const worker = new Worker(new URL('../server/pattern-worker.ts', import.meta.url), {
  workerData,
  resourceLimits: { maxOldGenerationSizeMb: 448 },
});
const [found] = await once(worker, 'message');
const seconds = secondsSince(begun);
clearInterval(watching);
const megabytes = Math.round((most - before) / MB);
say(
  `the whole: ${seconds.toFixed(1)} s (at most ${LIMITS.seconds}), ${megabytes} MB (at most ${LIMITS.megabytes}); ${String(found)} findings`,
);

// The visits of the last day count as closed since.
await sql`update pattern_progress set closed_at = (select closed_at from visit order by closed_at desc offset ${CLOSED} limit 1)`.execute(
  db,
);
const looking = { db, zone: ZONE, now: () => new Date(`${addDays(NIGHT, 1)}T00:00:00Z`) };
await lookAtClosed(looking);
const { rows: backend } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
const pid = backend[0]?.pid ?? 0;
const postgresBefore = await processorOf(pid);
const { user, system } = process.cpuUsage();
let looked = 0;
for (let more = await lookAtClosed(looking); more > 0; more = await lookAtClosed(looking)) looked += more;
const after = process.cpuUsage({ user, system });
const postgresMs = ((await processorOf(pid)) - postgresBefore) / Math.max(1, looked);
const visitMs = (after.user + after.system) / 1000 / Math.max(1, looked);
say(
  `around one visit: ${visitMs.toFixed(1)} ms of processor in this process and ${postgresMs.toFixed(1)} in PostgreSQL (at most ${LIMITS.visitMs}), of ${looked}`,
);
await db.destroy();
await leave();
await rm(folder, { recursive: true, force: true });
process.exit(
  seconds <= LIMITS.seconds && megabytes <= LIMITS.megabytes && looked > 0 && visitMs + postgresMs <= LIMITS.visitMs
    ? 0
    : 1,
);

/** Milliseconds of processor that a process has used, in ticks of 10 ms (proc(5)). */
async function processorOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function secondsSince(start: number): number {
  return (performance.now() - start) / 1000;
}

/** Honest enough: figures that differ, spread over the year before the night. */
async function load(into: Db): Promise<void> {
  await into.connection().execute(async (one) => {
    await sql`insert into person (email) select 'tech' || n || '@bench.example' from generate_series(1, ${TECHNICIANS}) n`.execute(
      one,
    );
    await sql`insert into actor (person_id, name, email) select id, email, email from person`.execute(one);
    await sql`set session_replication_role = replica`.execute(one);
    await sql`insert into vehicle (rego, vin, axle_groups, make)
      select 'B' || n, 'VIN' || n, 'STEER DRIVE TRAILERA TRAILERB', (array['Volvo', 'Scania', 'Kenworth', 'Mack'])[1 + n % 4]
      from generate_series(1, ${Math.ceil(VISITS / A_TRUCK)}) n`.execute(one);
    await sql`insert into visit (vehicle_id, technician_id, visited_at, visited_on, opened_at, closed_at, state, judged, due_on, is_confirmed)
      select v.id, (select min(id) from actor) + (hashint8(v.place * 31 + n) & 2147483647) % ${TECHNICIANS}, t.at, t.at::date, t.at, t.at,
        'counts', 'counts', t.at::date + 180, true
      from (select id, row_number() over (order by rego) as place from vehicle) v
      cross join generate_series(0, ${A_TRUCK - 1}) n
      cross join lateral (select timestamptz '2025-12-02 00:00+00' + make_interval(mins =>
        (n * 50000 + (hashint8(v.place * 7919 + n) & 2147483647) % 50000)::int) as at) t`.execute(one);
    await sql`insert into calibration_set (id, vehicle_id, visited_at, technician_id, weighbridge, ticket_number, lift_axle, axles)
      select v.id, v.vehicle_id, v.visited_at, v.technician_id, 'Example', '', '', '[{"axle": "STEER"}]' from visit v`.execute(
      one,
    );
    await sql`insert into calibration (rego, id, vehicle_id, set_id, visit_id, axle, attribute, value, due_on, calibrated_at, technician_id)
      select ve.rego, (extract(epoch from v.visited_at) * 1000)::bigint + r.place, v.vehicle_id, v.id, v.id, r.axle, r.attribute,
        case when r.attribute like '%Volt' then (r.base + (hashint8(hashtextextended(v.id::text, r.place)) & 1023) / 1000.0)::numeric(6, 2)::text
          else (r.base + (hashint8(hashtextextended(v.id::text, r.place)) & 127) * 20)::int::text end,
        v.due_on, v.visited_at, v.technician_id
      from visit v join vehicle ve on ve.id = v.vehicle_id
      cross join (select a.axle, b.attribute, b.base, row_number() over () as place
        from unnest(array['STEER', 'DRIVE', 'TRAILERA', 'TRAILERB']) a (axle),
        (values ('Empty Volt', 0.8), ('Empty Weight', 4000), ('Loaded Volt', 2.9), ('Loaded Weight', 14000)) b (attribute, base)) r`.execute(
      one,
    );
    await sql`set session_replication_role = origin`.execute(one);
    await sql`analyze`.execute(one);
  });
}
