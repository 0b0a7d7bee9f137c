// What a command needs of the registry: its database (joined when a server runs beside, else started) and its files.
import { readConfig, type Config } from '#app/platform/process/config.server.ts';
import { nearlyKnown } from '#app/platform/process/nearly-known.server.ts';
import { makeDataFolder } from '#app/platform/process/data-folder.server.ts';
import { openDatabase, type Db } from '#app/platform/database/database.server.ts';
import type { DatabaseAddress } from '#database/connection.ts';
import { joinDatabase } from '#app/platform/embedded-postgres/embedded-postgres.server.ts';
import type { FileStore } from '#app/platform/storage/file-store.server.ts';
import { openFiles } from '#app/platform/storage/open-files.server.ts';
import { stopSignal } from '#app/platform/process/stop-signals.server.ts';
import { enterFirstPolicy } from '#app/policy/enter-version.server.ts';
import { NEW_REGISTRY_POLICY } from '#app/policy/policy.ts';
import { unitOf } from '#app/readings/calibration.ts';
import { enterBeforeLog } from '#app/transparency-log/enter-before-log.server.ts';
import { announceKey } from '#app/transparency-log/log-key.server.ts';
import { migrate } from '#database/migrate.ts';

export type OpenRegistry = {
  config: Config;
  address: DatabaseAddress;
  db: Db;
  files: FileStore;
  /** Aborted when the command is asked to stop. It may end by itself within STOP_BY_ITSELF_MS. */
  stopping: AbortSignal;
  close: () => Promise<void>;
};

const STOP_BY_ITSELF_MS = 3_000;

/** Opens the registry that the environment names, with all that a start brings up to date. */
export function openRegistry(env: NodeJS.ProcessEnv): Promise<OpenRegistry> {
  return open(env, async (address, db, config) => {
    await migrate(address);
    await announceKey(db, config);
    await enterBeforeLog(db, unitOf);
    await enterFirstPolicy(db, NEW_REGISTRY_POLICY);
  });
}

/** Opens it without writing anything: to verify it as it is. */
export function openRegistryAsItIs(env: NodeJS.ProcessEnv): Promise<OpenRegistry> {
  return open(env, async () => {});
}

async function open(
  env: NodeJS.ProcessEnv,
  prepare: (address: DatabaseAddress, db: Db, config: Config) => Promise<void>,
): Promise<OpenRegistry> {
  const config = readConfig(env);
  const say = (message: string) => process.stderr.write(`${message}\n`);
  for (const sentence of nearlyKnown(env)) say(sentence);
  const stopping = stopSignal();
  await makeDataFolder(config.dataDir);
  const { address, leave } = await joinDatabase(config, { log: { info: say, warn: say }, stopping });
  // A PostgreSQL that the last command left behind would run for ever. Stopping it ends the queries that still run.
  const leaveAnyway = async () => {
    await leave();
    say('Stopped.');
    process.exit(1);
  };
  stopping.addEventListener('abort', () => setTimeout(() => void leaveAnyway(), STOP_BY_ITSELF_MS).unref());
  try {
    const files = await openFiles(config);
    const { db } = openDatabase(address, { max: 4 });
    await prepare(address, db, config);
    return {
      config,
      address,
      db,
      files,
      stopping,
      async close() {
        await db.destroy();
        await leave();
      },
    };
  } catch (error) {
    await leave();
    throw error;
  }
}
