import { expect, test } from 'vitest';
import { utf8 } from './bytes.ts';
import { atLastBundle, layOutLog, type LogFile } from './lay-out-log.ts';
import { frontierOf, leafHash, rootOf } from './merkle-tree.ts';
import { nodeSha256 } from './sha256.server.ts';
import { tilePath, tilesBetween } from './tiles.ts';
import { rootOfEdge, type TreeEdge } from './tree-edge.ts';

const entry = (index: number) => utf8(`entry ${index}`);
const entriesFrom = (begin: number, end: number) => Array.from({ length: end - begin }, (_, at) => entry(begin + at));

async function layOut(size: number, from?: { edge: TreeEdge; size: number }) {
  const files: LogFile[] = [];
  const laying = layOutLog(nodeSha256, entriesFrom(from?.size ?? 0, size), from);
  for (;;) {
    const step = await laying.next();
    if (step.done === true) return { files, tree: step.value };
    files.push(step.value);
  }
}

test('lays out exactly the files that the size has, with its root', async () => {
  for (const size of [0, 1, 255, 256, 257, 600, 66_000]) {
    const { files, tree } = await layOut(size);
    expect(files.map(({ path }) => path).sort()).toEqual([...tilesBetween(0, size)].map(tilePath).sort());
    const leaves = await Promise.all(entriesFrom(0, size).map((leaf) => leafHash(nodeSha256, leaf)));
    const root = await rootOf(nodeSha256, await frontierOf(nodeSha256, leaves));
    expect(await rootOfEdge(nodeSha256, tree.edge)).toEqual(root);
    expect(tree.size).toBe(size);
  }
});

test('growing by steps writes what has changed, and ends with the same files', async () => {
  const whole = new Map((await layOut(66_000)).files.map(({ path, bytes }) => [path, bytes]));
  const stepwise = new Map<string, Uint8Array>();
  let tree: { edge: TreeEdge; size: number } = { edge: [], size: 0 };
  for (const size of [1, 2, 255, 256, 300, 513, 65_535, 65_536, 65_537, 66_000]) {
    const before = tree.size;
    const grown = await layOut(size, atLastBundle(tree));
    expect(grown.files.map(({ path }) => path).sort()).toEqual([...tilesBetween(before, size)].map(tilePath).sort());
    for (const { path, bytes } of grown.files) stepwise.set(path, bytes);
    tree = grown.tree;
  }
  for (const [path, bytes] of whole) expect(stepwise.get(path), path).toEqual(bytes);
});

test('does not begin inside a bundle', async () => {
  await expect(layOut(5, { edge: [], size: 3 })).rejects.toThrow('beginning of a bundle');
});
