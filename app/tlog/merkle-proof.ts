// Proofs over the Merkle tree: that an entry is in it, and that a later tree begins with an earlier one.
// Made as RFC 6962 sections 2.1.1 and 2.1.2 say, verified by the algorithms of RFC 9162 sections 2.1.3.2 and 2.1.4.2.
import { type Bytes, equalBytes } from './bytes.ts';
import { nodeHash, rootOf } from './merkle-tree.ts';
import { HASH_BYTES, type Sha256 } from './sha256.ts';

/** The hash of the complete subtree of 2^height leaves that begins at leaf index * 2^height. */
export type SubtreeHash = (height: number, index: number) => Promise<Bytes>;

/** Whether `leafHash` is the leaf at `index` of the tree of `size` leaves with `root`. */
export async function verifyInclusion(
  sha256: Sha256,
  { leafHash, index, size, root, proof }: { leafHash: Bytes; index: number; size: number; root: Bytes; proof: Bytes[] },
): Promise<boolean> {
  if (!areSizes(index, size) || index >= size || !areHashes(leafHash, root, ...proof)) return false;
  let [at, last, hash] = [index, size - 1, leafHash];
  for (const sibling of proof) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      hash = await nodeHash(sha256, sibling, hash);
      for (; at % 2 === 0 && at !== 0; at /= 2) last = half(last);
    } else hash = await nodeHash(sha256, hash, sibling);
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && equalBytes(hash, root);
}

type Heads = { oldSize: number; size: number; oldRoot: Bytes; root: Bytes; proof: Bytes[] };

/** Whether the tree of `size` begins with that of `oldSize`. Each begins with nothing, so size 0 proves nothing. */
export async function verifyConsistency(sha256: Sha256, heads: Heads): Promise<boolean> {
  const { oldSize, size, oldRoot, root, proof } = heads;
  if (!areSizes(oldSize, size) || oldSize === 0 || oldSize > size || !areHashes(oldRoot, root, ...proof)) return false;
  if (oldSize === size) return proof.length === 0 && equalBytes(oldRoot, root);
  let [at, last] = [oldSize - 1, size - 1];
  for (; at % 2 === 1; at = half(at)) last = half(last);
  // Where the old tree is one complete subtree, its root is the first node and the proof leaves it out.
  const [first, ...siblings] = at === 0 ? [oldRoot, ...proof] : proof;
  if (first === undefined) return false;
  let [oldHash, hash] = [first, first];
  for (const sibling of siblings) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      oldHash = await nodeHash(sha256, sibling, oldHash);
      hash = await nodeHash(sha256, sibling, hash);
      for (; at % 2 === 0 && at !== 0; at /= 2) last = half(last);
    } else hash = await nodeHash(sha256, hash, sibling);
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && equalBytes(oldHash, oldRoot) && equalBytes(hash, root);
}

/** The proof that the leaf at `index` is in the tree of `size`: from the leaf's sibling up to the root's child. */
export async function proveInclusion(
  sha256: Sha256,
  { index, size }: { index: number; size: number },
  subtree: SubtreeHash,
): Promise<Bytes[]> {
  if (!areSizes(index, size) || index >= size) throw new Error(`leaf ${index} is not in a tree of ${size}`);
  return hashesOf(sha256, inclusionRanges(index, { begin: 0, end: size }), subtree);
}

/** The proof that the tree of `size` begins with the tree of `oldSize`, which is not empty. */
export async function proveConsistency(
  sha256: Sha256,
  { oldSize, size }: { oldSize: number; size: number },
  subtree: SubtreeHash,
): Promise<Bytes[]> {
  if (!areSizes(oldSize, size) || oldSize === 0 || oldSize > size)
    throw new Error(`a tree of ${size} cannot be shown to begin with one of ${oldSize}`);
  return hashesOf(sha256, consistencyRanges(oldSize, { begin: 0, end: size }), subtree);
}

/** The root of the tree of the first `size` leaves. */
export async function rootAt(sha256: Sha256, size: number, subtree: SubtreeHash): Promise<Bytes> {
  const [root] = await hashesOf(sha256, [{ begin: 0, end: size }], subtree);
  return root ?? sha256();
}

type Range = { begin: number; end: number };

// PATH(m, D[n]) of RFC 6962 section 2.1.1, as ranges of leaves.
function inclusionRanges(index: number, { begin, end }: Range): Range[] {
  if (end - begin === 1) return [];
  const middle = begin + largestPowerBelow(end - begin);
  return index < middle
    ? [...inclusionRanges(index, { begin, end: middle }), { begin: middle, end }]
    : [...inclusionRanges(index, { begin: middle, end }), { begin, end: middle }];
}

// SUBPROOF(m, D[n], b) of RFC 6962 section 2.1.2: b is true of the ranges that begin at 0.
function consistencyRanges(oldSize: number, { begin, end }: Range): Range[] {
  if (oldSize === end) return begin === 0 ? [] : [{ begin, end }];
  const middle = begin + largestPowerBelow(end - begin);
  return oldSize <= middle
    ? [...consistencyRanges(oldSize, { begin, end: middle }), { begin: middle, end }]
    : [...consistencyRanges(oldSize, { begin: middle, end }), { begin, end: middle }];
}

async function hashesOf(sha256: Sha256, ranges: Range[], subtree: SubtreeHash): Promise<Bytes[]> {
  const hashes: Bytes[] = [];
  for (const range of ranges) {
    const parts = await Promise.all(completeSubtrees(range).map(({ height, index }) => subtree(height, index)));
    hashes.push(await rootOf(sha256, { hashes: parts }));
  }
  return hashes;
}

// Every range of a proof begins at a multiple of the largest power of two in its length.
function completeSubtrees({ begin, end }: Range): { height: number; index: number }[] {
  const subtrees = [];
  for (let at = begin; at < end;) {
    let [height, width] = [0, 1];
    for (; at + width * 2 <= end; width *= 2) height += 1;
    subtrees.push({ height, index: at / width });
    at += width;
  }
  return subtrees;
}

function largestPowerBelow(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}

function half(value: number): number {
  return Math.floor(value / 2);
}

function areSizes(...values: number[]): boolean {
  return values.every((value) => Number.isSafeInteger(value) && value >= 0);
}

function areHashes(...hashes: Bytes[]): boolean {
  return hashes.every((hash) => hash.length === HASH_BYTES);
}
