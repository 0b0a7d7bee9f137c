// Audits a whole log: every entry is hashed again and every hash of every tile compared, up to the root that was
// signed. Nothing is sampled and nothing is taken on trust but the verifier key. Holds a tile a level and the end of
// each vehicle's chain, however large the log.
import { type Bytes, equalBytes } from './bytes.ts';
import { type Checkpoint, openCheckpoint, openGiven } from './checkpoint.ts';
import { LeafRules, type LeafState, NO_LEAVES } from './leaf-rules.ts';
import { leafHash } from './merkle-tree.ts';
import { HASH_BYTES, type Sha256 } from './sha256.ts';
import type { VerifierKey } from './signed-note.ts';
import {
  CHECKPOINT_PATH,
  formatTile,
  parseBundle,
  TILE_WIDTH,
  type Tile,
  tilePath,
  widthAt,
  WITNESSED_PATH,
} from './tiles.ts';
import { GrowingEdge, type OnTile, rootOfEdge, type TreeEdge } from './tree-edge.ts';
import { CouldNotTell, Tampered, type Verification, verification } from './verification.ts';
import { insistOnWitnesses, isOld, type Witnessing, witnessSentence } from './witnessed.ts';

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
  /** With it, the newest witnessed checkpoint must have its quorum and be of this log. */
  witnessing?: Witnessing;
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
    const witnessed = await readWitnessed(audit, head);
    for (const [what, known] of [['saved', saved] as const, ['witnessed', witnessed?.head] as const])
      if (known !== undefined && known.size < size)
        throw new CouldNotTell(
          `The ${what} checkpoint of ${known.size} entries is older than the earlier audit of ${size}.`,
        );
    const { chains } = await rehash(audit, head, [
      ...(saved === undefined ? [] : [{ ...saved, what: 'saved' }]),
      ...(witnessed === undefined ? [] : [{ ...witnessed.head, what: 'witnessed' }]),
    ]);
    const since = saved === undefined ? '' : `, and begins with the ${saved.size} of the saved checkpoint`;
    const proved = `Proved: the ${head.size} entries of ${head.origin} are what was signed, in order of time, with the ${chains.size} vehicles' chains whole${since}.`;
    if (witnessed === undefined) return proved;
    const seen = ` The first ${witnessed.head.size} are witnessed.${witnessed.sentence}`;
    return { sentence: `${proved}${seen}`, isOld: witnessed.isOld };
  });
}

type WitnessedHead = { head: Checkpoint; sentence: string; isOld: boolean };

async function readWitnessed(
  { readFile, key, witnessing }: Audit,
  { size }: Checkpoint,
): Promise<WitnessedHead | undefined> {
  if (witnessing === undefined) return undefined;
  const note = await readRequired(readFile, WITNESSED_PATH);
  const head = await openCheckpoint(note, key);
  if (head.size > size)
    throw new CouldNotTell(
      `The log shows ${size} entries, its witnesses ${head.size}: this is an old copy, or the log went back.`,
    );
  const witnessed = await insistOnWitnesses(note, key, witnessing);
  return { head, sentence: witnessSentence(witnessed, witnessing.now), isOld: isOld(witnessed, witnessing.now) };
}

/** A checkpoint that the log must begin with. */
type Earlier = Pick<Checkpoint, 'size' | 'root'> & { what: string };

async function rehash(
  { sha256, readFile, onBundle, from = NOTHING_AUDITED }: Audit,
  head: Checkpoint,
  earlier: readonly Earlier[],
): Promise<LeafState> {
  let { size } = from.leaves;
  const rules = new LeafRules(from.leaves);
  const compare: OnTile = async ({ level, index, hashes }) => {
    const tile = { level, index, width: hashes.length };
    if (!equalBytes(await readTile(readFile, tile), formatTile(hashes))) throw notAsSigned(tile);
  };
  const tree = new GrowingEdge(sha256, compare, { edge: from.edge, size });
  const compareAt = async (at: number) => {
    for (const { root, what } of earlier.filter((one) => one.size === at))
      if (!equalBytes(await rootOfEdge(sha256, tree.edge), root))
        throw new Tampered(`The log was rewritten: its first ${at} entries are not those of the ${what} checkpoint.`);
  };
  while (size < head.size) {
    const index = size / TILE_WIDTH;
    const bundle: Tile = { level: 'entries', index, width: widthAt(head.size, 'entries', index) };
    const entries = await readEntries(readFile, bundle);
    const hashes: Bytes[] = [];
    for (const entry of entries) hashes.push(await leafHash(sha256, entry));
    const within = earlier.map((one) => one.size - size).filter((place) => place > 0 && place < hashes.length);
    let appended = 0;
    for (const place of within.toSorted((a, b) => a - b)) {
      await tree.append(hashes.slice(appended, place));
      await compareAt(size + place);
      appended = place;
    }
    await tree.append(hashes.slice(appended));
    size += hashes.length;
    if (size < head.size) await compareAt(size);
    // Judged as a leaf only once it is known to be in the tree: else a flipped bit would look like the log's own
    // mistake.
    if (size === head.size) await tree.finish();
    for (const [at, hash] of hashes.entries()) rules.add(entries[at] ?? hash, hash);
    if (size % TILE_WIDTH === 0) onBundle?.(() => ({ leaves: rules.state, edge: tree.edge }));
  }
  await compareAt(size);
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
