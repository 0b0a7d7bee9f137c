// Audits a whole log: every entry is hashed again and every hash of every tile compared, up to the root that was signed.
// Nothing is sampled and nothing is taken on trust but the verifier key. Holds a tile a level and the end of each
// vehicle's chain, however large the log.
import { type Bytes, equalBytes } from './bytes.ts';
import { type Checkpoint, openCheckpoint, openGiven } from './checkpoint.ts';
import { LeafRules, type LeafState, NO_LEAVES } from './leaf-rules.ts';
import { leafHash } from './merkle-tree.ts';
import { HASH_BYTES, type Sha256 } from './sha256.ts';
import type { VerifierKey } from './signed-note.ts';
import { CHECKPOINT_PATH, formatTile, parseBundle, TILE_WIDTH, type Tile, tilePath, widthAt } from './tiles.ts';
import { GrowingEdge, type OnTile, rootOfEdge, type TreeEdge } from './tree-edge.ts';
import { CouldNotTell, Tampered, type Verification, verification } from './verification.ts';

/** The file at `path` below the log's prefix, or undefined when there is none. Throws when that cannot be known. */
export type ReadFile = (path: string) => Promise<Uint8Array | undefined>;

/** How far an audit has come, at the end of a full bundle. The next audit of a growing log starts there. */
export type AuditState = { leaves: LeafState; edge: TreeEdge };

const NOTHING_AUDITED: AuditState = { leaves: NO_LEAVES, edge: [] };

export type Audit = {
  sha256: Sha256;
  readFile: ReadFile;
  key: VerifierKey;
  /** A checkpoint kept from an earlier visit, as it was: the log must still begin with that tree. */
  saved?: Uint8Array;
  /** The state of an earlier audit of this log: what was audited then is not read again. */
  from?: AuditState;
  /** Called after each full bundle, before the next is read. */
  onBundle?: (state: () => AuditState) => void;
};

export async function auditLog(audit: Audit): Promise<Verification> {
  return verification(async () => {
    const head = await openCheckpoint(await readRequired(audit.readFile, CHECKPOINT_PATH), audit.key);
    const { size } = (audit.from ?? NOTHING_AUDITED).leaves;
    const saved = audit.saved && (await openGiven(audit.saved, audit.key, 'The saved checkpoint is of no use'));
    for (const [what, known] of [['saved checkpoint', saved?.size ?? 0] as const, ['earlier audit', size] as const])
      if (known > head.size)
        throw new CouldNotTell(
          `The log shows ${head.size} entries, the ${what} ${known}: this is an old copy, or the log went back.`,
        );
    if (saved !== undefined && saved.size < size)
      throw new CouldNotTell(
        `The saved checkpoint of ${saved.size} entries is older than the earlier audit of ${size}.`,
      );
    const { chains } = await rehash(audit, head, saved);
    const since = saved === undefined ? '' : `, and begins with the ${saved.size} of the saved checkpoint`;
    return `Proved: the ${head.size} entries of ${head.origin} are what was signed, in order of time, with the ${chains.size} vehicles' chains whole${since}.`;
  });
}

async function rehash(
  { sha256, readFile, onBundle, from = NOTHING_AUDITED }: Audit,
  head: Checkpoint,
  saved: Checkpoint | undefined,
): Promise<LeafState> {
  let { size } = from.leaves;
  const rules = new LeafRules(from.leaves);
  const compare: OnTile = async ({ level, index, hashes }) => {
    const tile = { level, index, width: hashes.length };
    if (!equalBytes(await readTile(readFile, tile), formatTile(hashes))) throw notAsSigned(tile);
  };
  const tree = new GrowingEdge(sha256, compare, { edge: from.edge, size });
  const checkSaved = async ({ size, root }: Checkpoint) => {
    if (!equalBytes(await rootOfEdge(sha256, tree.edge), root))
      throw new Tampered(`The log was rewritten: its first ${size} entries are not those of the saved checkpoint.`);
  };
  while (size < head.size) {
    const index = size / TILE_WIDTH;
    const bundle: Tile = { level: 'entries', index, width: widthAt(head.size, 'entries', index) };
    const entries = await readEntries(readFile, bundle);
    const hashes: Bytes[] = [];
    for (const entry of entries) hashes.push(await leafHash(sha256, entry));
    const old = saved === undefined ? 0 : Math.min(Math.max(saved.size - size, 0), hashes.length);
    await tree.append(hashes.slice(0, old));
    if (size + old === saved?.size) await checkSaved(saved);
    await tree.append(hashes.slice(old));
    size += hashes.length;
    // Judged as a leaf only once it is known to be in the tree: else a flipped bit would look like the log's own mistake.
    if (size === head.size) await tree.finish();
    for (const [at, hash] of hashes.entries()) rules.add(entries[at] ?? hash, hash);
    if (size % TILE_WIDTH === 0) onBundle?.(() => ({ leaves: rules.state, edge: tree.edge }));
  }
  if (saved !== undefined && saved.size === size) await checkSaved(saved);
  if (!equalBytes(await rootOfEdge(sha256, tree.edge), head.root))
    throw new Tampered(`The ${size} entries do not give the root of the signed checkpoint.`);
  return rules.state;
}

async function readTile(readFile: ReadFile, tile: Tile): Promise<Uint8Array> {
  const { bytes, width } = await readPartial(readFile, tile);
  return width === tile.width ? bytes : bytes.subarray(0, tile.width * HASH_BYTES);
}

async function readEntries(readFile: ReadFile, tile: Tile): Promise<Uint8Array[]> {
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
