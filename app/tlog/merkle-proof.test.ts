import { expect, test } from 'vitest';
import { hasFields, outsideVectors } from '#test/outside-vectors.ts';
import { type Bytes, equalBytes, parseBase64, utf8 } from './bytes.ts';
import {
  proveConsistency,
  proveInclusion,
  type SubtreeHash,
  verifyConsistency,
  verifyInclusion,
} from './merkle-proof.ts';
import { frontierOf, rootOf } from './merkle-tree.ts';
import { nodeSha256 } from './sha256.server.ts';
import { webSha256 } from './sha256.ts';

type Case = { name: string; proof: string[] | null; wantErr: boolean };
type InclusionCase = Case & { leafIdx: number; treeSize: number; root: string; leafHash: string };
type ConsistencyCase = Case & { size1: number; size2: number; root1: string; root2: string };
const inclusions = outsideVectors('inclusion', (value): value is InclusionCase =>
  hasFields(value, 'name', 'proof', 'wantErr', 'leafIdx', 'treeSize', 'root', 'leafHash'),
);
const consistencies = outsideVectors('consistency', (value): value is ConsistencyCase =>
  hasFields(value, 'name', 'proof', 'wantErr', 'size1', 'size2', 'root1', 'root2'),
);
const proofOf = ({ proof }: Case) => (proof ?? []).map(parseBase64);

test.skipIf(inclusions === undefined)('inclusion: every case of transparency-dev/merkle', async () => {
  expect(inclusions).toHaveLength(54);
  for (const sha256 of [nodeSha256, webSha256])
    for (const given of inclusions ?? []) {
      const verified = await verifyInclusion(sha256, {
        leafHash: parseBase64(given.leafHash),
        index: given.leafIdx,
        size: given.treeSize,
        root: parseBase64(given.root),
        proof: proofOf(given),
      });
      expect(verified, given.name).toBe(!given.wantErr);
    }
});

test.skipIf(consistencies === undefined)('consistency: every case of transparency-dev/merkle', async () => {
  expect(consistencies).toHaveLength(47);
  for (const sha256 of [nodeSha256, webSha256])
    for (const given of consistencies ?? []) {
      const verified = await verifyConsistency(sha256, {
        oldSize: given.size1,
        size: given.size2,
        oldRoot: parseBase64(given.root1),
        root: parseBase64(given.root2),
        proof: proofOf(given),
      });
      expect(verified, given.name).toBe(!given.wantErr);
    }
});

const LEAVES = Array.from({ length: 70 }, (_, index) => nodeSha256(utf8(String(index))));
const rootAt = async (size: number) => rootOf(nodeSha256, await frontierOf(nodeSha256, LEAVES.slice(0, size)));
const subtree: SubtreeHash = async (height, index) => {
  const width = 2 ** height;
  const leaves = LEAVES.slice(index * width, (index + 1) * width);
  expect(leaves).toHaveLength(width);
  return rootOf(nodeSha256, await frontierOf(nodeSha256, leaves));
};
const flipped = (hash: Bytes) => hash.map((byte, index) => (index === 9 ? byte ^ 4 : byte));

test('every leaf of every tree to 40 leaves is proved, at its place and size only', async () => {
  for (let size = 1; size <= 40; size += 1) {
    const root = await rootAt(size);
    for (let index = 0; index < size; index += 1) {
      const proof = await proveInclusion(nodeSha256, { index, size }, subtree);
      const leafHash = LEAVES[index]!;
      const verifies = (change: object) =>
        verifyInclusion(nodeSha256, { leafHash, index, size, root, proof, ...change });
      expect(await verifies({})).toBe(true);
      const refused = await Promise.all([
        verifies({ index: index + 1 }),
        verifies({ index: index - 1 }),
        verifies({ size: size * 2 }),
        verifies({ leafHash: flipped(leafHash) }),
        verifies({ root: flipped(root) }),
        verifies({ proof: [...proof, root] }),
        verifies({ proof: [root, ...proof] }),
        ...proof.map((_, at) => verifies({ proof: proof.map((hash, i) => (i === at ? flipped(hash) : hash)) })),
        ...proof.map((_, at) => verifies({ proof: proof.toSpliced(at, 1) })),
      ]);
      expect(refused.some(Boolean)).toBe(false);
    }
  }
});

test('every tree to 40 leaves begins with every smaller one, and with no other', async () => {
  for (let size = 1; size <= 40; size += 1) {
    const root = await rootAt(size);
    for (let oldSize = 1; oldSize <= size; oldSize += 1) {
      const oldRoot = await rootAt(oldSize);
      const proof = await proveConsistency(nodeSha256, { oldSize, size }, subtree);
      const verifies = (change: object) =>
        verifyConsistency(nodeSha256, { oldSize, size, oldRoot, root, proof, ...change });
      expect(await verifies({})).toBe(true);
      const refused = await Promise.all([
        verifies({ oldSize: 0 }),
        verifies({ oldSize: size + 1 }),
        verifies({ oldRoot: flipped(oldRoot) }),
        verifies({ root: flipped(root) }),
        verifies({ proof: [...proof, root] }),
        verifies({ proof: [root, ...proof] }),
        ...proof.map((_, at) => verifies({ proof: proof.map((hash, i) => (i === at ? flipped(hash) : hash)) })),
        ...proof.map((_, at) => verifies({ proof: proof.toSpliced(at, 1) })),
      ]);
      expect(refused.some(Boolean)).toBe(false);
    }
  }
});

test('a size that is no size proves nothing', async () => {
  const root = await rootAt(1);
  for (const index of [-1, 0.5, Number.NaN, 2 ** 53])
    expect(await verifyInclusion(nodeSha256, { leafHash: root, index, size: 1, root, proof: [] })).toBe(false);
  expect(await verifyInclusion(nodeSha256, { leafHash: root, index: 0, size: 1, root, proof: [] })).toBe(true);
  await expect(proveInclusion(nodeSha256, { index: 1, size: 1 }, subtree)).rejects.toThrow('not in a tree');
  await expect(proveConsistency(nodeSha256, { oldSize: 0, size: 1 }, subtree)).rejects.toThrow('cannot be shown');
});

test('sizes above 2^32 are not cut off: a proof has one hash a level', async () => {
  const same = LEAVES[0]!;
  const heights: number[] = [];
  const size = 2 ** 40 + 1;
  const proof = await proveInclusion(nodeSha256, { index: 2 ** 40 - 1, size }, (height) => {
    heights.push(height);
    return Promise.resolve(same);
  });
  expect(heights).toEqual([...Array.from({ length: 40 }, (_, level) => level), 0]);
  let root = same;
  for (const sibling of proof) root = await rootOf(nodeSha256, { hashes: [sibling, root] });
  const last = proof.at(-1)!;
  expect(equalBytes(last, same)).toBe(true);
  let hash = same;
  for (let level = 0; level < 40; level += 1) hash = await rootOf(nodeSha256, { hashes: [same, hash] });
  root = await rootOf(nodeSha256, { hashes: [hash, same] });
  const claim = { leafHash: same, index: 2 ** 40 - 1, size, root, proof };
  expect(await verifyInclusion(nodeSha256, claim)).toBe(true);
  expect(await verifyInclusion(nodeSha256, { ...claim, index: 2 ** 40 - 1 - 2 ** 33 })).toBe(false);
});
