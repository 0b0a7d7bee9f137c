// Removes files that nothing has referred to for a day: files of a form that was never saved, or that was refused. An
// upload of the same bytes may run concurrently. It resets the age of the record, and stores the bytes again after its
// record is committed if they are missing.
// Buys: no disk that fills with up to 40 files or 300 MB a person and day. Deletable never.
import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import type { Services } from '#app/platform/services/services.server.ts';

/** A backup holds this advisory lock, shared: the files in its snapshot must stay until they are copied. */
export const BACKUP_LOCK = 5_823_180;

const KEPT_MS = 24 * 60 * 60 * 1000;
const AT_ONCE = 500;
// The columns that refer to stored files.
const REFERENCES = [
  ['vehicle_file', 'file_id'],
  ['calibration_set', 'photo_id'],
  ['reference_verification', 'file_id'],
  ['staged_upload', 'file_id'],
  ['staff', 'image_id'],
  ['technician', 'image_id'],
  ['wrong_report_file', 'file_id'],
] as const;
const hasNone = (table: string, column: string) =>
  sql<boolean>`not exists (select from ${sql.table(table)} where ${sql.id(column)} = stored_file.id)`;

/**
 * Discards temporary uploads older than a day at `now`, and removes files without a reference. Returns how many files
 * it removed.
 */
export async function sweepFiles({ db, files }: Pick<Services, 'db' | 'files'>, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_MS);
  await db.deleteFrom('stagedUpload').where('stagedAt', '<', before).execute();
  const idle = await db
    .selectFrom('storedFile')
    .select('storedFile.id')
    .where('createdAt', '<', before)
    .where(({ and }) => and(REFERENCES.map(([table, column]) => hasNone(table, column))))
    // A list has no foreign key: what is about to be referred to has just been stored again, and is not idle.
    .where(sql<boolean>`not exists (select from calibration_set where more_photo_ids @> array[stored_file.id])`)
    .limit(AT_ONCE)
    .execute();
  let removed = 0;
  for (const { id } of idle) {
    // If a reference was added meanwhile, the foreign key rejects the deletion, and the file stays.
    const done = await db
      .transaction()
      .execute(async (tx) => {
        const tryLock = sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${BACKUP_LOCK}) as free`;
        const { rows } = await tryLock.execute(tx);
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

/**
 * Removes stored objects older than a day at `now` that have no record. A process that is killed between storing a file
 * and recording it leaves such an object. Lists the whole store, and stops when `isLost`. Returns how many it removed.
 */
export async function sweepStore(
  { db, files }: Pick<Services, 'db' | 'files'>,
  now: Date,
  isLost: () => boolean = () => false,
): Promise<number> {
  const before = new Date(now.getTime() - KEPT_MS);
  let removed = 0;
  let old: string[] = [];
  const flush = async () => {
    const named = await namesOf(db, old);
    for (const key of old) if (!named.has(key) && (await removeUnnamed({ db, files }, key))) removed += 1;
    old = [];
  };
  for await (const { key, putAt } of files.list()) {
    if (isLost()) return removed;
    if (putAt >= before) continue;
    old.push(key);
    if (old.length === AT_ONCE) await flush();
  }
  await flush();
  return removed;
}

// An upload of the same bytes may run concurrently, and find them already stored. It looks again after its record is
// committed. So either the upload finds the bytes missing, or we find its record; each stores the bytes again.
async function removeUnnamed({ db, files }: Pick<Services, 'db' | 'files'>, key: string): Promise<boolean> {
  const bytes = await buffer(await files.read(key));
  await files.remove(key);
  if (!(await namesOf(db, [key])).has(key)) return true;
  await files.put(key, bytes);
  return false;
}

async function namesOf(db: Services['db'], keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const rows = await db
    .selectFrom('storedFile')
    .select(['storageKey', 'thumbnailKey'])
    .where((eb) => eb.or([eb('storageKey', 'in', keys), eb('thumbnailKey', 'in', keys)]))
    .execute();
  return new Set(rows.flatMap(({ storageKey, thumbnailKey }) => [storageKey, thumbnailKey ?? storageKey]));
}
