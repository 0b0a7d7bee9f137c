// npm run bench:recall: withdraws a weighbridge with 20,000 of 400,000 visits and lifts that again, on a real PostgreSQL that
// syncs each commit, while eight technicians record visits of trucks that it reaches and of others. Prints the time of the
// preview, of each whole run, and the longest that a recording took; ends with 1 when that is more than two seconds, when the
// preview takes more, or when a visit is missing or too many.
import { rm, mkdtemp, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import type { SignedIn } from '#app/access/session.server.ts';
import { calibrationSchema } from '#app/recording/calibration-entry.ts';
import { recordCalibration } from '#app/recording/record-calibration.server.ts';
import { openDatabase } from '#app/platform/database/database.server.ts';
import { joinEmbeddedPostgres } from '#app/platform/embedded-postgres/embedded-postgres.server.ts';
import { FIRST_POLICY } from '#app/policy/policy.ts';
import { applyWithdrawals } from '#app/recalls/apply-withdrawals.server.ts';
import { decideWithdrawal, proposeWithdrawal } from '#app/recalls/decide-withdrawal.server.ts';
import { previewWithdrawal } from '#app/recalls/preview-withdrawal.server.ts';
import { migrate } from '#database/migrate.ts';
import { insistOnLeaves } from '#test/cluster.ts';
import { READING_PLACES } from '#test/visits.ts';
import { fillWeighbridges, standAsTheyShould, WEIGHED_IN } from '#test/weighed-trucks.ts';

const VEHICLES = 100_000;
const VISITS_EACH = 4;
const WRITERS = 8;
const PREVIEWS = 5;
const WAIT_MAX_MS = 2000;
const ZONE = 'Australia/Sydney';
const SPAN = WEIGHED_IN;
const NOW = new Date('2026-06-01T01:00:00Z');

const folder = await mkdtemp(path.join(tmpdir(), 'registry-bench-'));
await chmod(folder, 0o755);
const { address, leave } = await joinEmbeddedPostgres({ dataDir: folder, log: { info: () => {}, warn: () => {} } });
await migrate(address);
await insistOnLeaves(address, false);
const { db } = openDatabase(address, { max: WRITERS + 4 });

const who = async (name: string): Promise<SignedIn> => {
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@bench.example`;
  const actorId = await db.transaction().execute((tx) => findOrAddActor(tx, { name, email }));
  const { personId } = await db
    .selectFrom('actor')
    .select('personId')
    .where('id', '=', actorId)
    .executeTakeFirstOrThrow();
  const { id: recordId } = await db
    .insertInto('admin')
    .values({ personId, email, name })
    .returning('id')
    .executeTakeFirstOrThrow();
  return {
    sessionId: '',
    personId,
    recordId,
    role: 'admin',
    name,
    email,
    mustChangePassword: false,
    hasSecondFactor: false,
  };
};
const admin = await who('Bench');
const technicians = await Promise.all(Array.from({ length: WRITERS }, (_, index) => who(`Technician ${index}`)));

const begun = performance.now();
const reference = await fillWeighbridges(db, admin.personId, { vehicles: VEHICLES, visitsEach: VISITS_EACH });
console.log(`loaded ${VEHICLES * VISITS_EACH} visits in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
const services = { db, now: () => NOW };
const policy = FIRST_POLICY;

const previews: number[] = [];
for (let round = 0; round < PREVIEWS; round += 1) {
  const begun = performance.now();
  const preview = await previewWithdrawal(db, reference, SPAN, { today: '2026-06-01', policy, zone: ZONE });
  previews.push(performance.now() - begun);
  if (round === 0)
    console.log(`preview: ${preview.visits} visits, ${preview.trucks} trucks, ${preview.fallBack} fall back`);
}
console.log(`preview: ${previews.map((ms) => `${ms.toFixed(0)} ms`).join(', ')}`);

const proposed = await proposeWithdrawal(
  services,
  admin,
  reference,
  { ...SPAN, reason: 'out of tolerance', note: '' },
  undefined,
);
// Nobody of the bench can sign in, so the admin is alone, and it takes effect at once.
if (!proposed.proposed || !proposed.isInForce) throw new Error('the weighbridge was not withdrawn');
const recalled = await measure('recall');
const during = await wrong('waits');
await decideWithdrawal(services, admin, proposed.id, 'propose-lift', undefined);
// A lift comes days later. By then autovacuum has counted the leaves that the withdrawal wrote: until it has, each check of a
// leaf's foreign key goes through all of them, as if the log were as empty as at the beginning.
await sql`analyze`.execute(db);
const lifted = await measure('lift');
const after = await wrong('counts');

const slowest = Math.max(recalled, lifted);
const failed = Math.max(...previews) > WAIT_MAX_MS || slowest > WAIT_MAX_MS || during !== 0 || after !== 0;
await db.destroy();
await leave();
await rm(folder, { recursive: true, force: true });
process.exit(failed ? 1 : 0);

/** Applies what is to apply while everybody records. Returns the longest that a recording took, in ms. */
async function measure(name: string): Promise<number> {
  let isDone = false;
  const waits: number[] = [];
  const recording = technicians.map(async (technician, index) => {
    for (let round = 0; !isDone; round += 1) {
      // Every second one is of a truck that the withdrawal reaches.
      const n = ((round * 7919 + index * 104_729) % (VEHICLES / 5)) * 5 + 5 * (round % 2);
      const place = READING_PLACES[round % 8];
      const input = calibrationSchema('2026-06-01').parse({
        axle: place?.axle,
        attribute: place?.attribute,
        value: place?.attribute.endsWith('Volt') === true ? '1.46' : '5880',
        due_date: '2026-11-20',
        confirmed: 'yes',
      });
      const begun = performance.now();
      await recordCalibration(db, technician, `B${Math.max(1, n + (round % 2))}`, input, {
        now: NOW,
        zone: ZONE,
        key: undefined,
      });
      waits.push(performance.now() - begun);
    }
  });
  const begun = performance.now();
  const changed = await applyWithdrawals(db, { now: () => NOW, isLost: () => false });
  const ms = performance.now() - begun;
  isDone = true;
  await Promise.all(recording);
  const sorted = waits.toSorted((a, b) => a - b);
  const longest = sorted.at(-1) ?? 0;
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  console.log(
    `${name}: ${changed} visits in ${(ms / 1000).toFixed(1)} s; ${waits.length} recordings, median ${median.toFixed(0)} ms, longest ${longest.toFixed(0)} ms`,
  );
  return longest;
}

async function wrong(state: 'waits' | 'counts'): Promise<number> {
  const { missing, more } = await standAsTheyShould(db, reference, state);
  console.log(`${state}: ${missing} missing, ${more} too many`);
  return missing + more;
}
