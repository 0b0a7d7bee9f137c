// The right edge of a tiled tree: of each level the hashes of the tile that is not full yet. It is what the publisher
// appends to and what an audit rebuilds; together they are the whole tree's root.
import type { Bytes } from './bytes.ts';
import { frontierOf, rootOf } from './merkle-tree.ts';
import type { Sha256 } from './sha256.ts';
import { TILE_WIDTH } from './tiles.ts';

/** Of each level, from 0 up, the hashes of its partial tile; at most 255. */
export type TreeEdge = readonly (readonly Bytes[])[];

/** Told of each tile as it is complete, and at the end of those that are not. */
export type OnTile = (tile: { level: number; index: number; hashes: readonly Bytes[] }) => Promise<void>;

/** The root of the tree with this edge, which is its frontier tile by tile (RFC 6962 section 2.1). */
export async function rootOfEdge(sha256: Sha256, edge: TreeEdge): Promise<Bytes> {
  const frontiers = await Promise.all(edge.map((hashes) => frontierOf(sha256, hashes)));
  return rootOf(sha256, { hashes: frontiers.toReversed().flatMap(({ hashes }) => hashes) });
}

/** Grows an edge by leaves. Keeps a tile a level, however large the tree. */
export class GrowingEdge {
  readonly #sha256: Sha256;
  readonly #onTile: OnTile;
  readonly #levels: Level[];

  /** Goes on from `edge` of a tree of `size` leaves. */
  constructor(
    sha256: Sha256,
    onTile: OnTile,
    { edge, size }: { edge: TreeEdge; size: number } = { edge: [], size: 0 },
  ) {
    this.#sha256 = sha256;
    this.#onTile = onTile;
    this.#levels = edge.map((hashes, level) => ({
      index: Math.floor(size / TILE_WIDTH ** (level + 1)),
      hashes: [...hashes],
      grown: false,
    }));
  }

  get edge(): TreeEdge {
    return this.#levels.map(({ hashes }) => [...hashes]);
  }

  async append(leafHashes: readonly Bytes[]): Promise<void> {
    // Waiting is dear next to hashing, so only a full tile is waited for.
    for (const hash of leafHashes) if (this.#push(0, hash)) await this.#fold(0);
  }

  /** Tells of the partial tiles that have grown. */
  async finish(): Promise<void> {
    for (const [level, { index, hashes, grown }] of this.#levels.entries())
      if (grown && hashes.length > 0) await this.#onTile({ level, index, hashes });
  }

  /** Whether the tile at `level` is full now. */
  #push(level: number, hash: Bytes): boolean {
    const tile = (this.#levels[level] ??= { index: 0, hashes: [], grown: false });
    tile.hashes.push(hash);
    tile.grown = true;
    return tile.hashes.length === TILE_WIDTH;
  }

  /** Replaces the full tile at `level` by its root in the level above. */
  async #fold(level: number): Promise<void> {
    const { index, hashes } = this.#levels[level] ?? { index: 0, hashes: [] };
    this.#levels[level] = { index: index + 1, hashes: [], grown: false };
    await this.#onTile({ level, index, hashes });
    const root = await rootOf(this.#sha256, await frontierOf(this.#sha256, hashes));
    if (this.#push(level + 1, root)) await this.#fold(level + 1);
  }
}

type Level = { index: number; hashes: Bytes[]; grown: boolean };
