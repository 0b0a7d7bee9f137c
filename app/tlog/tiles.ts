// How a log lies in files (c2sp.org/tlog-tiles): hashes in tiles 256 wide, entries in bundles of 256. Level 0 are the
// leaf hashes; a hash of a higher level is the root of a full tile below. Full tiles never change; the last one of each
// level is partial and named by its width.
import { type Bytes, concatBytes, Malformed } from './bytes.ts';
import { HASH_BYTES } from './sha256.ts';

export const TILE_WIDTH = 256;
/** 256^6 leaves are more than 2^48: no log has so many, and sizes are exact to 2^53. */
const MAX_LEVEL = 6;
export const CHECKPOINT_PATH = 'checkpoint';
/** The newest one that has the quorum of the policy that the registry publishes beside it. */
export const WITNESSED_PATH = 'checkpoint.witnessed';
export const POLICY_PATH = 'policy';

/** A tile of hashes at `level`, or the bundle of entries at `index`. `width` counts hashes or entries, 1 to 256. */
export type Tile = { level: number | 'entries'; index: number; width: number };

/** The path below the log's prefix: `tile/0/x001/x234/067`, partial `tile/0/000.p/12`. */
export function tilePath({ level, index, width }: Tile): string {
  const partial = width === TILE_WIDTH ? '' : `.p/${width}`;
  return `tile/${level}/${indexPath(index)}${partial}`;
}

function indexPath(index: number): string {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g) ?? [];
  return groups.map((group, at) => (at === groups.length - 1 ? group : `x${group}`)).join('/');
}

/** The tile that a path names, or undefined: exactly what `tilePath` writes. */
export function parseTilePath(path: string): Tile | undefined {
  const match = /^tile\/(entries|\d)\/((?:x\d{3}\/){0,5}\d{3})(?:\.p\/(\d{1,3}))?$/.exec(path);
  if (match === null) return undefined;
  const [, level = '', groups = '', width = String(TILE_WIDTH)] = match;
  const tile: Tile = {
    level: level === 'entries' ? level : Number(level),
    index: Number(groups.replace(/[x/]/g, '')),
    width: Number(width),
  };
  const known = tile.level === 'entries' || tile.level <= MAX_LEVEL;
  return known && tile.width > 0 && tile.width <= TILE_WIDTH && tilePath(tile) === path ? tile : undefined;
}

/** How many hashes a tree of `size` has at `level`, or entries. */
export function countAt(size: number, level: Tile['level']): number {
  return level === 'entries' ? size : Math.floor(size / TILE_WIDTH ** level);
}

/** The width that the tile has in a tree of `size`; 0 when that tree does not have it. */
export function widthAt(size: number, level: Tile['level'], index: number): number {
  return Math.max(0, Math.min(TILE_WIDTH, countAt(size, level) - index * TILE_WIDTH));
}

/** Every file that a log has at `size` and not, or narrower, at `oldSize`, which may be 0: bundles, then each level. */
export function* tilesBetween(oldSize: number, size: number): Generator<Tile> {
  for (const level of ['entries', 0, 1, 2, 3, 4, 5, MAX_LEVEL] as const) {
    const [from, to] = [countAt(oldSize, level), countAt(size, level)];
    if (from === to) continue;
    for (let index = Math.floor(from / TILE_WIDTH); index * TILE_WIDTH < to; index += 1)
      yield { level, index, width: widthAt(size, level, index) };
  }
}

export function formatTile(hashes: readonly Bytes[]): Bytes {
  return concatBytes(...hashes);
}

export function parseTile(bytes: Uint8Array, width: number): Bytes[] {
  if (bytes.length !== width * HASH_BYTES) throw new Malformed(`a tile of ${width} hashes has another length`);
  return Array.from(
    { length: width },
    (_, index) => new Uint8Array(bytes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES)),
  );
}

const LENGTH_BYTES = 2;
const MAX_ENTRY_BYTES = 0xffff;

/** A bundle: each entry after its length, a big-endian uint16. */
export function formatBundle(entries: readonly Uint8Array[]): Bytes {
  return concatBytes(
    ...entries.flatMap((entry) => {
      if (entry.length > MAX_ENTRY_BYTES) throw new Error('the entry is too long for a bundle');
      return [Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry];
    }),
  );
}

/** The entries, views of `bytes`, of a bundle that holds exactly `width`. */
export function parseBundle(bytes: Uint8Array, width: number): Uint8Array[] {
  const entries: Uint8Array[] = [];
  let at = 0;
  while (at < bytes.length && entries.length < width) {
    const end = at + LENGTH_BYTES + (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? bytes.length);
    if (end > bytes.length) break;
    entries.push(bytes.subarray(at + LENGTH_BYTES, end));
    at = end;
  }
  if (at !== bytes.length || entries.length !== width) throw new Malformed(`a bundle does not hold ${width} entries`);
  return entries;
}
