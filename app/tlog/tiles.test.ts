import { expect, test } from 'vitest';
import { Malformed, utf8 } from './bytes.ts';
import {
  formatBundle,
  parseBundle,
  parseTile,
  parseTilePath,
  type Tile,
  tilePath,
  tilesBetween,
  widthAt,
} from './tiles.ts';

test.each<[Tile, string]>([
  [{ level: 0, index: 1_234_067, width: 256 }, 'tile/0/x001/x234/067'],
  [{ level: 0, index: 0, width: 256 }, 'tile/0/000'],
  [{ level: 1, index: 999, width: 1 }, 'tile/1/999.p/1'],
  [{ level: 'entries', index: 1000, width: 255 }, 'tile/entries/x001/000.p/255'],
  [{ level: 6, index: 1_000_000, width: 256 }, 'tile/6/x001/x000/000'],
])('%o lies at %s', (tile, path) => {
  expect(tilePath(tile)).toBe(path);
  expect(parseTilePath(path)).toEqual(tile);
});

test.each([
  '',
  'tile/0/0',
  'tile/0/00',
  'tile/0/0000',
  'tile/0/x000/001',
  'tile/0/001/067',
  'tile/0/x001',
  'tile/00/001',
  'tile/7/001',
  'tile/-1/001',
  'tile/0/001.p/0',
  'tile/0/001.p/256',
  'tile/0/001.p/012',
  'tile/0/001.p',
  'tile/0/001.p/',
  'tile/0/001/',
  'tile/0/001\n',
  '/tile/0/001',
  'tile/entries/../000',
  'tile/Entries/000',
  'checkpoint',
])('%j names no tile', (path) => {
  expect(parseTilePath(path)).toBeUndefined();
});

test('a tree of 70,000 is laid out as the specification says', () => {
  const paths = [...tilesBetween(0, 70_000)].map(tilePath);
  const full = (level: string) => paths.filter((path) => path.startsWith(`tile/${level}/`) && !path.includes('.p/'));
  expect(full('0')).toHaveLength(273);
  expect(full('1')).toHaveLength(1);
  expect(full('entries')).toHaveLength(273);
  expect(paths.filter((path) => path.includes('.p/'))).toEqual([
    'tile/entries/273.p/112',
    'tile/0/273.p/112',
    'tile/1/001.p/17',
    'tile/2/000.p/1',
  ]);
  expect(paths).toHaveLength(273 + 273 + 1 + 4);
  expect([...tilesBetween(0, 256)].map(tilePath)).toEqual(['tile/entries/000', 'tile/0/000', 'tile/1/000.p/1']);
  expect([...tilesBetween(0, 0)]).toEqual([]);
});

test('growing by steps makes every file of the whole, and nothing that has not changed', () => {
  expect([...tilesBetween(600, 601)].map(tilePath)).toEqual(['tile/entries/002.p/89', 'tile/0/002.p/89']);
  expect([...tilesBetween(767, 768)].map(tilePath)).toEqual(['tile/entries/002', 'tile/0/002', 'tile/1/000.p/3']);
  expect([...tilesBetween(768, 768)]).toEqual([]);
  const made = new Set<string>();
  for (let size = 0; size < 70_000; size += 41)
    for (const tile of tilesBetween(size, Math.min(size + 41, 70_000))) made.add(tilePath(tile));
  for (const tile of tilesBetween(0, 70_000)) expect(made).toContain(tilePath(tile));
  expect(widthAt(70_000, 0, 273)).toBe(112);
  expect(widthAt(70_000, 0, 274)).toBe(0);
});

test('bundles hold entries after their length, and exactly as many as they are named', () => {
  const entries = [utf8('a'), utf8(''), utf8('x'.repeat(300))];
  const bytes = formatBundle(entries);
  expect(bytes.slice(0, 7)).toEqual(Uint8Array.of(0, 1, 97, 0, 0, 1, 44));
  expect(parseBundle(bytes, 3)).toEqual(entries);
  for (const width of [2, 4]) expect(() => parseBundle(bytes, width)).toThrow(Malformed);
  for (let end = 0; end < bytes.length; end += 1) expect(() => parseBundle(bytes.slice(0, end), 3)).toThrow(Malformed);
  expect(() => parseBundle(Uint8Array.from([...bytes, 0]), 3)).toThrow(Malformed);
  expect(() => formatBundle([new Uint8Array(65_536)])).toThrow('too long');
});

test('a tile of another length is refused', () => {
  expect(parseTile(new Uint8Array(64), 2)).toHaveLength(2);
  for (const length of [0, 63, 65, 96]) expect(() => parseTile(new Uint8Array(length), 2)).toThrow(Malformed);
});
