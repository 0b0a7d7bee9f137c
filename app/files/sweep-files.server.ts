// Files that nothing has referred to for a day are removed: chosen in a form that was never saved, or saved by one that
// was refused. Order against an upload of the same bytes at the same moment: the upload touches the record, and looks
// for the bytes again once its record stands.
import { sql } from 'kysely';
import type { Services } from '#app/platform/services.server.ts';

/** A backup holds this advisory lock, shared: what its snapshot names must stay until it is copied. */
export const BACKUP_LOCK = 5_823_180;

const KEPT_MS = 24 * 60 * 60 * 1000;
const AT_ONCE = 500;

/** Forgets what was staged more than a day before `now`, and removes files without a reference. Returns how many. */
export async function sweepFiles({ db, files }: Pick<Services, 'db' | 'files'>, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_MS);
  await db.deleteFrom('stagedUpload').where('stagedAt', '<', before).execute();
  const idle = await db
    .selectFrom('storedFile')
    .select('storedFile.id')
    .where('createdAt', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('vehicleFile').select('vehicleFile.id').whereRef('fileId', '=', 'storedFile.id'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('stagedUpload').select('stagedUpload.id').whereRef('fileId', '=', 'storedFile.id'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('admin').select('admin.id').whereRef('imageId', '=', 'storedFile.id'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('technician').select('technician.id').whereRef('imageId', '=', 'storedFile.id'))),
    )
    .limit(AT_ONCE)
    .execute();
  let removed = 0;
  for (const { id } of idle) {
    // A reference made meanwhile makes the deletion fail by its foreign key, and the file stays.
    const done = await db
      .transaction()
      .execute(async (tx) => {
        const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${BACKUP_LOCK}) as free`.execute(
          tx,
        );
        if (rows[0]?.free !== true) return false;
        const gone = await tx
          .deleteFrom('storedFile')
          .where('id', '=', id)
          .where('createdAt', '<', before)
          .returning(['storageKey', 'thumbnailKey'])
          .executeTakeFirst();
        if (gone === undefined) return false;
        await files.remove(gone.storageKey);
        if (gone.thumbnailKey !== null) await files.remove(gone.thumbnailKey);
        return true;
      })
      .catch(() => false);
    if (done) removed += 1;
  }
  return removed;
}
