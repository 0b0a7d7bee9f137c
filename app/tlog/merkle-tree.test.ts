import { expect, test } from 'vitest';
import { utf8 } from './bytes.ts';
import { appendLeaf, EMPTY_FRONTIER, frontierOf, leafHash, nodeHash, rootOf } from './merkle-tree.ts';
import { nodeSha256 } from './sha256.server.ts';
import { webSha256 } from './sha256.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

test.each([
  ['WebCrypto', webSha256],
  ['node:crypto', nodeSha256],
])('the published constants, by %s', async (_name, sha256) => {
  expect(hex(await rootOf(sha256, EMPTY_FRONTIER))).toBe(
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  );
  expect(hex(await leafHash(sha256, utf8('')))).toBe(
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  );
  expect(hex(await leafHash(sha256, utf8('L123456')))).toBe(
    '395aa064aa4c29f7010acfe3f25db9485bbd4b91897b6ad7ad547639252b4d56',
  );
  expect(hex(await nodeHash(sha256, utf8('N123'), utf8('N456')))).toBe(
    'aa217fe888e47007fa15edab33c2b492a722cb106c64667fc2b044444de66bbb',
  );
});

// The eight leaves, and the roots over the first one to eight of them, that the reference implementation of RFC 6962
// (certificate-transparency) is tested with.
const LEAVES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

test('the roots of the reference implementation, appended one by one and from the list', async () => {
  const hashes = await Promise.all(LEAVES.map((leaf) => leafHash(nodeSha256, Buffer.from(leaf, 'hex'))));
  let frontier = EMPTY_FRONTIER;
  for (const [index, hash] of hashes.entries()) {
    frontier = await appendLeaf(nodeSha256, frontier, hash);
    expect(hex(await rootOf(nodeSha256, frontier))).toBe(ROOTS[index]);
    expect(await frontierOf(nodeSha256, hashes.slice(0, index + 1))).toEqual(frontier);
  }
});

test('appending leaf by leaf gives the frontier of the list, at every size to 600', async () => {
  const hashes = Array.from({ length: 600 }, (_, index) => nodeSha256(utf8(String(index))));
  let frontier = EMPTY_FRONTIER;
  for (const [index, hash] of hashes.entries()) {
    frontier = await appendLeaf(nodeSha256, frontier, hash);
    expect(await frontierOf(nodeSha256, hashes.slice(0, index + 1))).toEqual(frontier);
  }
});

test('a frontier with too few hashes is refused', async () => {
  await expect(appendLeaf(nodeSha256, { size: 3, hashes: [] }, new Uint8Array(32))).rejects.toThrow('too few hashes');
});
