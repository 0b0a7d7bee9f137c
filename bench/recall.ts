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
import { calibrationSchema } from '#app/calibrations/calibration-entry.ts';
import { recordCalibration } from '#app/calibrations/record-calibration.server.ts';
import { openDatabase } from '#app/platform/database/database.server.ts';
import { joinEmbeddedPostgres } from '#app/platform/embedded-postgres/embedded-postgres.server.ts';
import { FIRST_POLICY } from '#app/policy/policy.ts';
import { applyWithdrawals } from '#app/recalls/apply-withdrawals.server.ts';
import { decideWithdrawal, proposeWithdrawal } from '#app/recalls/decide-withdrawal.server.ts';
import { previewWithdrawal } from '#app/recalls/preview-withdrawal.server.ts';
import { migrate } from '#database/migrate.ts';
import { insistOnLeaves } from '#test/cluster.ts';
import { READING_PLACES } from '#test/visits.ts';

const VEHICLES = 100_000;
const VISITS_EACH = 4;
const HIT = 20_000;
const WRITERS = 8;
const PREVIEWS = 5;
const WAIT_MAX_MS = 2000;
const ZONE = 'Australia/Sydney';
const SPAN = { fromOn: '2026-05-03', toOn: '2026-05-19' } as const;
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

const reference = await load();
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
const lifted = await measure('lift');
const after = await wrong('counts');

const slowest = Math.max(recalled, lifted);
const failed = Math.max(...previews) > WAIT_MAX_MS || slowest > WAIT_MAX_MS || during !== 0 || after !== 0;
await db.destroy();
await leave();
await rm(folder, { recursive: true, force: true });
process.exit(failed ? 1 : 0);

async function load(): Promise<string> {
  const begun = performance.now();
  const actor = await db
    .selectFrom('actor')
    .select('id')
    .where('personId', '=', admin.personId)
    .executeTakeFirstOrThrow();
  const bridges = await db
    .insertInto('reference')
    .values(
      Array.from({ length: 50 }, (_, index) => ({
        name: `Bench ${index}`,
        place: 'Example Creek',
        state: 'VIC' as const,
        addedBy: actor.id,
        updatedBy: actor.id,
      })),
    )
    .returning('id')
    .execute();
  const [hit, ...others] = bridges.map(({ id }) => id);
  if (hit === undefined) throw new Error('no weighbridge was added');
  const checks = JSON.stringify(
    [
      'complete',
      'interval',
      'truck',
      'prompt',
      'plausible',
      'agrees',
      'standing',
      'load',
      'reference',
      'ticket',
      'photo',
    ].map((check) => ({
      check,
      rule: 'must',
      answer: 'passed',
      sentence: `What the check ${check} says of an honest visit.`,
    })),
  );
  await sql`insert into vehicle (rego, vin, make, axle_groups, calibration_validated, last_calibrated_at, rests_on,
      next_calibration_due_on)
    select 'B' || n, 'VIN' || n, 'Volvo', 'STEER DRIVE', true, '2026-05-10', 'visit', '2026-11-10'
    from generate_series(1, ${VEHICLES}) n`.execute(db);
  // Each truck was weighed each May of four years; the latest of every fifth on the weighbridge and in the days of the withdrawal.
  await sql`insert into visit (vehicle_id, technician_id, visited_at, visited_on, opened_at, closed_at, due_on, state, judged,
      checks, policy_version, is_confirmed, reference_id)
    select v.id, ${actor.id}, at, at::date, at, at, at::date + 184, 'counts', 'counts', ${checks}::jsonb, 1, true,
      case when k = 0 and n % 5 = 0 then ${hit}::uuid else (${others}::uuid[])[1 + (n + k) % 49] end
    from (select id, substr(rego, 2)::int as n from vehicle) v, generate_series(0, ${VISITS_EACH - 1}) k,
      lateral (select timestamptz '2026-05-10 02:00Z' - k * interval '1 year' + (n % 7 - 3) * interval '1 day' as at) t`.execute(
    db,
  );
  await sql`vacuum analyze`.execute(db);
  console.log(`loaded ${VEHICLES * VISITS_EACH} visits in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  return hit;
}

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

/** Visits of the weighbridge in those days that are in another state, or others that are held back. */
async function wrong(state: 'waits' | 'counts'): Promise<number> {
  const { rows } = await sql<{ missing: number; more: number }>`select
    count(*) filter (where is_hit and state <> ${state}) as missing,
    count(*) filter (where before_recall is not null and (not is_hit or ${state} = 'counts')) as more
    from (select state, before_recall, reference_id = ${reference}::uuid
      and visited_on between ${SPAN.fromOn}::date and ${SPAN.toOn}::date as is_hit from visit) v`.execute(db);
  const { missing = HIT, more = HIT } = rows[0] ?? {};
  console.log(`${state}: ${missing} missing, ${more} too many`);
  return missing + more;
}
