// Checks and stores an uploaded file. Its type comes from its bytes. Images are re-encoded, which drops EXIF, GPS
// positions and appended data. The key contains the hash of the stored bytes. The reference to the file is written in a
// later transaction.
import { hash } from 'node:crypto';
import { fileTypeFromBuffer } from 'file-type';
import type { Insertable } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';
import type { FileStore } from '#app/platform/storage/file-store.server.ts';
import type { Tables } from '#database/tables.ts';
import { encodeImage, THUMBNAIL_WIDTH, type EncodedImage } from './encode-image.server.ts';

export const IMAGE_MAX_BYTES = 15 * 1024 * 1024;
export const CERTIFICATE_MAX_BYTES = 20 * 1024 * 1024;

/** What a file is for. This decides which media types are accepted. */
export type UploadRole = 'certificate' | 'image';
/** A stored file (`isNew`: not stored before), or why it was refused, as a sentence for the field. */
export type StoredUpload = { stored: true; fileId: string; isNew: boolean } | { stored: false; reason: string };
/** The result of checking an upload: stored before, to be stored as `encoded`, or refused. */
export type CheckedUpload =
  | { state: 'known'; fileId: string }
  | { state: 'new'; encoded: Encoded; sourceSha256: string }
  | { state: 'refused'; reason: string };
type Encoded = EncodedImage | ({ bytes: Uint8Array } & typeof PDF);

const PDF = {
  mediaType: 'application/pdf',
  extension: 'pdf',
  width: null,
  height: null,
  thumbnail: null,
  dhash: null,
} as const;
const MEDIA_TYPES = {
  certificate: ['application/pdf', 'image/jpeg', 'image/png'],
  image: ['image/jpeg', 'image/png', 'image/webp'],
} as const;

/** Whether a file of this type may be used as a certificate, or as an image. */
export function isOfRole(role: UploadRole, mediaType: string): boolean {
  return MEDIA_TYPES[role].some((each) => each === mediaType);
}

/** Checks `bytes` as `storeUpload` does, and stores nothing. */
export async function checkUpload(
  db: Db,
  role: UploadRole,
  { prefix, bytes }: { prefix: string; bytes: Uint8Array },
): Promise<CheckedUpload> {
  const limit = role === 'image' ? IMAGE_MAX_BYTES : CERTIFICATE_MAX_BYTES;
  if (bytes.length === 0) return { state: 'refused', reason: 'The file is empty.' };
  if (bytes.length > limit) return { state: 'refused', reason: `The file is larger than ${limit / 1024 / 1024} MB.` };
  const sourceSha256 = hash('sha256', bytes);
  const known = await db
    .selectFrom('storedFile')
    .select('id')
    .where('sourceSha256', '=', sourceSha256)
    .where((eb) => eb.fn<boolean>('starts_with', ['storageKey', eb.val(`${prefix}/`)]))
    .where('mediaType', 'in', MEDIA_TYPES[role])
    .executeTakeFirst();
  if (known !== undefined) return { state: 'known', fileId: known.id };
  const encoded = await encode(role, bytes);
  return typeof encoded === 'string' ? { state: 'refused', reason: encoded } : { state: 'new', encoded, sourceSha256 };
}

/** Stores `bytes` below `prefix` (`certificates/ABC123`, a parsed rego), once: the same bytes give the same file. */
export async function storeUpload(
  db: Db,
  files: FileStore,
  { role, prefix, bytes }: { role: UploadRole; prefix: string; bytes: Uint8Array },
): Promise<StoredUpload> {
  const checked = await checkUpload(db, role, { prefix, bytes });
  if (checked.state === 'refused') return { stored: false, reason: checked.reason };
  if (checked.state === 'known' && (await touch(db, checked.fileId)))
    return { stored: true, fileId: checked.fileId, isNew: false };
  if (checked.state === 'known') return storeUpload(db, files, { role, prefix, bytes });
  const { encoded, sourceSha256 } = checked;
  const { thumbnail, bytes: whole, extension, ...shown } = encoded;
  const sha256 = hash('sha256', whole);
  const storageKey = `${prefix}/${sha256}.${extension}`;
  const thumbnailKey = thumbnail === null ? null : `${prefix}/${sha256}-${THUMBNAIL_WIDTH}.webp`;
  const parts = new Map([[storageKey, whole]]);
  if (thumbnail !== null && thumbnailKey !== null) parts.set(thumbnailKey, thumbnail);
  const record = { ...shown, storageKey, sha256, sourceSha256, size: whole.length, thumbnailKey };
  const { id, isNew } = await putAndRecord(db, files, { parts, record });
  return { stored: true, fileId: id, isNew };
}

/** Stores the parts of a file by their keys, and finds or adds its record. */
export async function putAndRecord(
  db: Db,
  files: FileStore,
  { parts, record }: { parts: ReadonlyMap<string, Uint8Array>; record: Insertable<Tables['storedFile']> },
): Promise<{ id: string; isNew: boolean }> {
  const put = async () => {
    for (const [key, bytes] of parts) await files.put(key, bytes);
  };
  await put();
  const recorded = await recordFile(db, record);
  // A sweep may have removed the bytes before the record existed. Then this stores them again; else it does nothing.
  await put();
  return recorded;
}

/** Resets the file's age, so that no sweep removes it for a day. False: a sweep has removed it already. */
async function touch(db: Db, id: string): Promise<boolean> {
  const touched = await db
    .updateTable('storedFile')
    .set({ createdAt: new Date() })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return touched !== undefined;
}

/** Finds or adds the record of a file that is in the store. Of several concurrent calls, one gets `isNew`. */
export async function recordFile(
  db: Db,
  file: Insertable<Tables['storedFile']>,
): Promise<{ id: string; isNew: boolean }> {
  // No conflict target: the unique keys of the file and of its thumbnail may both conflict, and a target covers only
  // one.
  const added = await db
    .insertInto('storedFile')
    .values(file)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (added !== undefined) return { id: added.id, isNew: true };
  const { id } = await db
    .selectFrom('storedFile')
    .select('id')
    .where('storageKey', '=', file.storageKey)
    .executeTakeFirstOrThrow();
  return (await touch(db, id)) ? { id, isNew: false } : recordFile(db, file);
}

async function encode(role: UploadRole, bytes: Uint8Array): Promise<Encoded | string> {
  const mime = (await fileTypeFromBuffer(bytes).catch(() => undefined))?.mime;
  if (role === 'certificate' && mime === 'application/pdf') {
    // A PDF is stored unchanged, because it is only served in an empty sandbox, where it can run nothing.
    if (!isWholePdf(bytes)) return 'The PDF is damaged: its end is missing.';
    return { bytes, ...PDF };
  }
  if (mime === 'image/jpeg' || mime === 'image/png' || (role === 'image' && mime === 'image/webp'))
    return encodeImage(bytes, mime);
  return role === 'image' ? 'An image is a JPEG, PNG or WebP file.' : 'A certificate is a PDF, JPEG or PNG file.';
}

// Every PDF ends with %%EOF, and readers look for it in the last kilobyte. A mark further up belongs to an earlier
// version of the file, or to the first page of a linearized file; then the rest of the file is cut off.
function isWholePdf(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = text.length;
  // Some writers pad the last block.
  while (end > 0 && PADDING.has(text[end - 1] ?? 0)) end -= 1;
  const mark = text.lastIndexOf('%%EOF');
  return text.subarray(0, 5).toString('latin1') === '%PDF-' && mark > 0 && mark >= end - 1024;
}
const PADDING: ReadonlySet<number> = new Set([0, 9, 10, 13, 26, 32]);
