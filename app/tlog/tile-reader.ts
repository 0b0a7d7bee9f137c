// Reads hashes out of tiles that come from anywhere, and proofs out of those. Every tile is checked against the signed
// root before any of its hashes is used, all 256 of them: a reader that checks only the tiles on one path and takes
// neighbours' hashes on trust misses a flipped bit (CVE-2026-56865).
import { type Bytes, equalBytes } from './bytes.ts';
import { proveConsistency, proveInclusion, rootAt, type SubtreeHash } from './merkle-proof.ts';
import { frontierOf, rootOf } from './merkle-tree.ts';
import type { Sha256 } from './sha256.ts';
import { countAt, parseTile, TILE_WIDTH, tilePath, widthAt } from './tiles.ts';
import { rootOfEdge, type TreeEdge } from './tree-edge.ts';
import { Tampered } from './verification.ts';

/** The bytes of a tile; throws when it cannot be had. */
export type FetchTile = (level: number, index: number, width: number) => Promise<Uint8Array>;

/** So many full tiles are remembered: one of each level and its neighbours, whatever the size of the log. */
const REMEMBERED = 64;

export type TileReader = {
  /** The hashes of a tile, as wide as it is. */
  tile: (level: number, index: number) => Promise<readonly Bytes[]>;
  /** In the tree of the first `size` entries; of all, if it is not said. */
  proveInclusion: (index: number, size?: number) => Promise<Bytes[]>;
  proveConsistency: (oldSize: number) => Promise<Bytes[]>;
  /** The root of the tree of the first `size` entries. */
  rootAt: (size: number) => Promise<Bytes>;
  /** The hashes of the partial tiles: what the publisher goes on from. */
  edge: TreeEdge;
};

/** Opens the tree of a verified checkpoint: fetches the partial tile of each level, which together give its root. */
export async function openTiles(
  sha256: Sha256,
  head: { size: number; root: Bytes },
  fetchTile: FetchTile,
): Promise<TileReader> {
  const edge = await readEdge(sha256, head, fetchTile);
  const checked = new Map<string, Promise<Bytes[]>>();

  const tile = (level: number, index: number): Promise<readonly Bytes[]> => {
    if (index === Math.floor(countAt(head.size, level) / TILE_WIDTH)) return Promise.resolve(edge[level] ?? []);
    const key = `${level}/${index}`;
    const known = checked.get(key) ?? readFull(level, index);
    checked.set(key, known);
    const [oldest = key] = checked.keys();
    if (checked.size > REMEMBERED) checked.delete(oldest);
    return known;
  };

  // The parent of a full tile is a hash of the level above, which is checked in turn, up to the edge.
  const readFull = async (level: number, index: number): Promise<Bytes[]> => {
    const parent = await hashAt(level + 1, index);
    const hashes = parseFetched(await fetchTile(level, index, TILE_WIDTH), { level, index, width: TILE_WIDTH });
    if (!equalBytes(await rootOf(sha256, await frontierOf(sha256, hashes)), parent)) throw tampered(level, index);
    return hashes;
  };

  const hashAt = async (level: number, index: number): Promise<Bytes> => {
    const hash = (await tile(level, Math.floor(index / TILE_WIDTH)))[index % TILE_WIDTH];
    if (hash === undefined) throw new Error(`a tree of ${head.size} has no hash ${index} at level ${level}`);
    return hash;
  };

  // A tile holds eight heights of the tree: the lower ones as they are, the others computed from it.
  const subtree: SubtreeHash = async (height, index) => {
    const level = Math.floor(height / 8);
    const width = 2 ** (height % 8);
    const within = await tile(level, Math.floor((index * width) / TILE_WIDTH));
    const begin = (index * width) % TILE_WIDTH;
    return rootOf(sha256, await frontierOf(sha256, within.slice(begin, begin + width)));
  };

  return {
    tile,
    proveInclusion: (index, size = head.size) => proveInclusion(sha256, { index, size }, subtree),
    proveConsistency: (oldSize) => proveConsistency(sha256, { oldSize, size: head.size }, subtree),
    rootAt: (size) => rootAt(sha256, size, subtree),
    edge,
  };
}

async function readEdge(
  sha256: Sha256,
  { size, root }: { size: number; root: Bytes },
  fetchTile: FetchTile,
): Promise<TreeEdge> {
  const levels = [];
  for (let level = 0; countAt(size, level) > 0; level += 1) levels.push(level);
  const edge = await Promise.all(
    levels.map(async (level) => {
      const index = Math.floor(countAt(size, level) / TILE_WIDTH);
      const width = widthAt(size, level, index);
      return width === 0 ? [] : parseFetched(await fetchTile(level, index, width), { level, index, width });
    }),
  );
  if (!equalBytes(await rootOfEdge(sha256, edge), root))
    throw new Tampered('The last tiles of the levels do not give the root of the signed checkpoint.');
  return edge;
}

function parseFetched(bytes: Uint8Array, tile: { level: number; index: number; width: number }): Bytes[] {
  try {
    return parseTile(bytes, tile.width);
  } catch {
    throw tampered(tile.level, tile.index, tile.width);
  }
}

function tampered(level: number, index: number, width = TILE_WIDTH): Tampered {
  return new Tampered(`The file ${tilePath({ level, index, width })} is not what was signed.`);
}
