// Every read of the activity log.
import type { Db } from '#app/platform/database.server.ts';

/** How many entries the log has. Read BEFORE a page's data, it is where the page's live updates begin. */
export async function logSize(db: Db): Promise<number> {
  return (await db.selectFrom('activityState').select('size').executeTakeFirstOrThrow()).size;
}
