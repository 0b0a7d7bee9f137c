import { beforeAll, expect, test } from 'vitest';
import { type Bytes, utf8 } from './bytes.ts';
import { layOutLog } from './lay-out-log.ts';
import { verifyConsistency, verifyInclusion } from './merkle-proof.ts';
import { frontierOf, leafHash, rootOf } from './merkle-tree.ts';
import { nodeSha256 } from './sha256.server.ts';
import { webSha256 } from './sha256.ts';
import { openTiles } from './tile-reader.ts';
import { tilePath } from './tiles.ts';
import { Tampered } from './verification.ts';

const SIZE = 66_000;
const files = new Map<string, Bytes>();
let leaves: Bytes[];
let root: Bytes;
const rootAt = async (size: number) => rootOf(nodeSha256, await frontierOf(nodeSha256, leaves.slice(0, size)));

beforeAll(async () => {
  const entries = Array.from({ length: SIZE }, (_, index) => utf8(`entry ${index}`));
  leaves = await Promise.all(entries.map((entry) => leafHash(nodeSha256, entry)));
  for await (const { path, bytes } of layOutLog(nodeSha256, entries)) files.set(path, bytes);
  root = await rootAt(SIZE);
});

async function reader(fetched: string[] = [], changed?: { path: string; bytes: Bytes }, sha256 = nodeSha256) {
  return openTiles(sha256, { size: SIZE, root }, (level, index, width) => {
    const path = tilePath({ level, index, width });
    fetched.push(path);
    const bytes = path === changed?.path ? changed.bytes : files.get(path);
    return bytes === undefined ? Promise.reject(new Error(`no ${path}`)) : Promise.resolve(bytes);
  });
}

const INDEXES = [0, 1, 255, 256, 40_000, 65_535, 65_536, 65_791, 65_792, SIZE - 1];

test('inclusion proofs out of tiles verify, with WebCrypto too', async () => {
  for (const index of INDEXES) {
    const proof = await (await reader()).proveInclusion(index);
    const claim = { leafHash: leaves[index]!, index, size: SIZE, root, proof };
    expect(await verifyInclusion(webSha256, claim)).toBe(true);
  }
  const web = await openTiles(webSha256, { size: SIZE, root }, async (level, index, width) =>
    files.get(tilePath({ level, index, width }))!,
  );
  expect(await web.proveInclusion(40_000)).toEqual(await (await reader()).proveInclusion(40_000));
});

test('consistency proofs out of tiles verify', async () => {
  for (const oldSize of [1, 2, 255, 256, 257, 3000, 65_535, 65_536, 65_537, SIZE - 1, SIZE]) {
    const proof = await (await reader()).proveConsistency(oldSize);
    const heads = { oldSize, size: SIZE, oldRoot: await rootAt(oldSize), root, proof };
    expect(await verifyConsistency(nodeSha256, heads), String(oldSize)).toBe(true);
  }
});

test('a proof needs a few tiles only: the partial ones and those above the leaf', async () => {
  const fetched: string[] = [];
  await (await reader(fetched)).proveInclusion(40_000);
  expect(fetched.sort()).toEqual(['tile/0/156', 'tile/0/257.p/208', 'tile/1/000', 'tile/1/001.p/1', 'tile/2/000.p/1']);
});

test('a flipped bit in any tile that is fetched is noticed, also where the proof does not use it', async () => {
  const fetched: string[] = [];
  await (await reader(fetched)).proveInclusion(40_000);
  for (const path of fetched) {
    const bytes = files.get(path)!;
    for (let at = 0; at < bytes.length; at += 31) {
      const flipped = Uint8Array.from(bytes);
      flipped[at]! ^= 1 << (at % 8);
      const reading = reader([], { path, bytes: flipped }).then((tiles) => tiles.proveInclusion(40_000));
      await expect(reading, `${path} at ${at}`).rejects.toThrow(Tampered);
    }
  }
});

test('a tile of another length is not what was signed; one that cannot be had is no tampering', async () => {
  for (const length of [0, 31, 8160, 8191, 8224]) {
    const changed = { path: 'tile/0/156', bytes: new Uint8Array(length) };
    await expect((await reader([], changed)).proveInclusion(40_000)).rejects.toThrow(Tampered);
  }
  const absent = openTiles(nodeSha256, { size: SIZE, root }, () => Promise.reject(new Error('no')));
  await expect(absent).rejects.toThrow(/^no$/);
});

test('another root than that of the tiles is refused before anything is read from them', async () => {
  const fetchTile = async (level: number, index: number, width: number) =>
    files.get(tilePath({ level, index, width }))!;
  await expect(openTiles(nodeSha256, { size: SIZE, root: await rootAt(SIZE - 1) }, fetchTile)).rejects.toThrow(
    Tampered,
  );
});

test('a leaf or a size that the tree does not have has no proof', async () => {
  const tiles = await reader();
  await expect(tiles.proveInclusion(SIZE)).rejects.toThrow('not in a tree');
  await expect(tiles.proveConsistency(0)).rejects.toThrow('cannot be shown');
  await expect(tiles.proveConsistency(SIZE + 1)).rejects.toThrow('cannot be shown');
});
