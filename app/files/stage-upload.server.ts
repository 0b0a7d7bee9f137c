// A file chosen in a form is stored at once, and the form then names it: an error on save loses no upload. What is
// staged and never saved is forgotten after a day; until then a person has so many, and no more.
import { sql } from 'kysely';
import type { Tx } from '#app/platform/database/database.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { isUuid } from '#app/platform/process/uuid.ts';
import { displayName } from './display-name.ts';
import { isOfRole, recordFile, storeUpload, type UploadRole } from './store-upload.server.ts';

export type Staged = { staged: true; id: string; name: string } | { staged: false; reason: string };

/** Of one person, not saved in a form. */
export const STAGED_MAX = { files: 40, megabytes: 300 };
const TOO_MANY = `You have uploaded ${STAGED_MAX.files} files or ${STAGED_MAX.megabytes} MB without saving them. Save them first, or try again tomorrow.`;

/** Checks and stores `bytes` for the person who chose them. `name` is kept for display only. */
export async function stageUpload(
  { db, files, config }: Pick<Services, 'db' | 'files'> & { config: Pick<Services['config'], 'rateLimits'> },
  personId: string,
  role: UploadRole,
  upload: { name: string; bytes: Uint8Array },
): Promise<Staged> {
  const isLimited = config.rateLimits;
  // Before the work of storing it, and once more when it is counted.
  if (isLimited && (await isFull(db, personId, upload.bytes.length))) return { staged: false, reason: TOO_MANY };
  const stored = await storeUpload(db, files, role, `staged/${personId}`, upload.bytes);
  if (!stored.stored) return { staged: false, reason: stored.reason };
  const name = displayName(upload.name);
  return db.transaction().execute(async (tx) => {
    if (isLimited) {
      // Several at once are counted one after the other.
      await tx.selectFrom('person').select('id').where('id', '=', personId).forNoKeyUpdate().execute();
      if (await isFull(tx, personId, 0, stored.fileId)) return { staged: false, reason: TOO_MANY };
    }
    const { id } = await tx
      .insertInto('stagedUpload')
      .values({ personId, fileId: stored.fileId, uploadedName: name })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { staged: true, id, name };
  });
}

/** Whether one more, of `bytes` or the stored `fileId`, is too many. What a form has saved lies elsewhere too, and does not count. */
async function isFull(db: Services['db'] | Tx, personId: string, bytes: number, fileId?: string): Promise<boolean> {
  const { rows } = await sql<{ files: number; bytes: number }>`
    select count(*) as files,
      coalesce(sum(f.size), 0)::float8 + coalesce((select size from stored_file where id = ${fileId ?? null}), 0) as bytes
    from staged_upload s join stored_file f on f.id = s.file_id
    where s.person_id = ${personId} and not exists (
      select from stored_file saved
      where saved.source_sha256 = f.source_sha256 and not starts_with(saved.storage_key, 'staged/'))`.execute(db);
  const [{ files, bytes: staged } = { files: 0, bytes: 0 }] = rows;
  return files >= STAGED_MAX.files || staged + bytes > STAGED_MAX.megabytes * 1024 * 1024;
}

/** A staged file of this person; undefined when the id names none. */
export async function findStaged(
  db: Services['db'] | Tx,
  personId: string,
  id: string,
): Promise<{ fileId: string; name: string } | undefined> {
  if (!isUuid(id)) return undefined;
  const found = await db
    .selectFrom('stagedUpload')
    .select(['fileId', 'uploadedName as name'])
    .where('id', '=', id)
    .where('personId', '=', personId)
    .executeTakeFirst();
  return found;
}

/** The staged files of this person among `ids`, to be listed again in a form that was refused. */
export async function listStaged(
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
 * The staged file under its lasting key below `prefix` (`admins/name@site,com`), durable when this returns; the write
 * that refers to it comes afterwards. Undefined when the id names no staged file of this person that is fit for `role`.
 */
export async function settleStaged(
  { db, files }: Pick<Services, 'db' | 'files'>,
  personId: string,
  role: UploadRole,
  id: string,
  prefix: string,
): Promise<{ fileId: string; name: string } | undefined> {
  const staged = await findStaged(db, personId, id);
  if (staged === undefined) return undefined;
  const file = await db.selectFrom('storedFile').selectAll().where('id', '=', staged.fileId).executeTakeFirstOrThrow();
  if (!isOfRole(role, file.mediaType)) return undefined;
  const moved = (key: string) => `${prefix}/${key.slice(key.lastIndexOf('/') + 1)}`;
  const storageKey = moved(file.storageKey);
  const thumbnailKey = file.thumbnailKey === null ? null : moved(file.thumbnailKey);
  const putBoth = async () => {
    await files.put(storageKey, await bytesOf(files, file.storageKey));
    if (file.thumbnailKey !== null && thumbnailKey !== null)
      await files.put(thumbnailKey, await bytesOf(files, file.thumbnailKey));
  };
  await putBoth();
  const { id: _id, createdAt: _createdAt, ...same } = file;
  const settled = await recordFile(db, { ...same, storageKey, thumbnailKey });
  // Swept in between, the bytes are put back.
  for (const key of [storageKey, thumbnailKey])
    if (key !== null && (await files.size(key)) === undefined) await putBoth();
  return { fileId: settled.id, name: staged.name };
}

async function bytesOf(files: Services['files'], key: string): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of await files.read(key)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
