// Opens the services of the process, in the order in which they need each other.
import { composeMail } from './compose-mail.ts';
import { openAuth } from '#app/platform/auth/auth.server.ts';
import type { Config } from '#app/platform/process/config.server.ts';
import { makeDataFolder } from '#app/platform/process/data-folder.server.ts';
import { type Db, FOR_BACKGROUND, FOR_REQUESTS, openDatabase } from '#app/platform/database/database.server.ts';
import { joinDatabase } from '#app/platform/embedded-postgres/embedded-postgres.server.ts';
import { findServerCosts, makeStatistics } from '#app/platform/database/server-speed.server.ts';
import { readAuthSecret } from '#app/platform/process/keys.server.ts';
import { openLiveUpdates } from '#app/platform/live/live-updates.server.ts';
import type { Logger } from '#app/platform/process/logger.server.ts';
import { countFileErrors } from '#app/platform/storage/count-file-errors.server.ts';
import { measureDisk, measurePools, measureProcess, openMetrics } from '#app/platform/process/metrics.server.ts';
import { openMail } from '#app/platform/mail/mail.server.ts';
import { electLeader, type Lease } from '#app/platform/database/leader-election.server.ts';
import { openFiles } from '#app/platform/storage/open-files.server.ts';
import { openPublicReads } from '#app/platform/live/public-reads.server.ts';
import { isUnavailable } from '#app/platform/process/unavailable.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { enterFirstPolicy } from '#app/policy/enter-version.server.ts';
import { NEW_REGISTRY_POLICY } from '#app/policy/policy.ts';
import { insistLogIsInBucket } from '#app/transparency-log/carried-to-bucket.server.ts';
import { unitOf } from '#app/readings/calibration.ts';
import { enterBeforeLog } from '#app/transparency-log/enter-before-log.server.ts';
import { keepPublishing } from '#app/transparency-log/keep-publishing.server.ts';
import { findLostDatabase } from '#app/transparency-log/lost-database.server.ts';
import { announceKey, isKeyOfLog } from '#app/transparency-log/log-key.server.ts';
import { witnessPolicy } from '#app/transparency-log/witness-policy.server.ts';
import { keepAsking } from '#app/witnesses/keep-asking.server.ts';
import { migrate, migrationNames } from '#database/migrate.ts';
import { keepHouse } from './housekeeping.ts';
import { lookEachNight } from './look-each-night.ts';

/** Opens everything for `config`. Pushes to `undo` what must be closed at the end, also when a later step throws. */
export async function openServices(
  config: Config,
  log: Logger,
  { undo, stopping }: { undo: (() => Promise<unknown>)[]; stopping: AbortSignal },
): Promise<Services> {
  const now = () => new Date();
  await makeDataFolder(config.dataDir);
  const { address, leave } = await joinDatabase(config, { log, stopping });
  undo.push(leave);
  await migrate(address);
  const metrics = openMetrics();
  measureProcess(metrics);
  measureDisk(metrics, config.dataDir);
  const onError = (error: Error) => log.warn({ err: error }, 'a database connection was lost');
  const { db, pool } = openDatabase(address, { max: 10, onError, patience: FOR_REQUESTS });
  undo.push(() => db.destroy());
  // A pool of its own: long work is not cut off by the limits of requests, and takes no connection from them.
  const { db: background, pool: backgroundPool } = openDatabase(address, { max: 3, onError, patience: FOR_BACKGROUND });
  undo.push(() => background.destroy());
  await announceKey(background, config);
  const entered = await enterBeforeLog(background, unitOf);
  if (entered > 0) log.info({ entries: entered }, 'records older than the log were entered');
  await enterFirstPolicy(background, NEW_REGISTRY_POLICY);
  await makeFast(background, config, log);
  const live = await openLiveUpdates(db, address, { onError: (error) => log.warn({ err: error }, 'live updates') });
  undo.push(() => live.close());
  const reads = await openPublicReads({ db, live, log }, config.databaseReadUrl);
  undo.push(() => reads.close());
  measurePools(metrics, { requests: pool, background: backgroundPool, replica: reads.pool });
  const files = countFileErrors(await openFiles(config), metrics);
  await insistLogIsInBucket(config);
  if (config.s3 !== undefined && config.databaseUrl !== undefined && config.smtpUrl === undefined)
    log.warn('without SMTP_URL each machine keeps the mails that it sends in its own DATA_DIR/outbox');
  const auth = openAuth({ db, config, secret: await readAuthSecret(config) });
  const migrations = await migrationNames();
  const lost = await findLostDatabase(background, config);
  if (lost !== undefined) log.error(lost);
  const services: Services = { db, reads, files, live, auth, config, log, metrics, migrations, lost, now };
  // Checked before anything is served: a key that cannot be read stops the start.
  if (!(await isKeyOfLog(db, config)))
    log.error('the public log was begun with another key: every node needs the same LOG_KEY_FILE, or DATA_DIR');
  await witnessPolicy(config);
  const atWork = { ...services, db: background };
  const publish = (lease: Lease) => keepPublishing(atWork, lease);
  const jobs = [
    async (lease: Lease) => openMail(services, composeMail(services), lease).close,
    (lease: Lease) => keepHouse(atWork, lease),
    (lease: Lease) => lookEachNight({ ...atWork, address }, lease),
    publish,
    (lease: Lease) => keepAsking(services, lease),
  ];
  undo.push(electLeader({ address, log }, lost === undefined ? jobs : [publish]));
  return services;
}

// A restore by other tools than ours leaves no statistics, and an import that was killed has outgrown them.
async function makeFast(db: Db, { databaseUrl }: Config, log: Logger): Promise<void> {
  const tables = await makeStatistics(db, 'outgrown').catch((error: unknown) => {
    if (!isUnavailable(error)) throw error;
    return 0;
  });
  if (tables > 0)
    log.info({ tables }, 'tables had no statistics, or had outgrown them, and each page would have read them whole');
  if (databaseUrl === undefined) return;
  const costs = await findServerCosts(db);
  if (costs.length > 0) log.warn(`The PostgreSQL of DATABASE_URL is not at its best: ${costs.join('; ')}.`);
}
