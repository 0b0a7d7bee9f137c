// 200 pictures as phones, programs and broken downloads make them.
import sharp, { type Sharp } from 'sharp';

/** `upright`: the shape, and the corner of the red mark, once it is turned as it says. */
export type Picture = {
  what: string;
  name: string;
  type: string;
  make: () => Promise<Buffer> | Buffer;
  fate: 'taken' | 'refused' | 'either';
  says?: string;
  upright?: string;
};

const DRAWN = { width: 120, height: 90, channels: 3 } as const;
const drawn = Buffer.from(
  Array.from({ length: DRAWN.width * DRAWN.height }, (_, at) => {
    const [x, y] = [at % DRAWN.width, Math.floor(at / DRAWN.width)];
    const grey = 40 + x;
    return x < 24 && y < 18 ? [224, 16, 16] : [grey, grey, grey];
  }).flat(),
);
/** A grey gradient with a red mark in its top left corner. Not of an SVG: the product forbids sharp to read one. */
const draw = (width: number, height: number) =>
  sharp(drawn, { raw: DRAWN, limitInputPixels: false }).resize(width, height, { fit: 'fill', kernel: 'nearest' });

const SIZES = [
  [2, 2],
  [9, 7],
  [160, 120],
  [640, 480],
  [480, 640],
  [1999, 1500],
  [2000, 1500],
  [2001, 1500],
  [4032, 3024],
  [3024, 4032],
  [6000, 60],
] as const;
const FORMATS: Record<string, { type: string; encode: (picture: Sharp) => Sharp }> = {
  jpg: { type: 'image/jpeg', encode: (picture) => picture.jpeg() },
  'progressive.jpg': { type: 'image/jpeg', encode: (picture) => picture.jpeg({ progressive: true, quality: 60 }) },
  'full.jpeg': { type: 'image/jpeg', encode: (picture) => picture.jpeg({ chromaSubsampling: '4:4:4', quality: 98 }) },
  'grey.jpg': { type: 'image/jpeg', encode: (picture) => picture.greyscale().jpeg() },
  'cmyk.jpg': { type: 'image/jpeg', encode: (picture) => picture.toColourspace('cmyk').jpeg() },
  png: { type: 'image/png', encode: (picture) => picture.png() },
  'palette.png': { type: 'image/png', encode: (picture) => picture.png({ palette: true }) },
  'deep.png': { type: 'image/png', encode: (picture) => picture.toColourspace('rgb16').png() },
  webp: { type: 'image/webp', encode: (picture) => picture.webp() },
  'lossless.webp': { type: 'image/webp', encode: (picture) => picture.webp({ lossless: true, effort: 0 }) },
};
const inSize = Object.entries(FORMATS).flatMap(([ending, { type, encode }]) =>
  SIZES.map(([width, height]): Picture => ({
    what: `${width} × ${height}`,
    name: `a.${ending}`,
    type,
    make: () => encode(draw(width, height)).toBuffer(),
    fate: 'taken',
  })),
);

const CORNERS = [
  'top left',
  'top right',
  'bottom right',
  'bottom left',
  'top left',
  'top right',
  'bottom right',
  'bottom left',
];
const turned = (
  [
    [640, 480],
    [4032, 3024],
    [480, 640],
  ] as const
).flatMap(([width, height]) =>
  CORNERS.map((corner, at): Picture => {
    const isWide = at < 4 ? width > height : width < height;
    return {
      what: `${width} × ${height}, EXIF orientation ${at + 1}`,
      name: 'turned.jpg',
      type: 'image/jpeg',
      make: () =>
        draw(width, height)
          .jpeg()
          .withMetadata({ orientation: at + 1 })
          .toBuffer(),
      fate: 'taken',
      upright: `${isWide ? 'wide' : 'high'}, mark ${corner}`,
    };
  }),
);

const large = (
  [
    ['8160 × 6144', 8160, 6144],
    ['108 megapixels', 12_000, 9000],
    ['50 megapixels, high', 6144, 8160],
  ] as const
).map(([what, width, height]): Picture => ({
  what,
  name: 'large.jpg',
  type: 'image/jpeg',
  make: () => draw(width, height).jpeg({ quality: 80 }).toBuffer(),
  fate: 'taken',
  upright: `${width > height ? 'wide' : 'high'}, mark top left`,
}));

const noise = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 60 } },
  });
const jpeg = () => draw(1200, 900).jpeg({ quality: 90 }).toBuffer();
const png = () => draw(300, 200).png().toBuffer();

/** A BMP of 24 bits a pixel, by hand. */
function bmp(width: number, height: number): Buffer {
  const row = Math.ceil((width * 3) / 4) * 4;
  const file = Buffer.alloc(54 + row * height);
  file.write('BM', 0, 'latin1');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(54, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  for (let at = 54; at < file.length; at += 1) file[at] = (at * 7) % 251;
  return file;
}

const others: Picture[] = [
  {
    what: 'noise of 15 MB',
    name: 'noise.png',
    type: 'image/png',
    make: () => noise(2200, 2200).png({ compressionLevel: 0 }).toBuffer(),
    fate: 'taken',
  },
  {
    what: 'small noise',
    name: 'noise.png',
    type: 'image/png',
    make: () => noise(1900, 1900).png({ compressionLevel: 0 }).toBuffer(),
    fate: 'taken',
  },
  {
    what: 'AVIF',
    name: 'a.avif',
    type: 'image/avif',
    make: () => draw(640, 480).avif({ effort: 0 }).toBuffer(),
    fate: 'taken',
  },
  { what: 'GIF', name: 'a.gif', type: 'image/gif', make: () => draw(640, 480).gif().toBuffer(), fate: 'taken' },
  { what: 'BMP', name: 'a.bmp', type: 'image/bmp', make: () => bmp(333, 100), fate: 'taken' },
  { what: 'JPEG called .png', name: 'a.png', type: 'image/png', make: jpeg, fate: 'taken' },
  { what: 'PNG called .jpg', name: 'a.jpg', type: 'image/jpeg', make: png, fate: 'taken' },
  {
    what: 'WebP called .jpg',
    name: 'a.jpg',
    type: 'image/jpeg',
    make: () => draw(640, 480).webp().toBuffer(),
    fate: 'taken',
  },
  { what: 'without a type', name: 'photo', type: 'application/octet-stream', make: jpeg, fate: 'taken' },
  {
    what: 'a motion photo, with a film behind it',
    name: 'a.jpg',
    type: 'image/jpeg',
    make: async () => Buffer.concat([await jpeg(), Buffer.from('\0\0\0\x18ftypmp42'), Buffer.alloc(50_000, 7)]),
    fate: 'taken',
  },
  {
    what: 'HTML behind it',
    name: 'a.jpg',
    type: 'image/jpeg',
    make: async () => Buffer.concat([await jpeg(), Buffer.from('<script>alert(1)</script>')]),
    fate: 'taken',
  },
  {
    what: 'with a position and a colour profile',
    name: 'a.jpg',
    type: 'image/jpeg',
    make: () =>
      draw(900, 700)
        .jpeg()
        .withIccProfile('p3')
        .withExif({ IFD3: { GPSLatitudeRef: 'S' } })
        .toBuffer(),
    fate: 'taken',
  },
  {
    what: 'half transparent',
    name: 'a.png',
    type: 'image/png',
    make: () => draw(640, 480).removeAlpha().ensureAlpha(0.5).png().toBuffer(),
    fate: 'taken',
  },
  {
    what: 'transparent and large',
    name: 'a.png',
    type: 'image/png',
    make: () => draw(2600, 1000).removeAlpha().ensureAlpha(0.5).png().toBuffer(),
    fate: 'taken',
  },
  {
    what: 'interlaced',
    name: 'a.png',
    type: 'image/png',
    make: () => draw(640, 480).png({ progressive: true }).toBuffer(),
    fate: 'taken',
  },
  {
    what: 'a white ticket with faint print',
    name: 'a.jpg',
    type: 'image/jpeg',
    make: () =>
      sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#f4f4f0' } })
        .composite([
          { input: { create: { width: 90, height: 6, channels: 3, background: '#c8c8c8' } }, left: 700, top: 600 },
        ])
        .jpeg()
        .toBuffer(),
    fate: 'taken',
  },
];
export const PICTURES: readonly Picture[] = [...inSize, ...turned, ...large, ...others];

const EMPTY = 'The file is empty.';
const ONE_COLOUR = 'The photo is all of one colour';
const NO_IMAGE = 'An image is a JPEG, PNG or WebP file.';
const DAMAGED = 'The image is damaged or cannot be read.';
const isoMedia = (brand: string) =>
  Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from(`ftyp${brand}\0\0\0\0mif1${brand}`), Buffer.alloc(900, 5)]);
const flat = (background: string, [width, height] = [1200, 900]) =>
  sharp({ create: { width, height, channels: 3, background } });

const refusedWith = (
  says: string,
  all: Record<string, [name: string, type: string, make: Picture['make']]>,
): Picture[] =>
  Object.entries(all).map(([what, [name, type, make]]) => ({ what, name, type, make, fate: 'refused', says }));

const cut = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99].flatMap((part): Picture[] =>
  [
    { name: 'cut.jpg', type: 'image/jpeg', whole: jpeg },
    { name: 'cut.png', type: 'image/png', whole: png },
    { name: 'cut.webp', type: 'image/webp', whole: () => draw(900, 700).webp().toBuffer() },
  ].map(({ name, type, whole }) => ({
    what: `the first ${part * 100} %`,
    name,
    type,
    make: async () => {
      const bytes = await whole();
      return bytes.subarray(0, Math.ceil(bytes.length * part));
    },
    fate: 'either',
  })),
);
const flipped = Array.from({ length: 24 }, (_, nth): Picture => {
  const [name, type, whole] =
    nth % 2 === 0 ? (['flipped.jpg', 'image/jpeg', jpeg] as const) : (['flipped.png', 'image/png', png] as const);
  return {
    what: `bytes flipped from ${nth * 4} % on`,
    name,
    type,
    make: async () => {
      const bytes = Buffer.from(await whole());
      const from = Math.floor((bytes.length * nth) / 25);
      for (let at = from; at < from + 12; at += 1) bytes[at] = (bytes[at] ?? 0) ^ 0xff;
      return bytes;
    },
    fate: 'either',
  };
});

export const BROKEN: readonly Picture[] = [
  ...cut,
  ...flipped,
  ...refusedWith(EMPTY, { nothing: ['a.jpg', 'image/jpeg', () => Buffer.alloc(0)] }),
  ...refusedWith(ONE_COLOUR, {
    black: ['a.jpg', 'image/jpeg', () => flat('#000').jpeg().toBuffer()],
    white: ['a.png', 'image/png', () => flat('#fff').png().toBuffer()],
    red: ['a.webp', 'image/webp', () => flat('#a01414').webp().toBuffer()],
    'one pixel': ['a.png', 'image/png', () => flat('#777', [1, 1]).png().toBuffer()],
    'large and black': ['a.jpg', 'image/jpeg', () => flat('#010101', [4032, 3024]).jpeg().toBuffer()],
    transparent: ['a.png', 'image/png', () => draw(640, 480).removeAlpha().ensureAlpha(0).png().toBuffer()],
    'the noise of a covered lens': [
      'a.jpg',
      'image/jpeg',
      () =>
        sharp({
          create: {
            width: 4032,
            height: 3024,
            channels: 3,
            background: '#000',
            noise: { type: 'gaussian', mean: 8, sigma: 2 },
          },
        })
          .jpeg({ quality: 85 })
          .toBuffer(),
    ],
  }),
  ...refusedWith('This browser cannot read HEIC photos.', {
    HEIC: ['IMG_1.heic', 'image/heic', () => isoMedia('heic')],
    'HEIC without a type': ['IMG_2.HEIC', '', () => isoMedia('heix')],
    'HEIC called .jpg': ['IMG_3.jpg', 'image/jpeg', () => isoMedia('mif1')],
    'a series of HEIC': ['IMG_4.heif', 'image/heif', () => isoMedia('hevc')],
  }),
  ...refusedWith(DAMAGED, {
    zeros: ['a.jpg', 'image/jpeg', () => Buffer.alloc(100_000)],
    'HTML called .jpg': ['a.jpg', 'image/jpeg', () => Buffer.from('<!doctype html><h1>Welcome. Room number?</h1>')],
    'the head of a JPEG': ['a.jpg', 'image/jpeg', () => Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex')],
    'the head of a PNG': ['a.png', 'image/png', () => Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    'a broken AVIF': ['a.avif', 'image/avif', () => isoMedia('avif')],
    TIFF: ['a.tif', 'image/tiff', () => draw(640, 480).tiff().toBuffer()],
    SVG: [
      'a.svg',
      'image/svg+xml',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    ],
  }),
  ...refusedWith(NO_IMAGE, {
    PDF: ['a.pdf', 'application/pdf', () => Buffer.from('%PDF-1.4\n%%EOF\n')],
    'a film': ['a.mp4', 'video/mp4', () => isoMedia('mp42')],
    text: ['a.txt', 'text/plain', () => Buffer.from('a ticket')],
    'a folder’s list': ['a.zip', 'application/zip', () => Buffer.from('504b0506', 'hex')],
  }),
];
