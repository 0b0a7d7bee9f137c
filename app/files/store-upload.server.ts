// Takes a file in: its type from its bytes, images re-encoded (which drops EXIF, positions and whatever hides behind the
// picture), kept under the hash of what is stored. Whoever refers to it does so in a later transaction.
import { createHash } from 'node:crypto';
import { fileTypeFromBuffer } from 'file-type';
import sharp from 'sharp';
import type { Db } from '#app/platform/database.server.ts';
import type { FileStore } from '#app/platform/file-store.server.ts';

// Only the loaders of the types we take: SVG and the rest parse text and fetch things.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] });

export const IMAGE_MAX_BYTES = 15 * 1024 * 1024;
export const CERTIFICATE_MAX_BYTES = 20 * 1024 * 1024;
export const IMAGE_MAX_PIXELS = 50_000_000;
const THUMBNAIL_WIDTH = 480;
const IMAGE_MAX_SIDE = 4096;

/** What a file is for decides what it may be. */
export type UploadRole = 'certificate' | 'image';
/** A stored file (`isNew`: not stored before), or why it was not taken, as a sentence for the field. */
export type StoredUpload = { stored: true; fileId: string; isNew: boolean } | { stored: false; reason: string };
/** What would become of an upload: stored before, to be stored as `encoded`, or refused. */
export type CheckedUpload =
  | { state: 'known'; fileId: string }
  | { state: 'new'; encoded: Encoded; sourceSha256: string }
  | { state: 'refused'; reason: string };
type Encoded = {
  bytes: Uint8Array;
  mediaType: 'application/pdf' | 'image/jpeg' | 'image/png' | 'image/webp';
  extension: string;
  width: number | null;
  height: number | null;
  thumbnail: Uint8Array | null;
};

/** Checks `bytes` as `storeUpload` does, and stores nothing. */
export async function checkUpload(db: Db, role: UploadRole, prefix: string, bytes: Uint8Array): Promise<CheckedUpload> {
  const sourceSha256 = sha256(bytes);
  const known = await db
    .selectFrom('storedFile')
    .select('id')
    .where('sourceSha256', '=', sourceSha256)
    .where((eb) => eb.fn<boolean>('starts_with', ['storageKey', eb.val(`${prefix}/`)]))
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
  if (checked.state === 'known') return { stored: true, fileId: checked.fileId, isNew: false };
  const { encoded, sourceSha256 } = checked;
  const hash = sha256(encoded.bytes);
  const storageKey = `${prefix}/${hash}.${encoded.extension}`;
  const thumbnailKey = encoded.thumbnail === null ? null : `${prefix}/${hash}-${THUMBNAIL_WIDTH}.webp`;
  await files.put(storageKey, encoded.bytes);
  if (encoded.thumbnail !== null && thumbnailKey !== null) await files.put(thumbnailKey, encoded.thumbnail);
  const { id } = await db
    .insertInto('storedFile')
    .values({
      storageKey,
      sha256: hash,
      sourceSha256,
      mediaType: encoded.mediaType,
      size: encoded.bytes.length,
      width: encoded.width,
      height: encoded.height,
      thumbnailKey,
    })
    .onConflict((conflict) => conflict.column('storageKey').doUpdateSet({ sha256: hash }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return { stored: true, fileId: id, isNew: true };
}

async function encode(role: UploadRole, bytes: Uint8Array): Promise<Encoded | string> {
  const limit = role === 'image' ? IMAGE_MAX_BYTES : CERTIFICATE_MAX_BYTES;
  if (bytes.length === 0) return 'The file is empty.';
  if (bytes.length > limit) return `The file is larger than ${limit / 1024 / 1024} MB.`;
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

async function encodeImage(
  bytes: Uint8Array,
  mime: 'image/jpeg' | 'image/png' | 'image/webp',
): Promise<Encoded | string> {
  try {
    const picture = sharp(bytes, { limitInputPixels: IMAGE_MAX_PIXELS, failOn: 'error' })
      .autoOrient()
      .resize(IMAGE_MAX_SIDE, IMAGE_MAX_SIDE, { fit: 'inside', withoutEnlargement: true });
    const target =
      mime === 'image/png'
        ? picture.clone().png({ palette: false })
        : mime === 'image/jpeg'
          ? picture.clone().jpeg({ quality: 88 })
          : picture.clone().webp({ quality: 88 });
    const { data, info } = await target.toBuffer({ resolveWithObject: true });
    const thumbnail = await picture
      .clone()
      .resize(THUMBNAIL_WIDTH, THUMBNAIL_WIDTH, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 75 })
      .toBuffer();
    return {
      bytes: data,
      mediaType: mime,
      extension: mime === 'image/jpeg' ? 'jpg' : mime === 'image/png' ? 'png' : 'webp',
      width: info.width,
      height: info.height,
      thumbnail,
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    return message.includes('pixel limit')
      ? 'The image has more than 50 million pixels.'
      : 'The image is damaged or cannot be read.';
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

// Every PDF ends with this mark, and readers need it; some writers put a few bytes behind it.
function isWholePdf(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return text.subarray(0, 5).toString('latin1') === '%PDF-' && text.lastIndexOf('%%EOF') > 0;
}
