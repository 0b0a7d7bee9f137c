// The files of a log as it grows (c2sp.org/tlog-tiles). Yields them in an order in which a reader never finds less than
// the checkpoint promises, if the checkpoint is published last.
import type { Bytes } from './bytes.ts';
import { leafHash } from './merkle-tree.ts';
import type { Sha256 } from './sha256.ts';
import { formatBundle, formatTile, TILE_WIDTH, tilePath } from './tiles.ts';
import { GrowingEdge, type OnTile, type TreeEdge } from './tree-edge.ts';

export type LogFile = { path: string; bytes: Bytes };

/**
 * The files that the log's growth to the last of `entries` makes or replaces by wider ones, and the new edge. `from` is
 * the tree as it was at a multiple of 256 leaves (`atLastBundle` of the published one); `entries` begin there, as the
 * last bundle is written again.
 */
export async function* layOutLog(
  sha256: Sha256,
  entries: Iterable<Bytes> | AsyncIterable<Bytes>,
  from: { edge: TreeEdge; size: number } = { edge: [], size: 0 },
): AsyncGenerator<LogFile, { edge: TreeEdge; size: number }> {
  if (from.size % TILE_WIDTH !== 0) throw new Error('files are laid out from the beginning of a bundle');
  const ready: LogFile[] = [];
  const onTile: OnTile = async ({ level, index, hashes }) => {
    ready.push({ path: tilePath({ level, index, width: hashes.length }), bytes: formatTile(hashes) });
  };
  const tree = new GrowingEdge(sha256, onTile, from);
  let [bundle, size]: [Bytes[], number] = [[], from.size];
  const bundleFile = (): LogFile => ({
    path: tilePath({ level: 'entries', index: Math.floor((size - 1) / TILE_WIDTH), width: bundle.length }),
    bytes: formatBundle(bundle),
  });
  for await (const entry of entries) {
    bundle.push(entry);
    size += 1;
    await tree.append([await leafHash(sha256, entry)]);
    if (bundle.length < TILE_WIDTH) continue;
    yield bundleFile();
    yield* ready.splice(0);
    bundle = [];
  }
  if (bundle.length > 0) yield bundleFile();
  await tree.finish();
  yield* ready;
  return { edge: tree.edge, size };
}

/** The published tree without the leaves of its partial bundle: where `layOutLog` goes on. */
export function atLastBundle({ edge, size }: { edge: TreeEdge; size: number }): { edge: TreeEdge; size: number } {
  return { edge: edge.map((hashes, level) => (level === 0 ? [] : hashes)), size: size - (size % TILE_WIDTH) };
}
