// The copy that mirror.ts keeps of a log: what is fetched, how it is held against what was signed, and how far it has
// come.
import fs from 'node:fs';
import path from 'node:path';
import { type Bytes, equalBytes, formatBase64, Malformed, parseBase64 } from '#app/tlog/bytes.ts';
import { openCheckpoint } from '#app/tlog/checkpoint.ts';
import { verifyConsistency } from '#app/tlog/merkle-proof.ts';
import { leafHash } from '#app/tlog/merkle-tree.ts';
import { nodeSha256 as sha256 } from '#app/tlog/sha256.server.ts';
import { type SigningKey } from '#app/tlog/sign-note.server.ts';
import { formatNote, parseNote, signatureLine, type VerifierKey } from '#app/tlog/signed-note.ts';
import { openTiles, type TileReader } from '#app/tlog/tile-reader.ts';
import {
  countAt,
  formatBundle,
  formatTile,
  parseBundle,
  TILE_WIDTH,
  type Tile,
  tilePath,
  tilesBetween,
} from '#app/tlog/tiles.ts';
import { GrowingEdge, rootOfEdge, type TreeEdge } from '#app/tlog/tree-edge.ts';
import { Tampered } from '#app/tlog/verification.ts';
import { type WitnessPolicy } from '#app/tlog/witness-policy.ts';
import type { openLogSource } from '#app/transparency-log/log-source.server.ts';
import { syncFolder, writeDurably } from './durable-file.ts';

const SAVE_EVERY_MS = 5000;

/** `evidence`: the notes that contradict each other. */
export class Alarm extends Tampered {
  readonly evidence: readonly string[];

  constructor(sentence: string, evidence: readonly string[] = []) {
    super(sentence);
    this.evidence = evidence;
  }
}

export const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');

/**
 * `used`: the mark that the key has signed, as witness.mjs makes it, so that neither takes a key that the other has
 * used.
 */
export type OwnWitness = SigningKey & { used: string };
export type Settings = {
  base: string;
  readLog: ReturnType<typeof openLogSource>;
  logKey: VerifierKey;
  folder: string;
  staleSeconds: number | undefined;
  policy: WitnessPolicy | undefined;
  witness: OwnWitness | undefined;
};

// --- The log that is followed

/** `signed`: the note with the log's own signature alone. */
type Head = { note: string; text: string; signed: string; size: number; root: Bytes };

export async function openHead(bytes: Uint8Array, key: VerifierKey): Promise<Head> {
  try {
    const { size, root } = await openCheckpoint(bytes, key);
    const note = parseNote(bytes);
    const signed = formatNote({ text: note.text, signatures: [signatureLine(note, key)] });
    return { note: formatNote(note), text: note.text, signed, size, root };
  } catch (error) {
    throw new Alarm(error instanceof Malformed ? `the checkpoint cannot be read: ${error.message}` : messageOf(error));
  }
}

export const forked = ({ size }: Head) =>
  new Alarm(
    `the ${size} entries signed are not those seen so far and the new ones: the log has forked or was rewritten`,
  );

// A log may delete a partial tile once the full one is there.
async function readTile({ base, readLog }: Settings, tile: Tile): Promise<Uint8Array> {
  const partial = tile.width === TILE_WIDTH ? undefined : await readLog(tilePath(tile));
  if (partial !== undefined) return partial;
  const name = tilePath({ ...tile, width: TILE_WIDTH });
  return (await readLog(name)) ?? Promise.reject(new Error(`${base}/${name} was answered 404`));
}

async function readEntries(settings: Settings, index: number, width: number): Promise<Uint8Array[]> {
  const bytes = await readTile(settings, { level: 'entries', index, width });
  for (const there of [width, TILE_WIDTH])
    try {
      return parseBundle(bytes, there).slice(0, width);
    } catch {}
  throw new Alarm(`${tilePath({ level: 'entries', index, width })} does not hold ${width} entries: a gap`);
}

const tilesOf = (settings: Settings, head: Head): Promise<TileReader> =>
  openTiles(sha256, head, async (level, index, width) =>
    (await readTile(settings, { level, index, width })).subarray(0, width * sha256().length),
  );

// --- The copy

/**
 * How far the copy has been checked, and what the next entries are held against. `text`: the last head, with its
 * signature.
 */
type State = {
  origin: string;
  size: number;
  edge: TreeEdge;
  at: string;
  chains: Record<string, { seq: number; hash: string }>;
  text: string;
  changed: number;
  cosigned: number;
};
type StoredState = Omit<State, 'edge'> & { edge: string[][] };
// Web servers hide names with a dot.
const STATE = '.mirror.json';

export function write(folder: string, name: string, bytes: string | Uint8Array): void {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  writeDurably(`${file}.new`, bytes, { flag: 'w', mode: 0o644 });
  fs.renameSync(`${file}.new`, file);
  syncFolder(file);
}

export function readState({ folder, logKey: { name: origin }, witness }: Settings): State {
  if (!fs.existsSync(path.join(folder, STATE))) {
    // A witness that has forgotten what it signed could sign a fork.
    if (witness !== undefined && fs.existsSync(witness.used))
      throw new Error(
        `${folder} has no ${STATE}, and the key of ${witness.verifier.name} has signed: bring it back, or make a new key`,
      );
    return { origin, size: 0, edge: [], at: '', chains: {}, text: '', changed: 0, cosigned: 0 };
  }
  const stored: StoredState = JSON.parse(fs.readFileSync(path.join(folder, STATE), 'utf8'));
  if (stored.origin !== origin) throw new Error(`${folder} is a copy of another log, ${stored.origin}`);
  return { ...stored, edge: stored.edge.map((hashes) => hashes.map(parseBase64)) };
}

export function writeState(folder: string, state: State): void {
  const stored: StoredState = { ...state, edge: state.edge.map((hashes) => hashes.map(formatBase64)) };
  write(folder, STATE, JSON.stringify(stored));
}

// What holds from entry to entry: time does not go back, each vehicle's entries are a chain. Of an entry nothing else
// is asked, as in leaf-rules.ts: a mirror runs for years, beside a registry that learns new kinds of entries.
function judge(state: State, entry: Uint8Array, hash: Bytes): void {
  const where = `entry ${state.size}`;
  const leaf = parseJson(Buffer.from(entry).toString());
  if (typeof leaf?.at !== 'string') throw new Alarm(`${where} is no entry of this log`);
  if (leaf.at < state.at) throw new Alarm(`${where} is of ${leaf.at}, earlier than the one before, ${state.at}`);
  state.at = leaf.at;
  if (leaf.subject === undefined) return;
  const end = state.chains[leaf.subject];
  if (leaf.subjectSeq !== (end?.seq ?? 0) + 1 || leaf.prev !== end?.hash)
    throw new Alarm(`${where} does not follow the last entry of its vehicle: one is missing or was put in`);
  state.chains[leaf.subject] = { seq: leaf.subjectSeq, hash: formatBase64(hash) };
}

type JudgedLeaf = { at?: string; subject?: string; subjectSeq: number; prev?: string };

function parseJson(text: string): JudgedLeaf | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

// Copies what the signed tree has beyond the state. Each bundle is checked against the signed root before it is
// written.
export async function copyNew(settings: Settings, state: State, head: Head): Promise<void> {
  const { folder } = settings;
  const tiles = await tilesOf(settings, head);
  if (
    state.size > 0 &&
    !(await isBegunBy(head, { size: state.size, root: await rootOfEdge(sha256, state.edge) }, tiles))
  )
    throw forked(head);
  const keep = async (tile: Tile & { hashes: readonly Bytes[] }) =>
    write(folder, tilePath(tile), formatTile(tile.hashes));
  const tree = new GrowingEdge(sha256, (tile) => keep({ ...tile, width: tile.hashes.length }), state);
  let saved = Date.now();
  while (state.size < head.size) {
    const [index, known] = [Math.floor(state.size / TILE_WIDTH), state.size % TILE_WIDTH];
    const width = Math.min(TILE_WIDTH, head.size - index * TILE_WIDTH);
    const entries = await readEntries(settings, index, width);
    const hashes = await Promise.all(entries.map((entry) => leafHash(sha256, entry)));
    const signed = await tiles.tile(0, index);
    const wrong = hashes.findIndex((hash, at) => !equalBytes(hash, signed[at] ?? Uint8Array.of()));
    if (wrong !== -1)
      throw new Alarm(`entry ${index * TILE_WIDTH + wrong} is not the one signed: it was altered, or is a gap`);
    for (const [at, hash] of hashes.entries()) {
      if (at < known) continue;
      judge(state, entries[at] ?? hash, hash);
      state.size += 1;
    }
    write(folder, tilePath({ level: 'entries', index, width }), formatBundle(entries));
    await tree.append(hashes.slice(known));
    state.edge = tree.edge;
    if (width < TILE_WIDTH || Date.now() < saved + SAVE_EVERY_MS) continue;
    writeState(folder, state);
    saved = Date.now();
  }
  for (const [level, hashes] of state.edge.entries()) {
    const index = Math.floor(countAt(state.size, level) / TILE_WIDTH);
    if (hashes.length > 0) await keep({ level, index, width: hashes.length, hashes });
  }
  if (!equalBytes(await rootOfEdge(sha256, state.edge), head.root)) throw forked(head);
}

/** Whether the tree of `head`, which has `tiles`, begins with the tree of `size` with `root`. */
export async function isBegunBy(
  head: Head,
  { size, root }: { size: number; root: Bytes },
  tiles: TileReader,
): Promise<boolean> {
  if (size === 0) return true;
  const proof = size === head.size ? [] : await tiles.proveConsistency(size);
  return verifyConsistency(sha256, { oldSize: size, size: head.size, oldRoot: root, root: head.root, proof });
}

// Partial tiles of which the full one is there now; a reader of the last checkpoint may have been at them until this
// one.
export function removePartial(folder: string, from: number, size: number): void {
  for (const tile of tilesBetween(from, size))
    if (tile.width === TILE_WIDTH)
      fs.rmSync(path.join(folder, `${tilePath(tile)}.p`), { recursive: true, force: true });
}
