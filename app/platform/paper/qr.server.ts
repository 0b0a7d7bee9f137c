// QR codes, for screens and paper.
import { create } from 'qrcode';
import { darkRuns, type QrModules } from './qr-modules.ts';

/**
 * The modules of a QR code. `evenest` seeks the evenest of the eight masks (ISO/IEC 18004, 7.8), for what must be read in bad
 * light or behind dirt. That takes three times as long as all the rest, so a page has any mask; readers are told which.
 */
export function qrModules(text: string, mask: 'evenest' | 'any' = 'evenest'): QrModules {
  // As bytes: seeking a cut into other modes takes as long as all the rest, and does not shorten an address.
  const { modules } = create([{ mode: 'byte', data: Buffer.from(text) }], {
    errorCorrectionLevel: 'M',
    ...(mask === 'any' ? { maskPattern: ANY_MASK } : {}),
  });
  const { size, data } = modules;
  const packed = Buffer.alloc(Math.ceil(data.length / 8));
  for (const [place, module] of data.entries())
    if (module !== 0) packed[place >> 3] = (packed[place >> 3] ?? 0) | (128 >> (place & 7));
  return { size, bits: packed.toString('base64') };
}

const ANY_MASK = 0;

/** A QR code as the path of an SVG whose view box is `size` modules wide, to be filled. */
export function qrPath(text: string): { size: number; path: string } {
  const modules = qrModules(text);
  const runs = [...darkRuns(modules)];
  return {
    size: modules.size,
    path: runs.map(({ row, column, length }) => `M${column} ${row}h${length}v1h-${length}z`).join(''),
  };
}
