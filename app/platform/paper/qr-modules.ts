// The modules of a QR code, as a page's data has them: a bit each, from left to right and from top to bottom. A path would be
// thirty times as long.

/** `size` modules wide, quiet zone excluded. `bits` in base64. */
export type QrModules = { size: number; bits: string };

/** The dark modules: the runs of each row. */
export function* darkRuns({ size, bits }: QrModules): Generator<{ row: number; column: number; length: number }> {
  const bytes = atob(bits);
  const isDark = (place: number) => ((bytes.charCodeAt(place >> 3) >> (7 - (place & 7))) & 1) === 1;
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column < size; column += 1) {
      const from = column;
      while (column < size && isDark(row * size + column)) column += 1;
      if (column > from) yield { row, column: from, length: column - from };
    }
}
