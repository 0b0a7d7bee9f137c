// A file chosen in a form is stored at once, and the form then names it: an error on save loses no upload. What is
// staged and never saved is forgotten after a day.
import type { Tx } from '#app/platform/database.server.ts';
import type { Services } from '#app/platform/services.server.ts';
import { isUuid } from '#app/platform/uuid.ts';
import { displayName } from './display-name.ts';
import { isOfRole, recordFile, storeUpload, type UploadRole } from './store-upload.server.ts';

export type Staged = { staged: true; id: string; name: string } | { staged: false; reason: string };

/** Checks and stores `bytes` for the person who chose them. `name` is kept for display only. */
export async function stageUpload(
  { db, files }: Pick<Services, 'db' | 'files'>,
  personId: string,
  role: UploadRole,
  upload: { name: string; bytes: Uint8Array },
): Promise<Staged> {
  const stored = await storeUpload(db, files, role, `staged/${personId}`, upload.bytes);
  if (!stored.stored) return { staged: false, reason: stored.reason };
  const name = displayName(upload.name);
  const { id } = await db
    .insertInto('stagedUpload')
    .values({ personId, fileId: stored.fileId, uploadedName: name })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { staged: true, id, name };
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
