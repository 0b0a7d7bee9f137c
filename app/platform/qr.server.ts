import { create } from 'qrcode';

// Any mask can be read. Trying all eight for the evenest takes as long as a tenth of a page.
const SOME_MASK = 4;

/**
 * A QR code as the path of an SVG whose view box is `size` modules wide, quiet zone excluded. Of the eight masks of ISO/IEC
 * 18004 (7.8) the best is sought, or just `any` is taken.
 */
export function qrPath(text: string, mask: 'best' | 'any' = 'best'): { size: number; path: string } {
  const { modules } = create(text, {
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
