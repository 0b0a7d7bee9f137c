// Takes a file in: its type from its bytes, images re-encoded (which drops EXIF, positions and whatever hides behind the
// picture), kept under the hash of what is stored. Whoever refers to it does so in a later transaction.
import { createHash } from 'node:crypto';
import { fileTypeFromBuffer } from 'file-type';
import type { Insertable } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';
import type { FileStore } from '#app/platform/storage/file-store.server.ts';
import type { Tables } from '#database/tables.ts';
import { encodeImage, THUMBNAIL_WIDTH, type EncodedImage } from './encode-image.server.ts';

export const IMAGE_MAX_BYTES = 15 * 1024 * 1024;
export const CERTIFICATE_MAX_BYTES = 20 * 1024 * 1024;

/** What a file is for decides what it may be. */
export type UploadRole = 'certificate' | 'image';
/** A stored file (`isNew`: not stored before), or why it was not taken, as a sentence for the field. */
export type StoredUpload = { stored: true; fileId: string; isNew: boolean } | { stored: false; reason: string };
/** What would become of an upload: stored before, to be stored as `encoded`, or refused. */
export type CheckedUpload =
  | { state: 'known'; fileId: string }
  | { state: 'new'; encoded: Encoded; sourceSha256: string }
  | { state: 'refused'; reason: string };
type Encoded =
  | EncodedImage
  | { bytes: Uint8Array; mediaType: 'application/pdf'; extension: 'pdf'; width: null; height: null; thumbnail: null };

const MEDIA_TYPES = {
  certificate: ['application/pdf', 'image/jpeg', 'image/png'],
  image: ['image/jpeg', 'image/png', 'image/webp'],
} as const;

/** Whether a file of this type may be used as a certificate, or as an image. */
export function isOfRole(role: UploadRole, mediaType: string): boolean {
  return MEDIA_TYPES[role].some((each) => each === mediaType);
}

/** Checks `bytes` as `storeUpload` does, and stores nothing. */
export async function checkUpload(db: Db, role: UploadRole, prefix: string, bytes: Uint8Array): Promise<CheckedUpload> {
  const limit = role === 'image' ? IMAGE_MAX_BYTES : CERTIFICATE_MAX_BYTES;
  if (bytes.length === 0) return { state: 'refused', reason: 'The file is empty.' };
  if (bytes.length > limit) return { state: 'refused', reason: `The file is larger than ${limit / 1024 / 1024} MB.` };
  const sourceSha256 = sha256(bytes);
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
  role: UploadRole,
  prefix: string,
  bytes: Uint8Array,
): Promise<StoredUpload> {
  const checked = await checkUpload(db, role, prefix, bytes);
  if (checked.state === 'refused') return { stored: false, reason: checked.reason };
  if (checked.state === 'known' && (await touch(db, checked.fileId)))
    return { stored: true, fileId: checked.fileId, isNew: false };
  if (checked.state === 'known') return storeUpload(db, files, role, prefix, bytes);
  const { encoded, sourceSha256 } = checked;
  const hash = sha256(encoded.bytes);
  const storageKey = `${prefix}/${hash}.${encoded.extension}`;
  const thumbnailKey = encoded.thumbnail === null ? null : `${prefix}/${hash}-${THUMBNAIL_WIDTH}.webp`;
  const putBoth = async () => {
    await files.put(storageKey, encoded.bytes);
    if (encoded.thumbnail !== null && thumbnailKey !== null) await files.put(thumbnailKey, encoded.thumbnail);
  };
  await putBoth();
  const { id, isNew } = await recordFile(db, {
    storageKey,
    sha256: hash,
    sourceSha256,
    mediaType: encoded.mediaType,
    size: encoded.bytes.length,
    width: encoded.width,
    height: encoded.height,
    thumbnailKey,
  });
  // Swept in between, the bytes are put back; else this does nothing.
  await putBoth();
  return { stored: true, fileId: id, isNew };
}

/** Says that a file is wanted, so that no sweep takes it for a day. False: it is gone already. */
async function touch(db: Db, id: string): Promise<boolean> {
  const touched = await db
    .updateTable('storedFile')
    .set({ createdAt: new Date() })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return touched !== undefined;
}

/** The record of a file that is in the store; of several that come at once, one is new. */
export async function recordFile(
  db: Db,
  file: Insertable<Tables['storedFile']>,
): Promise<{ id: string; isNew: boolean }> {
  // Any unique key may be the one that meets the other's: naming one would leave the thumbnail's to fail.
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
    // A PDF is kept as it is: it is only ever handed over as a file, in an empty sandbox.
    if (!isWholePdf(bytes)) return 'The PDF is damaged: its end is missing.';
    return { bytes, mediaType: 'application/pdf', extension: 'pdf', width: null, height: null, thumbnail: null };
  }
  if (mime === 'image/jpeg' || mime === 'image/png' || (role === 'image' && mime === 'image/webp'))
    return encodeImage(bytes, mime);
  return role === 'image' ? 'An image is a JPEG, PNG or WebP file.' : 'A certificate is a PDF, JPEG or PNG file.';
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

// Every PDF ends with this mark; readers look for it in the last kilobyte. One further up is that of an earlier version
// of the file, or of the first page of one made for the web: what follows it is cut off.
function isWholePdf(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = text.length;
  // Some writers fill the last block.
  while (end > 0 && PADDING.has(text[end - 1] ?? 0)) end -= 1;
  const mark = text.lastIndexOf('%%EOF');
  return text.subarray(0, 5).toString('latin1') === '%PDF-' && mark > 0 && mark >= end - 1024;
}
const PADDING: ReadonlySet<number> = new Set([0, 9, 10, 13, 26, 32]);
