// QR codes as SVG paths, for screens and paper.
import { create } from 'qrcode';
import type { QrPath } from './qr-path.ts';

type Mask = 'evenest' | 'any';
const ANY_MASK = 0;

/** How much can be restored: 15 % of a code, or 7 % for a text that no other code can hold (ISO/IEC 18004, 7.5). */
type Correction = 'M' | 'L';
/** No code holds more bytes: version 40, correction L (ISO/IEC 18004, table 7). */
export const QR_MAX_BYTES = 2953;

/** A QR code as a path to be filled, as a picture takes it. */
export function qrPath(text: string, correction: Correction = 'M'): QrPath {
  const { size, runs } = qrRuns(text, correction);
  return { size, path: runs.map(({ row, column, length }) => `M${column} ${row}h${length}v1h-${length}z`).join('') };
}

/**
 * A QR code as a path to be stroked along the middle of each row: half as long as the outlines, for a page's data.
 * `evenest` seeks the evenest of the eight masks (ISO/IEC 18004, 7.8), for what must be read in bad light or behind
 * dirt. That takes three times as long as all the rest, so a page has any mask; readers are told which.
 */
export function qrStrokes(text: string, mask: Mask = 'evenest'): QrPath {
  const { size, runs } = qrRuns(text, 'M', mask);
  let path = '';
  let last = { row: -1, end: 0 };
  for (const { row, column, length } of runs) {
    path += row === last.row ? `m${column - last.end} 0h${length}` : `M${column} ${row}.5h${length}`;
    last = { row, end: column + length };
  }
  return { size, path };
}

const QUIET_MODULES = 4;

/** A picture of its own, black on white, of a text that takes a code's whole room. */
export function qrSvg(text: string): string {
  const { size, path } = qrPath(text, 'L');
  const all = size + 2 * QUIET_MODULES;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-QUIET_MODULES} ${-QUIET_MODULES} ${all} ${all}" shape-rendering="crispEdges"><path fill="#fff" d="M${-QUIET_MODULES} ${-QUIET_MODULES}h${all}v${all}h-${all}z"/><path d="${path}"/></svg>`;
}

/** A QR code `size` modules wide, quiet zone excluded, as its runs of dark modules. */
export type QrRuns = { size: number; runs: { row: number; column: number; length: number }[] };

/** The runs of dark modules, row by row. `mask`: see `qrStrokes`. */
export function qrRuns(text: string, correction: Correction = 'M', mask: Mask = 'evenest'): QrRuns {
  // As bytes: seeking a cut into other modes takes as long as all the rest, and does not shorten an address.
  const { modules } = create([{ mode: 'byte', data: Buffer.from(text) }], {
    errorCorrectionLevel: correction,
    ...(mask === 'any' ? { maskPattern: ANY_MASK } : {}),
  });
  const { size, data } = modules;
  const runs: QrRuns['runs'] = [];
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column < size; column += 1) {
      const from = column;
      while (column < size && data[row * size + column] !== 0) column += 1;
      if (column > from) runs.push({ row, column: from, length: column - from });
    }
  return { size, runs };
}
