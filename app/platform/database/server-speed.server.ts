// What costs speed or safety on a PostgreSQL of one's own, and no connection can set for itself.
import { sql } from 'kysely';
import { analyse } from '#database/statistics.ts';
import type { Db } from './database.server.ts';

/** Makes the statistics of all tables, or of those that have none or outgrew them. Returns how many. */
export function makeStatistics(db: Db, which: 'all' | 'outgrown'): Promise<number> {
  return analyse((statement) => sql.raw<{ tables: string | null; count: number }>(statement).execute(db), which);
}

/** What the server's configuration costs, each as the end of a sentence; none of a server that is fit. */
export async function findServerCosts(db: Db): Promise<string[]> {
  const { rows } = await sql<{ cost: string | null }>`
    select unnest(array[
      case when pg_size_bytes(current_setting('shared_buffers')) * 8 < pg_database_size(current_database()) then
        format('shared_buffers is %s for %s of data (a quarter of the memory is usual)',
          current_setting('shared_buffers'), pg_size_pretty(pg_database_size(current_database()))) end,
      case when current_setting('autovacuum') = 'off' or current_setting('track_counts') = 'off' then
        'autovacuum is off (pages become slower from day to day)' end,
      case when current_setting('transaction_timeout', true) <> '0' then
        format('transaction_timeout is %s (a backup or an import may be cut off)',
          current_setting('transaction_timeout')) end,
      case when lower('IÉ') <> 'ié' then
        'its locale writes IÉ small as ' || lower('IÉ') || ' (names are not found by other capitals)' end,
      case when current_setting('fsync') = 'off' then
        'fsync is off (a power cut destroys the database)' end]) as cost`.execute(db);
  return rows.flatMap(({ cost }) => cost ?? []);
}
