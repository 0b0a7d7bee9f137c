// Decodes images and encodes them again, so that only pixels are stored: no EXIF, no GPS position, no appended data.
//
// One is decoded at a time in a process, on one thread; the others wait in a queue. Buys: four of 49 megapixels at once
// take 355 MB in all, where one alone may take 270, and searches beside them stay under 224 ms (bench/RESULTS.md).
// Deletable when a process of its own, with a limit of memory, decodes them.
import sharp from 'sharp';

// Only the loaders of the types we accept. Others, such as SVG, parse text and fetch URLs.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] });

const IMAGE_MAX_PIXELS = 50_000_000;
const IMAGE_MAX_SIDE = 4096;
export const THUMBNAIL_WIDTH = 480;
const DHASH_SIDE = 8;
sharp.concurrency(1);
sharp.cache(false);
let queue: Promise<unknown> = Promise.resolve();

const FORMATS = {
  'image/jpeg': { extension: 'jpg', format: 'jpeg', options: { quality: 88 } },
  'image/png': { extension: 'png', format: 'png', options: { palette: false } },
  'image/webp': { extension: 'webp', format: 'webp', options: { quality: 88 } },
} as const;

export type EncodedImage = {
  bytes: Uint8Array;
  mediaType: keyof typeof FORMATS;
  extension: 'jpg' | 'png' | 'webp';
  width: number;
  height: number;
  thumbnail: Uint8Array;
  /** 64 bits, '0' or '1' each. */
  dhash: string | null;
};

/** The picture and its thumbnail, or why it was refused. A process encodes one image at a time; others wait. */
export function encodeImage(bytes: Uint8Array, mime: EncodedImage['mediaType']): Promise<EncodedImage | string> {
  const mine = queue.then(() => encodeOrSay(bytes, mime));
  queue = mine;
  return mine;
}

// Never rejects, so the queue never does either.
async function encodeOrSay(bytes: Uint8Array, mime: EncodedImage['mediaType']): Promise<EncodedImage | string> {
  try {
    return await encode(bytes, mime);
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    return message.includes('pixel limit')
      ? 'The image has more than 50 million pixels.'
      : 'The image is damaged or cannot be read.';
  }
}

async function encode(bytes: Uint8Array, mime: EncodedImage['mediaType']): Promise<EncodedImage> {
  const picture = sharp(bytes, { limitInputPixels: IMAGE_MAX_PIXELS, failOn: 'error' })
    .autoOrient()
    .resize(IMAGE_MAX_SIDE, IMAGE_MAX_SIDE, { fit: 'inside', withoutEnlargement: true });
  const { extension, format, options } = FORMATS[mime];
  const { data, info } = await picture.toFormat(format, options).toBuffer({ resolveWithObject: true });
  // Made from the encoded picture, which is smaller than the upload, so the upload is decoded only once.
  const thumbnail = await sharp(data)
    .resize(THUMBNAIL_WIDTH, THUMBNAIL_WIDTH, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 75 })
    .toBuffer();
  return {
    bytes: data,
    mediaType: mime,
    extension,
    width: info.width,
    height: info.height,
    thumbnail,
    dhash: await differenceHash(thumbnail),
  };
}

/**
 * The difference hash (dHash) of a picture: of 9 × 8 grey cells, whether each is brighter than the one on its right.
 * Pictures that look alike have hashes of a small Hamming distance. Null: one without any shape, which says nothing.
 */
async function differenceHash(picture: Uint8Array): Promise<string | null> {
  const cells = await sharp(picture)
    .greyscale()
    .resize(DHASH_SIDE + 1, DHASH_SIDE, { fit: 'fill' })
    .raw()
    .toBuffer();
  const bit = (_: unknown, at: number) => {
    const cell = at + Math.floor(at / DHASH_SIDE);
    return (cells[cell] ?? 0) > (cells[cell + 1] ?? 0) ? '1' : '0';
  };
  const bits = Array.from({ length: DHASH_SIDE * DHASH_SIDE }, bit).join('');
  return bits.includes('1') ? bits : null;
}
