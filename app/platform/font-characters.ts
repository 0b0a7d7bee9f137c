// Which characters a TrueType font has: its `cmap` table (OpenType 1.9), in the two forms that fonts of today use.
const FORMAT_SEGMENTS = 4;
const FORMAT_GROUPS = 12;

/** The code points of `font`. */
export function readCharacters(font: Uint8Array): Set<number> {
  const view = new DataView(font.buffer, font.byteOffset, font.byteLength);
  const cmap = tableAt(view, 'cmap');
  const found = new Set<number>();
  for (let index = 0; index < view.getUint16(cmap + 2); index += 1) {
    const table = cmap + view.getUint32(cmap + 4 + index * 8 + 4);
    const format = view.getUint16(table);
    if (format === FORMAT_SEGMENTS) readSegments(view, table, found);
    if (format === FORMAT_GROUPS) readGroups(view, table, found);
  }
  return found;
}

function tableAt(view: DataView, name: string): number {
  for (let index = 0; index < view.getUint16(4); index += 1) {
    const entry = 12 + index * 16;
    const tag = String.fromCharCode(...[0, 1, 2, 3].map((place) => view.getUint8(entry + place)));
    if (tag === name) return view.getUint32(entry + 8);
  }
  throw new Error(`the font has no table ${name}`);
}

function readSegments(view: DataView, table: number, found: Set<number>): void {
  const bytes = view.getUint16(table + 6);
  const at = (part: number, segment: number) => table + 14 + part * bytes + (part === 0 ? 0 : 2) + segment;
  for (let segment = 0; segment < bytes; segment += 2) {
    const end = view.getUint16(at(0, segment));
    const start = view.getUint16(at(1, segment));
    const delta = view.getUint16(at(2, segment));
    const offset = view.getUint16(at(3, segment));
    for (let code = start; code <= end && code !== 0xff_ff; code += 1) {
      const raw = offset === 0 ? code : view.getUint16(at(3, segment) + offset + (code - start) * 2);
      const glyph = offset !== 0 && raw === 0 ? 0 : (raw + delta) % 0x1_00_00;
      if (glyph !== 0) found.add(code);
    }
  }
}

function readGroups(view: DataView, table: number, found: Set<number>): void {
  for (let group = 0; group < view.getUint32(table + 12); group += 1) {
    const at = table + 16 + group * 12;
    const [start, end, glyph] = [view.getUint32(at), view.getUint32(at + 4), view.getUint32(at + 8)];
    for (let code = start; code <= end; code += 1) if (glyph + code - start !== 0) found.add(code);
  }
}
