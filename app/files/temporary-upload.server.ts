// A file chosen in a form is stored at once, and the form then sends its id, so an error on save loses no upload. A
// temporary upload that no form commits is discarded after a day. TEMPORARY_MAX limits how many a person may have.
import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import type { Tx } from '#app/platform/database/database.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { isUuid } from '#app/platform/process/uuid.ts';
import { displayName } from './display-name.ts';
import { isOfRole, putAndRecord, storeUpload, type UploadRole } from './store-upload.server.ts';

export type AddedUpload = { added: true; id: string; name: string } | { added: false; reason: string };

export const TEMPORARY_MAX = { files: 40, megabytes: 300 };
export const TOO_MANY = `You have uploaded ${TEMPORARY_MAX.files} files or ${TEMPORARY_MAX.megabytes} MB without saving them. Save them first, or try again tomorrow.`;

/** Checks and stores the file for the person who chose it. `name` is only for display. */
export async function addTemporaryUpload(
  { db, files, config }: Pick<Services, 'db' | 'files'> & { config: Pick<Services['config'], 'rateLimits'> },
  personId: string,
  { role, upload }: { role: UploadRole; upload: { name: string; bytes: Uint8Array } },
): Promise<AddedUpload> {
  // Checked before the expensive work, and again under the lock below.
  if (config.rateLimits && (await isFull(db, personId, { bytes: upload.bytes.length })))
    return { added: false, reason: TOO_MANY };
  const stored = await storeUpload(db, files, { role, prefix: `staged/${personId}`, bytes: upload.bytes });
  if (!stored.stored) return { added: false, reason: stored.reason };
  const name = displayName(upload.name);
  return db.transaction().execute(async (tx) => {
    if (config.rateLimits) {
      // The lock makes concurrent uploads of one person count one after the other.
      await tx.selectFrom('person').select('id').where('id', '=', personId).forNoKeyUpdate().execute();
      if (await isFull(tx, personId, { bytes: 0, fileId: stored.fileId })) return { added: false, reason: TOO_MANY };
    }
    const { id } = await tx
      .insertInto('stagedUpload')
      .values({ personId, fileId: stored.fileId, uploadedName: name })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { added: true, id, name };
  });
}

/**
 * Whether one more file, of `bytes` or the stored `fileId`, exceeds the limits. A file that a form has committed is
 * also stored under a lasting key, and does not count.
 */
async function isFull(
  db: Services['db'] | Tx,
  personId: string,
  { bytes, fileId }: { bytes: number; fileId?: string | undefined },
): Promise<boolean> {
  const { rows } = await sql<{ files: number; bytes: number }>`
    select count(*) as files,
      coalesce(sum(f.size), 0)::float8 + coalesce((select size from stored_file where id = ${fileId ?? null}), 0) as bytes
    from staged_upload s join stored_file f on f.id = s.file_id
    where s.person_id = ${personId} and not exists (
      select from stored_file saved
      where saved.source_sha256 = f.source_sha256 and not starts_with(saved.storage_key, 'staged/'))`.execute(db);
  const [{ files, bytes: stored } = { files: 0, bytes: 0 }] = rows;
  return files >= TEMPORARY_MAX.files || stored + bytes > TEMPORARY_MAX.megabytes * 1024 * 1024;
}

export async function findTemporaryUpload(
  db: Services['db'] | Tx,
  personId: string,
  id: string,
): Promise<{ fileId: string; name: string } | undefined> {
  if (!isUuid(id)) return undefined;
  return db
    .selectFrom('stagedUpload')
    .select(['fileId', 'uploadedName as name'])
    .where('id', '=', id)
    .where('personId', '=', personId)
    .executeTakeFirst();
}

/** The temporary uploads of this person among `ids`, to be listed again in a form that was refused. */
export async function listTemporaryUploads(
  db: Services['db'],
  personId: string,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> {
  const possible = ids.filter(isUuid);
  if (possible.length === 0) return [];
  return db
    .selectFrom('stagedUpload')
    .select(['id', 'uploadedName as name'])
    .where('personId', '=', personId)
    .where('id', 'in', possible)
    .execute();
}

/**
 * Commits a temporary upload: copies its file to a lasting key below `prefix` (`admins/name@site,com`). The file is
 * durable when this returns, before the write that refers to it. Undefined when this person has no temporary upload
 * with this id and a media type of `role`.
 */
export async function commitUpload(
  { db, files }: Pick<Services, 'db' | 'files'>,
  personId: string,
  { role, id, prefix }: { role: UploadRole; id: string; prefix: string },
): Promise<{ fileId: string; name: string } | undefined> {
  const upload = await findTemporaryUpload(db, personId, id);
  if (upload === undefined) return undefined;
  const file = await db.selectFrom('storedFile').selectAll().where('id', '=', upload.fileId).executeTakeFirstOrThrow();
  if (!isOfRole(role, file.mediaType)) return undefined;
  const moved = (key: string) => `${prefix}/${key.slice(key.lastIndexOf('/') + 1)}`;
  const storageKey = moved(file.storageKey);
  const thumbnailKey = file.thumbnailKey === null ? null : moved(file.thumbnailKey);
  const parts = new Map<string, Uint8Array>();
  for (const key of [file.storageKey, file.thumbnailKey])
    if (key !== null) parts.set(moved(key), await buffer(await files.read(key)));
  const { id: _id, createdAt: _createdAt, ...same } = file;
  const committed = await putAndRecord(db, files, { parts, record: { ...same, storageKey, thumbnailKey } });
  return { fileId: committed.id, name: upload.name };
}
