import { create, type QRCodeSegment } from 'qrcode';

// Any mask can be read. Trying all eight for the evenest takes as long as a tenth of a page.
const SOME_MASK = 4;

/**
 * A QR code as the path of an SVG whose view box is `size` modules wide, quiet zone excluded. Of the eight masks of ISO/IEC
 * 18004 (7.8) the best is sought, or just `any` is taken.
 */
export function qrPath(text: string, mask: 'best' | 'any' = 'best'): { size: number; path: string } {
  const { modules } = createFrom(text, {
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

type Options = NonNullable<Parameters<typeof create>[1]>;
type Cut = { mode: 'numeric' | 'alphanumeric' | 'byte'; length: number };

// Into which modes a text is best cut takes as long to find as the rest of the code, and depends only on which of its
// characters are digits and which are of the alphanumeric mode (7.4.4): the same for nearly all addresses here.
const cuts = new Map<string, readonly Cut[]>();
const REMEMBERED_MAX = 1000;
const ASCII = /^[ -~]*$/;

function createFrom(text: string, options: Options): ReturnType<typeof create> {
  if (!ASCII.test(text)) return create(text, options);
  const kinds = text
    .replace(/\d/g, '0')
    .replace(/[A-Z $%*+./:-]/g, 'A')
    .replace(/[^0A]/g, 'a');
  const known = cuts.get(kinds);
  if (known !== undefined) return create(cutAs(known, text), options);
  const made = create(text, options);
  const found = made.segments.flatMap(({ mode, data }): Cut | [] => {
    const id = mode.id?.toLowerCase();
    return id === 'numeric' || id === 'alphanumeric' || id === 'byte' ? { mode: id, length: data.length } : [];
  });
  if (cuts.size >= REMEMBERED_MAX) cuts.clear();
  if (found.length === made.segments.length) cuts.set(kinds, found);
  return made;
}

function cutAs(known: readonly Cut[], text: string): QRCodeSegment[] {
  let from = 0;
  return known.map(({ mode, length }) => {
    const data = text.slice(from, (from += length));
    return mode === 'byte' ? { mode, data: Buffer.from(data) } : mode === 'numeric' ? { mode, data } : { mode, data };
  });
}
