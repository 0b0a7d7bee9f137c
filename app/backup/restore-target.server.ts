// The database that a restore writes into: empty, and closed to everybody else meanwhile.
import type pg from 'pg';
import { insistAlone } from '#app/platform/database/alone-on-database.server.ts';
import type { DatabaseAddress } from '#database/connection.ts';
import { StartError } from '#app/platform/process/start-error.ts';
import { requireUnicode } from '#database/migrate.ts';
import { hasTables } from './registry-tables.server.ts';
import { openForRows } from './rows.server.ts';

/** A connection that holds off every start until it ends. Throws StartError with a sentence, after `waitMs` at most. */
export async function openEmptyTarget(address: DatabaseAddress, waitMs?: number): Promise<pg.Client> {
  const client = await openForRows(address);
  try {
    await insistAlone(async (statement) => (await client.query<Record<string, unknown>>(statement)).rows, waitMs);
    if (await hasTables(client))
      throw new StartError(
        'The database is not empty. Restore into a new one: another DATA_DIR, or an empty database as DATABASE_URL.',
      );
    await requireUnicode(client);
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}
