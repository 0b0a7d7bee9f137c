// Judges a picture in the browser when it is chosen, and makes what is sent of it: nobody takes a photo again after a
// visit to a weighbridge. It is decoded here and encoded again, in the size in which the registry keeps it: what the
// registry would refuse is never made. A format that this browser can read and the registry cannot becomes JPEG.
const LONGEST_EDGE = 2000;
const QUALITY = { scaled: 0.82, whole: 0.92 };
const SMALL_BYTES = 1024 * 1024;
/** What the noise of a covered lens differs by, of 255, once it is scaled. */
const SAME_COLOUR = 12;

/** `photo`: of a visit. It is evidence, so one that shows nothing is refused. `image`: any other. */
export type PictureKind = 'photo' | 'image';
/** What is sent, or why nothing can be, as a sentence for the field. */
export type JudgedPhoto = { photo: File } | { refusal: string };

const EMPTY = 'The file is empty.';
const DAMAGED = 'The image is damaged or cannot be read.';
const NO_IMAGE = 'An image is a JPEG, PNG or WebP file.';
const HEIC =
  'This browser cannot read HEIC photos. Set the camera to JPEG (“Most compatible”), or choose a screenshot of the photo.';
const ONE_COLOUR = 'The photo is all of one colour: it shows nothing. Take it again.';
const NO_MEMORY = 'This browser has no memory for so large a photo. Take it again with fewer megapixels.';

/** The size in which a picture is kept, in the same shape; undefined: it is small enough as it is. */
export function scaledSize(width: number, height: number): { width: number; height: number } | undefined {
  const scale = LONGEST_EDGE / Math.max(width, height);
  return scale >= 1
    ? undefined
    : { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

// Judged here before: encoded again, each time would take some of its sharpness.
const judged = new WeakSet<File>();
export const isJudged = (file: File): boolean => judged.has(file);

/** A file of what was judged before, as when it was kept on the phone. */
export function judgedFile(bytes: BlobPart, name: string, type: string): File {
  const file = new File([bytes], name, { type });
  judged.add(file);
  return file;
}

let queue: Promise<unknown> = Promise.resolve();

/** One at a time: four of 108 megapixels take 1.7 GB, more than a browser gives a page. */
export function judgePhoto(file: File, kind: PictureKind): Promise<JudgedPhoto> {
  const mine = queue.then(() => judge(file, kind)).catch(() => ({ refusal: NO_MEMORY }));
  queue = mine;
  return mine;
}

async function judge(file: File, kind: PictureKind): Promise<JudgedPhoto> {
  if (judged.has(file)) return { photo: file };
  if (file.size === 0) return { refusal: EMPTY };
  const picture = await decode(file);
  if (picture === undefined) return { refusal: await whyUnreadable(file) };
  const size = scaledSize(picture.width, picture.height);
  const canvas = document.createElement('canvas');
  Object.assign(canvas, size ?? { width: picture.width, height: picture.height });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('no canvas');
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  if (kind === 'photo' && isOneColour(context.getImageData(0, 0, canvas.width, canvas.height).data))
    return { refusal: ONE_COLOUR };
  // A small drawing keeps its edges, and what shines through it.
  const whole = size === undefined && file.type === 'image/png' ? await encode(canvas, 'image/png') : null;
  if (whole !== null && whole.size <= Math.max(file.size, SMALL_BYTES))
    return { photo: judgedFile(whole, file.name, whole.type) };
  // JPEG has no transparency: it would be black.
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  const sent = await encode(canvas, 'image/jpeg', size === undefined ? QUALITY.whole : QUALITY.scaled);
  return { photo: judgedFile(sent, nameAsJpeg(file.name), sent.type) };
}

// Older browsers do not know the word, and turn a picture as it says by themselves.
const decode = (file: File): Promise<ImageBitmap | undefined> =>
  createImageBitmap(file, { imageOrientation: 'from-image' })
    .catch(() => createImageBitmap(file))
    .catch(() => undefined);

const encode = (canvas: HTMLCanvasElement, type: string, quality?: number): Promise<Blob> =>
  new Promise((resolve, fail) =>
    canvas.toBlob((blob) => (blob === null ? fail(new Error('no memory')) : resolve(blob)), type, quality),
  );

function isOneColour(pixels: Uint8ClampedArray): boolean {
  for (let at = 0; at < pixels.length; at += 1)
    if (Math.abs((pixels[at] ?? 0) - (pixels[at % 4] ?? 0)) > SAME_COLOUR) return false;
  return true;
}

const HEIC_BRANDS = /^ftyp(?:hei|hev|mif1|msf1)/;

async function whyUnreadable(file: File): Promise<string> {
  const head = await file
    .slice(4, 12)
    .text()
    .catch(() => '');
  if (HEIC_BRANDS.test(head)) return HEIC;
  return file.type.startsWith('image/') ? DAMAGED : NO_IMAGE;
}

export const nameAsJpeg = (name: string): string =>
  `${name.replace(/\.(?:jpe?g|png|webp|hei[cf]|avif|gif|bmp)$/i, '')}.jpg`;
