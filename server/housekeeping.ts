// Periodic work of the leader: compacts search counts, notifies followers of trucks and lists, closes visits after their time, looks around
// closed ones for patterns, ends check visits after theirs, applies withdrawals
// of weighbridges, checks histories against the log, removes what has expired, builds the indexes that a killed import left out,
// and lets a proposed policy take effect after its notice.
import { sql } from 'kysely';
import { closeExpired } from '#app/calibrations/close-visit.server.ts';
import { lapseCheckVisits } from '#app/check-visits/lapse-check-visits.server.ts';
import { sweepFiles, sweepStore } from '#app/files/sweep-files.server.ts';
import { sweepFollowers, notifyFollowers } from '#app/followers/notify-followers.server.ts';
import { takeOverRegistry } from '#app/vehicles/take-over-registry.server.ts';
import { completeIndexes } from '#app/import/deferred-indexes.server.ts';
import { enterDueProposal } from '#app/policy/decide-proposal.server.ts';
import { lookAtClosed } from '#app/patterns/look-for-patterns.server.ts';
import { applyWithdrawals } from '#app/recalls/apply-withdrawals.server.ts';
import type { Lease } from '#app/platform/database/leader-election.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { lookAtLists, sweepLists } from '#app/watch-lists/look-at-lists.server.ts';
import { sweepHistories } from '#app/transparency-log/sweep-histories.server.ts';

const COMPACT_EVERY_MS = 5_000;
const NOTIFY_EVERY_MS = 10_000;
const LISTS_EVERY_MS = 60_000;
const CLOSE_EVERY_MS = 60_000;
const LAPSE_EVERY_MS = 60_000;
const PATTERNS_EVERY_MS = 10_000;
const RECALL_EVERY_MS = 2_000;
const HISTORIES_EVERY_MS = 5_000;
const INDEXES_EVERY_MS = 60_000;
const POLICY_EVERY_MS = 60_000;
const SWEEP_EVERY_MS = 60 * 60 * 1000;
// Rarely, as it lists every file of the store.
const SWEEP_STORE_EVERY_MS = 6 * 60 * 60 * 1000;

/** Starts the work on the node that holds the lease. The function returned stops it and waits for what is running. */
export async function keepHouse({ db, files, config, log, now }: Services, lease: Lease): Promise<() => Promise<void>> {
  // The first run starts at once: no node may have held the lease for hours.
  const every = (ms: number, name: string, work: () => Promise<unknown>) => {
    let working: Promise<unknown> | undefined;
    const run = () => {
      if (lease.isLost()) return;
      working ??= work()
        .catch((error: unknown) => log.warn({ err: error }, name))
        .finally(() => (working = undefined));
    };
    const timer = setInterval(run, ms);
    run();
    return async () => {
      clearInterval(timer);
      await working;
    };
  };
  const stops = [
    every(COMPACT_EVERY_MS, 'compacting search counts', () => sql`select fold_vehicle_grams()`.execute(db)),
    every(NOTIFY_EVERY_MS, 'notifying followers', () => notifyFollowers({ db, config, now }, lease.isLost)),
    every(LISTS_EVERY_MS, 'looking at followed lists', () => lookAtLists({ db, config, log, now }, lease.isLost)),
    every(CLOSE_EVERY_MS, 'closing visits', () => closeExpired(db, { now: now(), zone: config.timeZone })),
    every(LAPSE_EVERY_MS, 'ending check visits', () => lapseCheckVisits(db, { now: now(), zone: config.timeZone })),
    every(PATTERNS_EVERY_MS, 'looking around visits for patterns', () =>
      lookAtClosed({ db, now, zone: config.timeZone }),
    ),
    every(RECALL_EVERY_MS, 'applying withdrawals', () => applyWithdrawals(db, { now, isLost: lease.isLost })),
    every(HISTORIES_EVERY_MS, 'checking histories against the log', () =>
      sweepHistories({ db, log, now, everyMs: HISTORIES_EVERY_MS, isLost: lease.isLost }),
    ),
    every(INDEXES_EVERY_MS, 'taking over vehicles', () => takeOverRegistry(db, config.timeZone, lease.isLost)),
    every(INDEXES_EVERY_MS, 'making the indexes that an import left out', () => completeIndexes(db)),
    every(POLICY_EVERY_MS, 'letting a proposed policy take effect', () => enterDueProposal({ db, now })),
    every(SWEEP_EVERY_MS, 'sweeping', async () => {
      await sweep(db);
      await sweepFollowers({ db, now });
      await sweepLists({ db, now });
      if (!lease.isLost()) await sweepFiles({ db, files }, now());
    }),
    every(SWEEP_STORE_EVERY_MS, 'sweeping the file store', () => sweepStore({ db, files }, now(), lease.isLost)),
  ];
  return async () => void (await Promise.all(stops.map((stop) => stop())));
}

async function sweep(db: Services['db']): Promise<void> {
  await sql`delete from session where expires_at < now()`.execute(db);
  await sql`delete from verification where expires_at < now()`.execute(db);
  await sql`delete from reset_token where expires_at < now()`.execute(db);
  await sql`delete from form_submission where at < now() - interval '24 hours'`.execute(db);
  await sql`delete from rate_limit where not exists (
    select from unnest(hits) h where h > now() - interval '3 hours')`.execute(db);
}
