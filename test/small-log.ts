// A small log in memory with the layout of a published one, for tests of its readers.
import { type Bytes, formatBase64, utf8 } from '#app/tlog/bytes.ts';
import { formatCheckpoint } from '#app/tlog/checkpoint.ts';
import { commit, type Opening } from '#app/tlog/commitment.ts';
import { layOutLog } from '#app/tlog/lay-out-log.ts';
import { formatLeaf, type Leaf, parseLeaf } from '#app/tlog/leaf.ts';
import { leafHash } from '#app/tlog/merkle-tree.ts';
import { nodeSha256 } from '#app/tlog/sha256.server.ts';
import { generateSigningKey, parseSigningKey, type SigningKey, signNote } from '#app/tlog/sign-note.server.ts';
import { openTiles } from '#app/tlog/tile-reader.ts';
import { CHECKPOINT_PATH, tilePath } from '#app/tlog/tiles.ts';
import { formatProofExtra, formatTlogProof } from '#app/tlog/tlog-proof.ts';
import { rootOfEdge } from '#app/tlog/tree-edge.ts';

export const LOG_NAME = 'registry.example/log/1';
const START = Date.parse('2026-11-21T00:00:00.000Z');

export async function newKey(name = LOG_NAME): Promise<SigningKey> {
  return parseSigningKey(await generateSigningKey(name));
}

/** A commitment that a test can open: the salt is the value's own hash. */
export async function testCommitment(field: string, value: string): Promise<{ hash: string; opening: Opening }> {
  const opening = { salt: formatBase64(nodeSha256(utf8(value))), value };
  return { hash: await commit(nodeSha256, field, opening), opening };
}

/**
 * `size` leaves. One in `chainEvery` is a calibration, of one of ten vehicles in turn, with every commitment; the
 * others are as short as leaves are.
 */
export async function someEntries(size: number, chainEvery: number): Promise<Bytes[]> {
  const ends = new Map<string, { seq: number; prev: string }>();
  const entries: Bytes[] = [];
  for (let index = 0; index < size; index += 1) {
    const at = new Date(START + index * 1000).toISOString();
    if (index % chainEvery !== 0) {
      entries.push(formatLeaf({ v: 1, type: 'technician.removed', at, origin: 'recorded', body: {} }));
      continue;
    }
    const subject = (await testCommitment('subject', `vehicle ${(index / chainEvery) % 10}`)).hash;
    const end = ends.get(subject);
    const leaf: Leaf = {
      v: 1,
      type: end === undefined ? 'vehicle.registered' : 'calibration.recorded',
      at,
      origin: 'recorded',
      body: end === undefined ? {} : { axle: 'DRIVE', attribute: 'Loaded Volt', value: '4.25', unit: 'V' },
      subject,
      subjectSeq: (end?.seq ?? 0) + 1,
      ...(end === undefined ? {} : { prev: end.prev }),
      people: { technician: (await testCommitment('people.technician', 'A. Smith')).hash },
      rest: (await testCommitment('rest', `rest ${index}`)).hash,
    };
    const entry = formatLeaf(leaf);
    ends.set(subject, { seq: leaf.subjectSeq ?? 0, prev: formatBase64(await leafHash(nodeSha256, entry)) });
    entries.push(entry);
  }
  return entries;
}

export type SmallLog = { files: Map<string, Bytes>; head: { size: number; root: Bytes } };

/** The files of the log with these entries, with its signed checkpoint. */
export async function publish(entries: readonly Bytes[], key: SigningKey): Promise<SmallLog> {
  const files = new Map<string, Bytes>();
  const laying = layOutLog(nodeSha256, entries);
  for (;;) {
    const step = await laying.next();
    if (step.done === true) {
      const head = { size: step.value.size, root: await rootOfEdge(nodeSha256, step.value.edge) };
      const text = formatCheckpoint({ origin: key.verifier.name, ...head, extensions: [] });
      files.set(CHECKPOINT_PATH, utf8(signNote(key, text)));
      return { files, head };
    }
    files.set(step.value.path, step.value.bytes);
  }
}

/** The proof file of the leaf at `index`, with its technician opened where it has one. */
export async function proofFile({ files, head }: SmallLog, entries: readonly Bytes[], index: number): Promise<Bytes> {
  const file = (path: string): Bytes => {
    const bytes = files.get(path);
    if (bytes === undefined) throw new Error(`the log has no ${path}`);
    return bytes;
  };
  const tiles = await openTiles(nodeSha256, head, async (level, at, width) =>
    file(tilePath({ level, index: at, width })),
  );
  const leaf = entries[index];
  if (leaf === undefined) throw new Error(`the log has no entry ${index}`);
  const { opening } = await testCommitment('people.technician', 'A. Smith');
  const openings = new Map(parseLeaf(leaf).people === undefined ? [] : [['people.technician', opening]]);
  const extra = formatProofExtra({ leaf, openings });
  const hashes = await tiles.proveInclusion(index);
  return utf8(formatTlogProof({ index, hashes, checkpoint: file(CHECKPOINT_PATH), extra }));
}
