// Images and parts of images, from which tests build files that no camera writes.
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

const picture = () => sharp({ create: { width: 90, height: 60, channels: 3, background: '#a33' } });
/** Noise does not compress, so every cut removes part of the picture. */
const noise = () =>
  sharp({
    create: {
      width: 200,
      height: 200,
      channels: 3,
      background: '#a33',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  });

export const jpeg = () => picture().jpeg().toBuffer();
export const png = () => picture().png().toBuffer();
export const webp = () => picture().webp().toBuffer();
export const noisyJpeg = () => noise().jpeg().toBuffer();
export const noisyPng = () => noise().png().toBuffer();
export const noisyWebp = () => noise().webp().toBuffer();
export const gif = () => picture().gif().toBuffer();
export const tiff = () => picture().tiff().toBuffer();
export const avif = () => picture().avif({ effort: 0 }).toBuffer();

/** With camera data: an owner and a position. */
export const located = (owner: string) =>
  picture()
    .withExif({
      IFD0: { Copyright: owner, Orientation: '6' },
      IFD3: {
        GPSLatitudeRef: 'S',
        GPSLatitude: '33/1 51/1 3151/100',
        GPSLongitudeRef: 'E',
        GPSLongitude: '151/1 12/1 4051/100',
      },
    })
    .keepIccProfile();

/** An animation of `pages` frames. */
export const animatedWebp = (pages: number) =>
  sharp({
    create: {
      width: 8,
      height: 8 * pages,
      pageHeight: 8,
      channels: 3,
      background: '#a33',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .webp({ effort: 0 })
    .toBuffer();

/** A JPEG with a segment (`marker`: 0xe1 for APP1, 0xfe for a comment) behind its start. */
export async function jpegWith(marker: number, body: string): Promise<Buffer> {
  const whole = await jpeg();
  const length = Buffer.alloc(2);
  length.writeUInt16BE(body.length + 2);
  return Buffer.concat([
    whole.subarray(0, 2),
    Buffer.from([0xff, marker]),
    length,
    Buffer.from(body, 'latin1'),
    whole.subarray(2),
  ]);
}

/** A JPEG that says it is `width` × `height`. */
export async function jpegOfSize(width: number, height: number): Promise<Buffer> {
  const whole = Buffer.from(await jpeg());
  const frame = whole.indexOf(Buffer.from([0xff, 0xc0]));
  whole.writeUInt16BE(height, frame + 5);
  whole.writeUInt16BE(width, frame + 7);
  return whole;
}

/** A chunk of a PNG. */
export function pngChunk(type: string, body: Buffer | string): Buffer {
  const typed = Buffer.concat([Buffer.from(type), Buffer.from(body)]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(typed.length - 4);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, sum]);
}

/** A PNG with chunks behind its header. */
export async function pngWith(chunks: Buffer): Promise<Buffer> {
  const whole = await png();
  const afterHeader = 8 + 25;
  return Buffer.concat([whole.subarray(0, afterHeader), chunks, whole.subarray(afterHeader)]);
}

/**
 * A PNG of `width` × `height` with the bits per pixel and colour type given, all of one colour; `rows` rows are there.
 */
export function pngOfSize(width: number, height: number, [bits, colour]: [number, number], rows = height): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, colour, 0, 0, 0], 8);
  const samples = { 0: 1, 2: 3, 3: 1, 6: 4 }[colour] ?? 1;
  const row = 1 + Math.ceil((width * bits * samples) / 8);
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc(row * rows))),
    pngChunk('IEND', ''),
  ]);
}

/** A WebP with a chunk at its end, counted in its length. */
export function webpWith(whole: Buffer, type: string, body: string): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(body.length);
  const added = Buffer.concat([whole, Buffer.from(type), size, Buffer.from(body), Buffer.alloc(body.length % 2)]);
  added.writeUInt32LE(added.length - 8, 4);
  return added;
}

/** A WebP whose canvas says it is 16,384 × 16,384. */
export async function webpOfSize(): Promise<Buffer> {
  const whole = Buffer.from(await located('a').webp().toBuffer());
  if (whole.toString('latin1', 12, 16) !== 'VP8X') throw new Error('this WebP has no canvas');
  whole.fill(0xff, 24, 30);
  whole.writeUInt16LE(16_383, 24);
  whole[26] = 0;
  whole.writeUInt16LE(16_383, 27);
  whole[29] = 0;
  return whole;
}
