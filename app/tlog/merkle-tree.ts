// The Merkle tree of RFC 6962 section 2.1 (the same in RFC 9162 section 2.1.1), SHA-256. Sizes and indexes go up to
// 2^53 - 1, so they are halved by division: bitwise operators stop at 2^32.
import type { Bytes } from './bytes.ts';
import type { Sha256 } from './sha256.ts';

// Leaves and inner nodes are hashed apart, so that no inner node can be passed off as an entry.
const LEAF_PREFIX = Uint8Array.of(0);
const NODE_PREFIX = Uint8Array.of(1);

export async function leafHash(sha256: Sha256, entry: Uint8Array): Promise<Bytes> {
  return sha256(LEAF_PREFIX, entry);
}

export async function nodeHash(sha256: Sha256, left: Uint8Array, right: Uint8Array): Promise<Bytes> {
  return sha256(NODE_PREFIX, left, right);
}

/**
 * All that must be kept of a tree to append to it (a compact range): the hashes of the complete subtrees that the size
 * is made of, the largest first. Their sizes are the ones in the size's binary form.
 */
export type Frontier = { size: number; hashes: readonly Bytes[] };

export const EMPTY_FRONTIER: Frontier = { size: 0, hashes: [] };

export async function appendLeaf(sha256: Sha256, frontier: Frontier, leaf: Bytes): Promise<Frontier> {
  const hashes = [...frontier.hashes];
  let merged = leaf;
  for (let rest = frontier.size; rest % 2 === 1; rest = (rest - 1) / 2) {
    const left = hashes.pop();
    if (left === undefined) throw new Error('the frontier has too few hashes for its size');
    merged = await nodeHash(sha256, left, merged);
  }
  return { size: frontier.size + 1, hashes: [...hashes, merged] };
}

/** The root hash; of the empty tree the hash of nothing. */
export async function rootOf(sha256: Sha256, { hashes }: Pick<Frontier, 'hashes'>): Promise<Bytes> {
  let root: Bytes | undefined;
  for (const left of hashes.toReversed()) root = root === undefined ? left : await nodeHash(sha256, left, root);
  return root ?? sha256();
}

/** The frontier over consecutive hashes of equal height, such as leaf hashes or those of a tile, in n - 1 hashings. */
export async function frontierOf(sha256: Sha256, hashes: readonly Bytes[]): Promise<Frontier> {
  const odd: Bytes[] = [];
  let row = hashes;
  while (row.length > 0) {
    const last = row.at(-1);
    if (row.length % 2 === 1 && last !== undefined) odd.unshift(last);
    row = await parents(sha256, row);
  }
  return { size: hashes.length, hashes: odd };
}

/** The hashes one level up: of each complete pair. */
async function parents(sha256: Sha256, row: readonly Bytes[]): Promise<Bytes[]> {
  const above: Bytes[] = [];
  let left: Bytes | undefined;
  for (const hash of row)
    if (left === undefined) left = hash;
    else {
      above.push(await nodeHash(sha256, left, hash));
      left = undefined;
    }
  return above;
}
