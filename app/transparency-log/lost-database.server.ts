// A log that was signed, beside a database that has none of what was signed: DATA_DIR has lost its database, or
// DATABASE_URL names an empty one. Then nothing can be told of any truck: 'not in this registry' would be untrue of
// each.
import type { Db } from '#app/platform/database/database.server.ts';
import type { Config } from '#app/platform/process/config.server.ts';
import { Malformed } from '#app/tlog/bytes.ts';
import { openLogFolder } from './log-folder.server.ts';
import { logKey } from './log-key.server.ts';

/** Why the registry can tell nothing, as a sentence for the operator; undefined where the database has its records. */
export async function findLostDatabase(db: Db, config: Config): Promise<string | undefined> {
  const folder = openLogFolder(config);
  const signed = await folder.readHighWater((await logKey(config)).verifier).catch((error: unknown) => {
    // The publisher says what is wrong with it.
    if (error instanceof Malformed) return undefined;
    throw error;
  });
  if (signed === undefined) return undefined;
  const { leafSize } = await db.selectFrom('activityState').select('leafSize').executeTakeFirstOrThrow();
  const vehicle = await db.selectFrom('vehicle').select('id').limit(1).executeTakeFirst();
  if (leafSize >= signed.head.size || vehicle !== undefined) return undefined;
  return (
    `The database has no records, but a log of ${signed.head.size} entries was signed: the database is lost, or this is ` +
    'another one. Bring it back, or restore a backup.'
  );
}
