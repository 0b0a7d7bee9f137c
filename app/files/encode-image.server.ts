// Images decoded and written anew: what is stored is pixels, without EXIF, positions or what hides behind the picture.
import sharp from 'sharp';

// Only the loaders of the types we take: SVG and the rest parse text and fetch things.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] });

const IMAGE_MAX_PIXELS = 50_000_000;
const IMAGE_MAX_SIDE = 4096;
export const THUMBNAIL_WIDTH = 480;
// 50 megapixels take up to 270 MB while they are turned, and a core for a second or two: one after the other, on one
// thread, so that searches go on beside them.
sharp.concurrency(1);
sharp.cache(false);
let queue: Promise<unknown> = Promise.resolve();

export type EncodedImage = {
  bytes: Uint8Array;
  mediaType: 'image/jpeg' | 'image/png' | 'image/webp';
  extension: 'jpg' | 'png' | 'webp';
  width: number;
  height: number;
  thumbnail: Uint8Array;
};

/** The picture and its thumbnail, or why there is none. One is made at a time in a process; further ones wait. */
export function encodeImage(bytes: Uint8Array, mime: EncodedImage['mediaType']): Promise<EncodedImage | string> {
  const mine = queue.then(() => encodeOrSay(bytes, mime));
  queue = mine;
  return mine;
}

// Never fails, so nor does the queue.
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
  const target =
    mime === 'image/png'
      ? picture.clone().png({ palette: false })
      : mime === 'image/jpeg'
        ? picture.clone().jpeg({ quality: 88 })
        : picture.clone().webp({ quality: 88 });
  const { data, info } = await target.toBuffer({ resolveWithObject: true });
  // Of what was made, which is smaller: the picture itself is decoded once.
  const thumbnail = await sharp(data)
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
}
