import { sql } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';

/** How many rows of tables `read` goes through, by indexes where there is one. */
export function rowsRead(db: Db, read: (db: Db) => Promise<unknown>): Promise<number> {
  return db.transaction().execute(async (tx) => {
    // A table as small as a test's would be read whole.
    await sql`set local enable_seqscan = off`.execute(tx);
    const before = await rowsSoFar(tx);
    await read(tx);
    return (await rowsSoFar(tx)) - before;
  });
}

// By this connection, since it last reported them.
async function rowsSoFar(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as n from pg_stat_xact_user_tables`.execute(db);
  return rows[0]?.n ?? 0;
}
