import { create } from 'qrcode';

/** A QR code as the path of an SVG whose view box is `size` modules wide, quiet zone excluded. */
export function qrPath(text: string): { size: number; path: string } {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  let path = '';
  for (let row = 0; row < modules.size; row += 1)
    for (let column = 0; column < modules.size; column += 1)
      if (modules.get(row, column) !== 0) path += `M${column} ${row}h1v1h-1z`;
  return { size: modules.size, path };
}
