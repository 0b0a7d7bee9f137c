import { create } from 'qrcode';

// Every mask can be read. Looking for the evenest takes 0.5 ms, a tenth of a page: it is sought for paper, which gets
// dirty. Deletable when the library needs less.
const SOME_MASK = 4;

/**
 * A QR code as the path of an SVG whose view box is `size` modules wide, quiet zone excluded. Of the eight masks of ISO/IEC
 * 18004 (7.8) the best is sought, or just `any` is taken.
 */
export function qrPath(text: string, mask: 'best' | 'any' = 'best'): { size: number; path: string } {
  // As bytes: to look for a cut into other modes takes as long as all the rest, and spares an address nothing.
  const { modules } = create([{ mode: 'byte', data: Buffer.from(text) }], {
    errorCorrectionLevel: 'M',
    ...(mask === 'any' ? { maskPattern: SOME_MASK } : {}),
  });
  const { size } = modules;
  const isDark = (row: number, column: number) => column < size && modules.get(row, column) !== 0;
  let path = '';
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column < size; column += 1) {
      const from = column;
      while (isDark(row, column)) column += 1;
      if (column > from) path += `M${from} ${row}h${column - from}v1h-${column - from}z`;
    }
  return { size, path };
}
