// QR codes as SVG paths, for screens and paper.
import { create } from 'qrcode';
import type { QrPath } from './qr-path.ts';

type Mask = 'evenest' | 'any';
const ANY_MASK = 0;

/** A QR code as a path to be filled, as paper takes it. */
export function qrPath(text: string): QrPath {
  const { size, runs } = darkRuns(text, 'evenest');
  return { size, path: runs.map(({ row, column, length }) => `M${column} ${row}h${length}v1h-${length}z`).join('') };
}

/**
 * A QR code as a path to be stroked along the middle of each row: half as long as the outlines, for a page's data. `evenest`
 * seeks the evenest of the eight masks (ISO/IEC 18004, 7.8), for what must be read in bad light or behind dirt. That takes
 * three times as long as all the rest, so a page has any mask; readers are told which.
 */
export function qrStrokes(text: string, mask: Mask = 'evenest'): QrPath {
  const { size, runs } = darkRuns(text, mask);
  let path = '';
  let last = { row: -1, end: 0 };
  for (const { row, column, length } of runs) {
    path += row === last.row ? `m${column - last.end} 0h${length}` : `M${column} ${row}.5h${length}`;
    last = { row, end: column + length };
  }
  return { size, path };
}

type Run = { row: number; column: number; length: number };

// The runs of dark modules, row by row.
function darkRuns(text: string, mask: Mask): { size: number; runs: Run[] } {
  // As bytes: seeking a cut into other modes takes as long as all the rest, and does not shorten an address.
  const { modules } = create([{ mode: 'byte', data: Buffer.from(text) }], {
    errorCorrectionLevel: 'M',
    ...(mask === 'any' ? { maskPattern: ANY_MASK } : {}),
  });
  const { size, data } = modules;
  const runs: Run[] = [];
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column < size; column += 1) {
      const from = column;
      while (column < size && data[row * size + column] !== 0) column += 1;
      if (column > from) runs.push({ row, column: from, length: column - from });
    }
  return { size, runs };
}
