// Periodic work of the leader: compacts search counts, notifies followers of trucks and lists, technicians of their due
// trucks, tells people what waits, closes visits after their time, looks around closed ones for patterns, ends check
// visits after theirs, applies withdrawals of weighbridges, checks histories against the log, seals the activity log,
// enters on what verdicts rest, removes what has expired, and lets a proposed policy, a lift, and a removal of an
// admin, take effect after their notice.
import { sql } from 'kysely';
import { endDueRemovals } from '#app/admins/remove-admin.server.ts';
import { closeExpired } from '#app/visits/close-visit.server.ts';
import { lapseCheckVisits } from '#app/check-visits/lapse-check-visits.server.ts';
import { sendDigests } from '#app/digest/send-digests.server.ts';
import { sendWeeklyMails } from '#app/digest/weekly-mail.server.ts';
import { sweepFiles, sweepStore } from '#app/files/sweep-files.server.ts';
import { sweepFollowers, notifyFollowers } from '#app/following/notify-followers.server.ts';
import { takeOverRegistry } from '#app/vehicles/take-over-registry.server.ts';
import { enterRests } from '#app/vehicles/enter-rests.server.ts';
import { enterDueProposal } from '#app/policy/decide-proposal.server.ts';
import { lookAtClosed } from '#app/patterns/look-for-patterns.server.ts';
import { liftDue } from '#app/withdrawals/decide-withdrawal.server.ts';
import { applyWithdrawals } from '#app/withdrawals/apply-withdrawals.server.ts';
import type { Lease } from '#app/platform/database/leader-election.server.ts';
import { repeatWork } from '#app/platform/database/repeat-work.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { logActivityHead } from '#app/transparency-log/log-activity-head.server.ts';
import { keepReports } from '#app/wrong-records/keep-reports.server.ts';
import { sweepHistories } from '#app/transparency-log/sweep-histories.server.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const HISTORIES_EVERY_MS = 5 * SECOND_MS;

/** Starts the work on the node that holds the lease. The function returned stops it and waits for what is running. */
export async function keepHouse({ db, files, config, log, now }: Services, lease: Lease): Promise<() => Promise<void>> {
  const every = (ms: number, name: string, work: () => Promise<unknown>) => {
    const { run, stop } = repeatWork({ ms, name, lease, log, db }, work);
    // The first run starts at once: no node may have held the lease for hours.
    run();
    return stop;
  };
  const stops = [
    every(5 * SECOND_MS, 'compacting search counts', () =>
      sql`select fold_vehicle_grams(), compact_counts()`.execute(db),
    ),
    every(10 * SECOND_MS, 'notifying followers', () => notifyFollowers({ db, config, log, now }, lease.isLost)),
    every(20 * SECOND_MS, 'telling people what waits', async () => {
      // First: what the mail of Monday names, no digest tells.
      await sendWeeklyMails({ db, config, log, now }, lease.isLost);
      await sendDigests({ db, config, log, now }, lease.isLost);
    }),
    every(MINUTE_MS, 'closing visits', () => closeExpired(db, { now: now(), zone: config.timeZone })),
    every(MINUTE_MS, 'ending check visits', () => lapseCheckVisits(db, { now: now(), zone: config.timeZone })),
    every(10 * SECOND_MS, 'looking around visits for patterns', () => lookAtClosed({ db, now, zone: config.timeZone })),
    every(2 * SECOND_MS, 'applying withdrawals', () => applyWithdrawals(db, { now, isLost: lease.isLost })),
    every(HISTORIES_EVERY_MS, 'checking histories against the log', () =>
      sweepHistories({ db, log, now, everyMs: HISTORIES_EVERY_MS, isLost: lease.isLost }),
    ),
    every(MINUTE_MS, 'taking over vehicles', () => takeOverRegistry(db, config.timeZone, lease.isLost)),
    every(2 * SECOND_MS, 'entering on what verdicts rest', () => enterRests(db)),
    every(MINUTE_MS, 'letting a proposed policy take effect', () => enterDueProposal({ db, now })),
    every(10 * MINUTE_MS, 'keeping reports', () => keepReports({ db, config, now })),
    every(HOUR_MS, 'sealing the activity log', () => logActivityHead(db)),
    every(MINUTE_MS, 'lifting withdrawals after their notice', () => liftDue({ db, now })),
    every(MINUTE_MS, 'letting removals of admins stand', () => endDueRemovals({ db, now })),
    every(HOUR_MS, 'sweeping', async () => {
      await sweep(db);
      await sweepFollowers({ db, now });
      if (!lease.isLost()) await sweepFiles({ db, files }, now());
    }),
    // Rarely, as it lists every file of the store.
    every(6 * HOUR_MS, 'sweeping the file store', () => sweepStore({ db, files }, now(), lease.isLost)),
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
