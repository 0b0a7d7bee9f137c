// The database that is restored into: empty, and nobody else's while that goes on.
import type pg from 'pg';
import type { DatabaseAddress } from '#app/platform/database.server.ts';
import { StartError } from '#app/platform/start-error.ts';
import { MIGRATION_LOCK } from '#database/migrate.ts';
import { hasTables } from './registry-tables.server.ts';
import { openForRows } from './rows.server.ts';

// A server that was told to stop, or what a restore that was killed has left, is gone by then.
const WAIT_MS = 10_000;
const LOOK_EVERY_MS = 200;

/** A connection that holds off every start until it ends. Throws StartError with a sentence, after `waitMs` at most. */
export async function openEmptyTarget(address: DatabaseAddress, waitMs = WAIT_MS): Promise<pg.Client> {
  const client = await openForRows(address);
  try {
    await within(waitMs, async () => {
      const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
        MIGRATION_LOCK,
      ]);
      return rows[0]?.mine === true ? undefined : 'A server starts on this database, or another restore runs.';
    });
    await within(waitMs, async () => {
      const others = await listOthers(client);
      if (others.length === 0) return undefined;
      return `Others are connected to this database (${others.join(', ')}). Stop every server on it first.`;
    });
    if (await hasTables(client))
      throw new StartError(
        'The database is not empty. Restore into a new one: another DATA_DIR, or an empty database as DATABASE_URL.',
      );
    const { rows } = await client.query<{ encoding: string }>("select current_setting('server_encoding') as encoding");
    if (rows[0]?.encoding !== 'UTF8')
      throw new StartError(`The database has the encoding ${rows[0]?.encoding ?? '?'}; the registry needs UTF8.`);
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}

// Of other users only the name is to be seen.
async function listOthers(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct coalesce(nullif(application_name, ''), usename::text) as name from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and usesysid is not null
      and coalesce(backend_type, 'client backend') = 'client backend'`,
  );
  return rows.map(({ name }) => name);
}

async function within(ms: number, obstacle: () => Promise<string | undefined>): Promise<void> {
  for (const deadline = Date.now() + ms; ; await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))) {
    const sentence = await obstacle();
    if (sentence === undefined) return;
    if (Date.now() > deadline) throw new StartError(sentence);
  }
}
