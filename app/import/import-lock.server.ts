// One import at a time: two would both find a record missing.
import { sql } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';

const LOCK_KEY = 6_112_904;

/** Runs `work` while nobody else imports. Returns undefined, having done nothing, when somebody does. */
export async function aloneInImporting<T>(db: Db, work: () => Promise<T>): Promise<{ value: T } | undefined> {
  // The lock goes with its connection, also after kill -9.
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_lock(${LOCK_KEY}) as mine`.execute(connection);
    if (rows[0]?.mine !== true) return undefined;
    try {
      return { value: await work() };
    } finally {
      await sql`select pg_advisory_unlock(${LOCK_KEY})`.execute(connection);
    }
  });
}
