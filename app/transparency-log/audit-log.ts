// Audits a whole log: every entry is hashed again and every hash of every tile compared, up to the root that was signed.
// Nothing is sampled and nothing is taken on trust but the verifier key. Holds a tile a level and the end of each
// vehicle's chain, however large the log.
import { type Bytes, equalBytes } from './bytes.ts';
import { type Checkpoint, openCheckpoint } from './checkpoint.ts';
import { LeafRules } from './leaf-rules.ts';
import { leafHash } from './merkle-tree.ts';
import { HASH_BYTES, type Sha256 } from './sha256.ts';
import type { VerifierKey } from './signed-note.ts';
import { CHECKPOINT_PATH, formatTile, parseBundle, TILE_WIDTH, type Tile, tilePath, widthAt } from './tiles.ts';
import { GrowingEdge, rootOfEdge } from './tree-edge.ts';
import { CouldNotTell, Tampered, type Verification, verification } from './verification.ts';

/** The file at `path` below the log's prefix, or undefined when there is none. Throws when that cannot be known. */
export type ReadFile = (path: string) => Promise<Uint8Array | undefined>;

export type Audit = {
  sha256: Sha256;
  readFile: ReadFile;
  key: VerifierKey;
  /** A checkpoint kept from an earlier visit, as it was: the log must still begin with that tree. */
  saved?: Uint8Array;
  /** Told after each bundle how many entries were checked. */
  onProgress?: (entries: number) => void;
};

export async function auditLog(audit: Audit): Promise<Verification> {
  return verification(async () => {
    const head = await openCheckpoint(await readRequired(audit.readFile, CHECKPOINT_PATH), audit.key);
    const saved = audit.saved === undefined ? undefined : await openSaved(audit.saved, audit.key);
    if (saved !== undefined && saved.size > head.size)
      throw new CouldNotTell(
        `The log shows ${head.size} entries, the saved checkpoint ${saved.size}: this is an old copy, or the log went back.`,
      );
    const { chains } = await rehash(audit, head, saved);
    const since = saved === undefined ? '' : `, and begins with the ${saved.size} of the saved checkpoint`;
    return `Proved: the ${head.size} entries of ${head.origin} are what was signed, in order of time, with the ${chains} vehicles' chains whole${since}.`;
  });
}

async function openSaved(bytes: Uint8Array, key: VerifierKey): Promise<Checkpoint> {
  try {
    return await openCheckpoint(bytes, key);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CouldNotTell(`The saved checkpoint is of no use: ${reason}`, { cause: error });
  }
}

async function rehash(
  { sha256, readFile, onProgress }: Audit,
  head: Checkpoint,
  saved: Checkpoint | undefined,
): Promise<LeafRules> {
  const tree = new GrowingEdge(sha256, async ({ level, index, hashes }) => {
    const tile = { level, index, width: hashes.length };
    if (!equalBytes(await readTile(readFile, tile), formatTile(hashes))) throw notAsSigned(tile);
  });
  const checkSaved = async (size: number) => {
    if (size === saved?.size && !equalBytes(await rootOfEdge(sha256, tree.edge), saved.root))
      throw new Tampered(`The log was rewritten: its first ${size} entries are not those of the saved checkpoint.`);
  };
  const rules = new LeafRules();
  let size = 0;
  while (size < head.size) {
    const index = size / TILE_WIDTH;
    const entries = await readEntries(readFile, {
      level: 'entries',
      index,
      width: widthAt(head.size, 'entries', index),
    });
    const hashed = await Promise.all(entries.map(async (entry) => ({ entry, hash: await leafHash(sha256, entry) })));
    for (const { hash } of hashed) {
      await checkSaved(size);
      await tree.append(hash);
      size += 1;
    }
    // Only what is in the tree is judged as a leaf: before that a flipped bit would pass for the log's own mistake.
    if (size === head.size) await tree.finish();
    for (const { entry, hash } of hashed) rules.add(entry, hash);
    onProgress?.(size);
  }
  await checkSaved(size);
  if (!equalBytes(await rootOfEdge(sha256, tree.edge), head.root))
    throw new Tampered(`The ${size} entries do not give the root of the signed checkpoint.`);
  return rules;
}

async function readTile(readFile: ReadFile, tile: Tile): Promise<Uint8Array> {
  const { bytes, width } = await readPartial(readFile, tile);
  return width === tile.width ? bytes : bytes.subarray(0, tile.width * HASH_BYTES);
}

async function readEntries(readFile: ReadFile, tile: Tile): Promise<Bytes[]> {
  const { bytes, width } = await readPartial(readFile, tile);
  try {
    return parseBundle(bytes, width).slice(0, tile.width);
  } catch {
    throw notAsSigned(tile);
  }
}

// A log may have deleted a partial file once the full one is there (tlog-tiles, 'Partial Tiles').
async function readPartial(readFile: ReadFile, tile: Tile): Promise<{ bytes: Uint8Array; width: number }> {
  const bytes = await readFile(tilePath(tile));
  if (bytes !== undefined) return { bytes, width: tile.width };
  return { bytes: await readRequired(readFile, tilePath({ ...tile, width: TILE_WIDTH })), width: TILE_WIDTH };
}

async function readRequired(readFile: ReadFile, path: string): Promise<Uint8Array> {
  const bytes = await readFile(path);
  if (bytes === undefined) throw new CouldNotTell(`The file ${path} is missing.`);
  return bytes;
}

function notAsSigned(tile: Tile): Tampered {
  return new Tampered(`The file ${tilePath(tile)} does not fit the entries of the signed log.`);
}
