// QR codes as SVG paths, for screens and paper. One way for both: the library seeks the evenest of the eight masks of
// ISO/IEC 18004 (7.8), which takes 0.3 ms of a new page.
import { create } from 'qrcode';

/** A QR code as the path of an SVG whose view box is `size` modules wide, quiet zone excluded. */
export function qrPath(text: string): { size: number; path: string } {
  // As bytes: seeking a cut into other modes takes as long as all the rest, and does not shorten an address.
  const { modules } = create([{ mode: 'byte', data: Buffer.from(text) }], { errorCorrectionLevel: 'M' });
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
