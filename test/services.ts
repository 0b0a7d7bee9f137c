// The services of a test: a real database, a real folder (or the bucket that its settings name), a settable clock, no
// log.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openAuth } from '#app/platform/auth/auth.server.ts';
import { readConfig } from '#app/platform/process/config.server.ts';
import { openFiles } from '#app/platform/storage/open-files.server.ts';
import { openLiveUpdates } from '#app/platform/live/live-updates.server.ts';
import { createLogger } from '#app/platform/process/logger.server.ts';
import { openMetrics } from '#app/platform/process/metrics.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import type { DatabaseAddress } from '#database/connection.ts';
import { migrationNames } from '#database/migrate.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export type TestServices = Services & {
  address: DatabaseAddress;
  setNow: (instant: string) => void;
  stop: () => Promise<void>;
};

/** Services over a database of their own; `env` overrides settings. */
export async function createTestServices(env: NodeJS.ProcessEnv = {}): Promise<TestServices> {
  return createTestServicesOver(await createTestDatabase(), env);
}

/** The same over a database that the caller made, which goes with them. */
export async function createTestServicesOver(database: TestDatabase, env: NodeJS.ProcessEnv): Promise<TestServices> {
  const folder = await mkdtemp(path.join(tmpdir(), 'registry-files-'));
  const config = readConfig({ LOG_LEVEL: 'silent', DATA_DIR: folder, ...env });
  const { db } = database;
  const live = await openLiveUpdates(db, database.address, { onError: () => {} });
  let clock = new Date('2026-11-21T00:00:00Z');
  return {
    db,
    reads: { answer: (_newest, read) => read(db), pool: undefined, close: async () => {} },
    address: database.address,
    config,
    live,
    auth: openAuth({ db, config, secret: 'a secret of the tests, never of a registry' }),
    log: createLogger(config),
    migrations: await migrationNames(),
    metrics: openMetrics(),
    lost: undefined,
    files: await openFiles(config),
    now: () => clock,
    setNow: (instant) => (clock = new Date(instant)),
    async stop() {
      await live.close();
      await database.drop();
      await rm(folder, { recursive: true });
    },
  };
}
