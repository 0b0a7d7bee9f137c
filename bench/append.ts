// npm run bench:append: how many events of record a second the transparency log takes from 16 writers at once, on a real
// PostgreSQL that syncs each commit, beside the same transactions without the leaf; and what the leaf adds to recording
// one calibration. Rounds are taken in turn, so that a busy machine slows both.
import { rm, mkdtemp, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import { openDatabase, type Db } from '#app/platform/database/database.server.ts';
import { joinEmbeddedPostgres } from '#app/platform/embedded-postgres/embedded-postgres.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { calibrationEvent } from '#app/readings/insert-readings.server.ts';
import { migrate } from '#database/migrate.ts';
import { insistOnLeaves } from '#test/cluster.ts';

const WRITERS = 16;
const ROUNDS = 4;
const ROUND_MS = 4000;
const SINGLE = 400;

const folder = await mkdtemp(path.join(tmpdir(), 'registry-bench-'));
await chmod(folder, 0o755);
const { address, leave } = await joinEmbeddedPostgres({ dataDir: folder, log: { info: () => {}, warn: () => {} } });
await migrate(address);
await insistOnLeaves(address, false);
const { db } = openDatabase(address, { max: WRITERS });
const vehicles = await db
  .insertInto('vehicle')
  .values(Array.from({ length: WRITERS }, (_, index) => ({ rego: `BENCH${index}` })))
  .returning(['id', 'rego'])
  .execute();
const actorId = await db.transaction().execute((tx) => findOrAddActor(tx, { name: 'Bench', email: 'b@site.example' }));

let id = Date.now();
/** What recording a calibration writes, with its leaf or without. */
async function record(database: Db, vehicle: { id: string; rego: string }, withLeaf: boolean): Promise<void> {
  await database.transaction().execute(async (tx) => {
    await sql`select id from vehicle where id = ${vehicle.id} for update`.execute(tx);
    const reading = {
      id: (id += 1),
      axle: 'STEER',
      attribute: 'Empty Weight',
      value: '5890',
      dueOn: null,
      calibratedAt: new Date(id),
    } as const;
    await tx
      .insertInto('calibration')
      .values({ rego: vehicle.rego, vehicleId: vehicle.id, ...reading, technicianId: actorId })
      .execute();
    if (withLeaf) await appendLeaves(tx, [calibrationEvent(vehicle, reading, 'Bench')]);
    await appendActivities(tx, [{ kind: 'calibration.recorded', actorId, details: vehicle.rego, rego: vehicle.rego }]);
  });
}

async function perSecond(withLeaf: boolean): Promise<number> {
  const end = performance.now() + ROUND_MS;
  let done = 0;
  await Promise.all(
    vehicles.map(async (vehicle) => {
      while (performance.now() < end) {
        await record(db, vehicle, withLeaf);
        done += 1;
      }
    }),
  );
  return (done / ROUND_MS) * 1000;
}

const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

const rates: Record<'with' | 'without', number[]> = { with: [], without: [] };
await perSecond(true);
for (let round = 0; round < ROUNDS; round += 1) {
  rates.without.push(await perSecond(false));
  rates.with.push(await perSecond(true));
}
const times: Record<'with' | 'without', number[]> = { with: [], without: [] };
const [vehicle] = vehicles;
if (vehicle === undefined) throw new Error('no vehicle');
for (let nth = 0; nth < SINGLE; nth += 1)
  for (const kind of ['without', 'with'] as const) {
    const begun = performance.now();
    await record(db, vehicle, kind === 'with');
    times[kind].push(performance.now() - begun);
  }
const extra = median(times.with) - median(times.without);
process.stdout.write(
  `${WRITERS} writers: ${median(rates.with).toFixed(0)} calibrations/s with a leaf, ${median(rates.without).toFixed(0)} without\n` +
    `one writer: median ${median(times.with).toFixed(2)} ms with a leaf, ${median(times.without).toFixed(2)} ms without: ${extra.toFixed(2)} ms more\n`,
);
await db.destroy();
await leave();
await rm(folder, { recursive: true, force: true });
const isGood = median(rates.with) >= 300 && extra <= 2;
process.exit(isGood ? 0 : 1);
