import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { qrStrokes, qrPath } from '#app/platform/paper/qr.server.ts';
import { codesOfPicture, hasPaperReaders } from '#test/paper-readers.ts';
import { QrCode } from './qr-code.tsx';

// The registry blocks pictures of strokes, as of every kind that nobody uploads; here sharp draws one.
const STROKES = { operation: ['VipsForeignLoadSvg'] };
beforeAll(() => sharp.unblock(STROKES));
afterAll(() => sharp.block(STROKES));

const SIDE = 96;
const ROW = 5;
const drawn = (text: string, mask: 'evenest' | 'any') =>
  renderToStaticMarkup(createElement(QrCode, { qr: qrStrokes(text, mask), label: 'QR code', className: '' }));

// As large as on paper at 96 dots an inch, where a module is less than three dots.
function picture(codes: readonly string[]): Promise<Uint8Array> {
  const placed = codes.map((svg, index) => {
    const [x, y] = [(index % ROW) * (SIDE + 20) + 10, Math.floor(index / ROW) * (SIDE + 20) + 10];
    return svg.replace('<svg', `<svg x="${x}" y="${y}" width="${SIDE}" height="${SIDE}"`);
  });
  const side = ROW * (SIDE + 20);
  const white = '<rect width="100%" height="100%" fill="#fff"/>';
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}">${white}${placed.join('')}</svg>`,
    ),
  )
    .png()
    .toBuffer();
}

test.runIf(hasPaperReaders())('a code of any mask says its address, as one of the evenest does', async () => {
  const addresses = Array.from(
    { length: ROW * ROW },
    (_, index) => `https://registry.example${'/x'.repeat(index)}/vehicles/view/XV${index}`,
  );
  for (const mask of ['any', 'evenest'] as const) {
    const read = await codesOfPicture(await picture(addresses.map((address) => drawn(address, mask))));
    expect(read.toSorted()).toEqual(addresses.toSorted());
  }
});

test('the strokes of the screen cover the modules that paper fills', async () => {
  const text = 'https://registry.example/vehicles/view/XV04KL';
  const { size, path } = qrPath(text);
  const box = `xmlns="http://www.w3.org/2000/svg" viewBox="-2 -2 ${size + 4} ${size + 4}" width="${size + 4}" height="${size + 4}"`;
  const pixels = (svg: string) => sharp(Buffer.from(svg)).flatten({ background: '#fff' }).raw().toBuffer();
  const stroked = drawn(text, 'evenest').replace(/viewBox="[^"]*"/, box);
  expect(await pixels(stroked)).toEqual(await pixels(`<svg ${box}><path d="${path}"/></svg>`));
});
