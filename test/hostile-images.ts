// Images that are more than images, less, or far larger than they look.
import { deflateSync } from 'node:zlib';
import { DAMAGED, MARK, NO_CERTIFICATE, NO_IMAGE, type HostileFile } from './hostile-file.ts';
import * as parts from './image-parts.ts';

const SCRIPT = `<script>alert("${MARK}")</script>`;
const HTML = `<!doctype html><html><body>${SCRIPT}</body></html>`;
const PHP = `<?php system($_GET["${MARK}"]); ?>`;
const ZIP = Buffer.concat([
  Buffer.from('PK\u0003\u0004\u0014\0\0\0\0\0', 'latin1'),
  Buffer.alloc(16),
  Buffer.from([4, 0, 0, 0]),
  Buffer.from(MARK),
  Buffer.from('PK\u0005\u0006', 'latin1'),
  Buffer.alloc(18),
]);
const behind = async (image: Promise<Buffer>, tail: Buffer | string) => Buffer.concat([await image, Buffer.from(tail)]);
const part = async (image: Promise<Buffer>, share: number) => {
  const whole = await image;
  return whole.subarray(0, Math.floor(whole.length * share));
};
const many = (count: number, chunk: Buffer) => Buffer.concat(Array.from({ length: count }, () => chunk));
const bomb = (head: string) => Buffer.concat([Buffer.from(head), deflateSync(Buffer.alloc(200_000_000, MARK))]);
const megabytes = (count: number, extra: number, image: Promise<Buffer>) =>
  image.then((bytes) => Buffer.concat([bytes, Buffer.alloc(count * 1024 * 1024 + extra - bytes.length)]));

const image = (what: string, name: string, fate: HostileFile['fate'], make: HostileFile['make']): HostileFile => ({
  what,
  role: 'image',
  name,
  fate,
  make,
});
const certificate = (...given: Parameters<typeof image>): HostileFile => ({ ...image(...given), role: 'certificate' });

export const polyglots: HostileFile[] = [
  image('JPEG with HTML behind it', 'a.jpg', 'pixels', () => behind(parts.jpeg(), HTML)),
  image('JPEG with HTML behind it, called .html', 'a.html', 'pixels', () => behind(parts.jpeg(), HTML)),
  image('JPEG with a ZIP behind it', 'a.jpg', 'pixels', () => behind(parts.jpeg(), ZIP)),
  image('JPEG with a program behind it', 'a.jpg.exe', 'pixels', () => behind(parts.jpeg(), `MZ\0\0${MARK}`)),
  image('JPEG with a second JPEG behind it', 'a.jpg', 'pixels', async () =>
    behind(behind(parts.jpeg(), await parts.jpegWith(0xfe, MARK)), MARK),
  ),
  image('JPEG with a script as comment', 'a.jpg', 'pixels', () => parts.jpegWith(0xfe, `*/=${SCRIPT}/*`)),
  image('JPEG with PHP as comment, called .php', 'a.php', 'pixels', () => parts.jpegWith(0xfe, PHP)),
  image('JPEG with RDF', 'a.jpg', 'pixels', () =>
    parts.jpegWith(0xe1, `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/">${MARK}</x:xmpmeta>`),
  ),
  image('JPEG with a press caption', 'a.jpg', 'pixels', () =>
    parts.jpegWith(0xed, `Photoshop 3.0\u00008BIM\u0004\u0004\0\0\0\0\0\u0011\u001c\u0002x\0\u000c${MARK}`),
  ),
  image('JPEG with a colour profile of junk', 'a.jpg', 'pixels', () =>
    parts.jpegWith(0xe2, `ICC_PROFILE\0\u0001\u0001${SCRIPT}`),
  ),
  image('JPEG with owner and position', 'a.jpg', 'pixels', () => parts.located(MARK).jpeg().toBuffer()),
  image('PNG with owner and position', 'a.png', 'pixels', () => parts.located(MARK).png().toBuffer()),
  image('WebP with owner and position', 'a.webp', 'pixels', () => parts.located(MARK).webp().toBuffer()),
  certificate('JPEG certificate with owner and position', 'a.jpg', 'pixels', () =>
    parts.located(MARK).jpeg().toBuffer(),
  ),
  certificate('JPEG certificate with HTML behind it, called .pdf', 'a.pdf', 'pixels', () => behind(parts.jpeg(), HTML)),
  image('PNG with PHP behind it', 'a.png.php', 'pixels', () => behind(parts.png(), PHP)),
  image('PNG with a ZIP behind it', 'a.png', 'pixels', () => behind(parts.png(), ZIP)),
  image('PNG with a script as text', 'a.png', 'pixels', () =>
    parts.pngWith(parts.pngChunk('tEXt', `Comment\0${SCRIPT}`)),
  ),
  image('PNG with a script as compressed text', 'a.png', 'pixels', () =>
    parts.pngWith(parts.pngChunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(SCRIPT)]))),
  ),
  image('PNG with a script as translated text', 'a.png', 'pixels', () =>
    parts.pngWith(parts.pngChunk('iTXt', `XML:com.adobe.xmp\0\0\0\0\0${SCRIPT}`)),
  ),
  image('PNG with a colour profile of junk', 'a.png', 'pixels', () =>
    parts.pngWith(parts.pngChunk('iCCP', Buffer.concat([Buffer.from(`${MARK}\0\0`), deflateSync(SCRIPT)]))),
  ),
  image('PNG with a chunk of its own', 'a.png', 'pixels', () => parts.pngWith(parts.pngChunk('hoSt', SCRIPT))),
  image('WebP with HTML behind it', 'a.webp', 'pixels', () => behind(parts.webp(), HTML)),
  image('WebP with a chunk of its own', 'a.webp', 'pixels', async () =>
    parts.webpWith(await parts.webp(), 'HOST', SCRIPT),
  ),
  image('PNG called .svg', 'a.svg', 'pixels', () => parts.png()),
  image('JPEG called .png', 'a.png', 'pixels', () => parts.jpeg()),
  certificate('PNG called .pdf', 'a.pdf', 'pixels', () => parts.png()),
  image('GIF that is a script', 'a.gif', NO_IMAGE, () =>
    Buffer.concat([Buffer.from('GIF89a/*'), Buffer.alloc(20), Buffer.from(`*/=1;alert("${MARK}");`)]),
  ),
];

export const bombs: HostileFile[] = [
  image('PNG of 50,000 × 50,000 in black and white', 'a.png', /50 million pixels\.$/, () =>
    parts.pngOfSize(50_000, 50_000, [1, 0], 2000),
  ),
  image('PNG of 4,294,967,295 × 1', 'a.png', DAMAGED, () => parts.pngOfSize(0xff_ff_ff_ff, 1, [1, 0], 0)),
  image('PNG of 0 × 0', 'a.png', DAMAGED, () => parts.pngOfSize(0, 0, [1, 0], 0)),
  image('PNG of 1 × 60,000,000', 'a.png', /50 million pixels\.$|damaged/, () =>
    parts.pngOfSize(1, 60_000_000, [1, 0], 1000),
  ),
  image('PNG that holds fewer rows than it says', 'a.png', DAMAGED, () => parts.pngOfSize(7000, 7000, [8, 2], 3)),
  image('PNG of 49 million pixels in 6 kB', 'a.png', 'pixels', () => parts.pngOfSize(7000, 7000, [1, 0])),
  image('JPEG that says 65,500 × 65,500', 'a.jpg', /50 million pixels\.$/, () => parts.jpegOfSize(65_500, 65_500)),
  image('JPEG that says 7,000 × 7,000 and holds 90 × 60', 'a.jpg', 'pixels', () => parts.jpegOfSize(7000, 7000)),
  image('WebP that says 16,384 × 16,384', 'a.webp', /50 million pixels\.$|damaged/, () => parts.webpOfSize()),
  image('PNG with 200 MB of text in 200 kB', 'a.png', 'pixels', () =>
    parts.pngWith(parts.pngChunk('zTXt', bomb('Comment\0\0'))),
  ),
  image('PNG with a colour profile of 200 MB', 'a.png', 'pixels', () =>
    parts.pngWith(parts.pngChunk('iCCP', bomb('profile\0\0'))),
  ),
  image('PNG with 50,000 chunks of text', 'a.png', 'pixels', () =>
    parts.pngWith(many(50_000, parts.pngChunk('tEXt', `a\0${MARK}`))),
  ),
  image('PNG with 500,000 empty chunks', 'a.png', 'pixels', () =>
    parts.pngWith(many(500_000, parts.pngChunk('hoSt', ''))),
  ),
  image('WebP with 600 frames', 'a.webp', 'pixels', () => parts.animatedWebp(600)),
];

export const damaged: HostileFile[] = [
  image('JPEG cut in half', 'a.jpg', DAMAGED, () => part(parts.noisyJpeg(), 0.5)),
  image('JPEG cut in its header', 'a.jpg', DAMAGED, () => part(parts.jpeg(), 0.1)),
  image('PNG cut in half', 'a.png', DAMAGED, () => part(parts.noisyPng(), 0.5)),
  image('PNG with a byte changed', 'a.png', DAMAGED, async () => {
    const whole = Buffer.from(await parts.noisyPng());
    whole[whole.length >> 1] = (whole[whole.length >> 1] ?? 0) ^ 0xff;
    return whole;
  }),
  image('PNG with a bad checksum in its header', 'a.png', DAMAGED, async () => {
    const whole = Buffer.from(await parts.png());
    whole[30] = (whole[30] ?? 0) ^ 0xff;
    return whole;
  }),
  image('PNG with a chunk of 4 GB', 'a.png', /damaged|JPEG, PNG or WebP/, () =>
    parts.pngWith(Buffer.from('fffffff0744558740000', 'hex')),
  ),
  image('WebP cut in half', 'a.webp', DAMAGED, () => part(parts.noisyWebp(), 0.5)),
  image('nothing', 'a.png', /The file is empty\.$/, () => Buffer.alloc(0)),
  certificate('nothing as certificate', 'a.pdf', /The file is empty\.$/, () => Buffer.alloc(0)),
  image('one byte', 'a.png', NO_IMAGE, () => Buffer.from([0xff])),
  certificate('one byte as certificate', 'a.pdf', NO_CERTIFICATE, () => Buffer.from('%')),
  image('the first three bytes of a JPEG', 'a.jpg', DAMAGED, () => Buffer.from([0xff, 0xd8, 0xff])),
  image('the first bytes of a PNG', 'a.png', /damaged|JPEG, PNG or WebP/, () =>
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
  ),
  image('the first bytes of a WebP', 'a.webp', DAMAGED, () => Buffer.from('RIFF\u0004\0\0\0WEBP')),
  image('one byte more than 15 MB', 'a.jpg', /larger than 15 MB\.$/, () => megabytes(15, 1, parts.jpeg())),
  image('15 MB, nearly all of it behind the picture', 'a.jpg', 'pixels', () => megabytes(15, 0, parts.jpeg())),
  certificate('one byte more than 20 MB', 'a.jpg', /larger than 20 MB\.$/, () => megabytes(20, 1, parts.jpeg())),
];
