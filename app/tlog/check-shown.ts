// 'Check the proof' in the browser: what the page shows against the public log. The leaf is recomputed from the values
// shown, and the tree must not be another than the one this browser saw last. Three answers, and none is 'proved' after
// an error.
import { formatInstantInZone } from '#app/platform/time/calendar.ts';
import { canonicalJson } from './canonical-json.ts';
import { openCheckpoint, type Checkpoint } from './checkpoint.ts';
import { equalBytes, utf8, parseUtf8 } from './bytes.ts';
import { SAID_BESIDE, vehicleDueField, type Body } from './leaf-body.ts';
import { parseLeaf, type Leaf } from './leaf.ts';
import { verifyConsistency } from './merkle-proof.ts';
import { webSha256 } from './sha256.ts';
import { parseVerifierKey, type VerifierKey } from './signed-note.ts';
import { openTiles } from './tile-reader.ts';
import { CHECKPOINT_PATH, POLICY_PATH, tilePath } from './tiles.ts';
import { parseProofExtra, parseTlogProof, type ProofExtra } from './tlog-proof.ts';
import { CouldNotTell, Tampered, verification, type Verification } from './verification.ts';
import { verifyProofFile } from './verify-proof-file.ts';
import { parseWitnessPolicy } from './witness-policy.ts';
import { witnessesOf, type Witnessing, witnessSentence } from './witnessed.ts';

/** What a page shows of an event, and where its proof is. */
export type Shown = {
  /** The log's verifier key, and the address under which its files are. */
  key: string;
  log: string;
  proof: string;
  /** Whether the registry publishes whose cosignatures it asks for, beside the log. */
  isWitnessed: boolean;
  /** The registry's time zone, in which the answer names times. */
  zone: string;
  /** The entry that the proof must be of, where the page is of one. */
  index?: number;
  /** Null: whatever happened last to a vehicle, of which `body` has the tick and the due date as they were left. */
  type: Leaf['type'] | null;
  /** The fields in clear, as shown: exactly these, and what such an event says beside (`SAID_BESIDE`). */
  body: Body;
  /** Values behind commitments, as shown. */
  values: Readonly<Record<string, unknown>>;
};

/** Where a browser keeps what it saw last: localStorage, or anything alike. */
export type Memory = Pick<Storage, 'getItem' | 'setItem'>;
type Fetch = (address: string) => Promise<Response>;

export function checkShown(
  shown: Shown,
  fetchFile: Fetch,
  { memory, now = () => new Date() }: { memory: Memory; now?: () => Date },
): Promise<Verification> {
  return verification(async () => {
    const key = await parseVerifierKey(shown.key);
    const file = await bytesOf(fetchFile, shown.proof);
    const witnessing = await policyOf(shown, key, { fetchFile, memory, now });
    const answer = await verifyProofFile(webSha256, file, { key, witnessing });
    if (answer.result === 'tampered') throw new Tampered(answer.sentence);
    if (answer.result === 'could-not-tell') throw new CouldNotTell(answer.sentence);
    const { index, checkpoint, extra } = parseTlogProof(file);
    if (extra === undefined) throw new CouldNotTell('The proof does not hold its entry.');
    const { leaf: bytes, openings } = parseProofExtra(extra);
    const leaf = parseLeaf(bytes);
    if (shown.index !== undefined && index !== shown.index)
      throw new Tampered(`The proof is of entry ${index}, and the page shows entry ${shown.index}.`);
    compareWithShown(leaf, openings, shown);
    const head = await openCheckpoint(checkpoint, key);
    const since = await compareWithMemory(shown, { key, head, note: parseUtf8(checkpoint) }, { fetchFile, memory });
    const seen = witnessing === undefined ? '' : await seenBy(checkpoint, witnessing);
    const sentence = `Entry ${index.toLocaleString('en-AU')} of ${head.size.toLocaleString('en-AU')} says exactly what is shown here, and was logged on ${formatInstantInZone(new Date(leaf.at), shown.zone)}. ${since}${seen}`;
    const old = answer.isOld === true ? ' Nothing newer is witnessed.' : '';
    return { sentence: `${sentence}${old}`, isOld: answer.isOld === true };
  });
}

const seenBy = async (checkpoint: Uint8Array, { policy, now }: Witnessing): Promise<string> =>
  witnessSentence(await witnessesOf(checkpoint, policy, now), now);

type Around = { fetchFile: Fetch; memory: Memory; now: () => Date };

// The registry's own list of witnesses. This browser remembers that there was one: a log that had witnesses does not
// lose them unnoticed.
async function policyOf(
  shown: Shown,
  key: VerifierKey,
  { fetchFile, memory, now }: Around,
): Promise<Witnessing | undefined> {
  const place = `transparency-log witnesses ${key.name}`;
  if (!shown.isWitnessed) {
    if (memory.getItem(place) === null) return undefined;
    throw new CouldNotTell('This log had witnesses when this browser saw it last, and now names none.');
  }
  const policy = await parseWitnessPolicy(await bytesOf(fetchFile, `${shown.log}/${POLICY_PATH}`));
  memory.setItem(place, 'wanted');
  return { policy, now: now() };
}

function compareWithShown(leaf: Leaf, openings: ProofExtra['openings'], { type, body, values }: Shown): void {
  if (type !== null && leaf.type !== type)
    throw new Tampered(`The log has ${leaf.type} here, and the page shows ${type}.`);
  const said = type === null ? vehicleIn(leaf) : leaf.body;
  for (const field of new Set([...Object.keys(body), ...Object.keys(said).filter((name) => !SAID_BESIDE.has(name))])) {
    const [logged, seen] = [fieldOf(said, field), fieldOf(body, field)];
    if (logged !== seen) throw new Tampered(`The log says ${field} ${logged}, and the page shows ${seen}.`);
  }
  for (const [field, value] of Object.entries(values)) {
    const opening = openings.get(field);
    if (opening === undefined) throw new CouldNotTell(`The proof does not open ${field}: it may have been erased.`);
    if (canonicalJson(opening.value) !== canonicalJson(value))
      throw new Tampered(`The log says another ${field} than the page shows.`);
  }
}

function vehicleIn({ type, body: { validated, ...others } }: Leaf): Body {
  const nextDueOn = others[vehicleDueField(type)];
  return { ...(validated === undefined ? {} : { validated }), ...(nextDueOn === undefined ? {} : { nextDueOn }) };
}

const fieldOf = (body: Body, name: string): string =>
  canonicalJson(Object.entries(body).find(([field]) => field === name)?.[1] ?? null);

type Seen = { key: VerifierKey; head: Checkpoint; note: string };

// The log may only have grown since this browser saw it last.
async function compareWithMemory(
  shown: Shown,
  seen: Seen,
  { fetchFile, memory }: { fetchFile: Fetch; memory: Memory },
): Promise<string> {
  const place = `transparency-log ${seen.key.name}`;
  const remembered = memory.getItem(place);
  const keepNote = (note: string) => memory.setItem(place, JSON.stringify({ key: shown.key, note }));
  if (remembered === null) {
    keepNote(seen.note);
    return 'This browser will remember this log.';
  }
  const { key, note } = parseRemembered(remembered);
  if (key !== shown.key)
    throw new Tampered(
      'The log is signed with another key than the one this browser saw before. That must be explained.',
    );
  const before = await openCheckpoint(utf8(note), seen.key);
  // A proof is of the newest witnessed checkpoint, which may be older than the newest that this browser has seen.
  if (before.size > seen.head.size) return compareWithNewest(shown, seen, { before, fetchFile, keepNote });
  if (before.size === seen.head.size) {
    if (!equalBytes(before.root, seen.head.root))
      throw new Tampered(`The log has forked: two trees of ${before.size} entries are signed.`);
    return 'This browser has seen this log before, unchanged.';
  }
  await insistGrown(shown, fetchFile, [before, seen.head]);
  keepNote(seen.note);
  return `Since this browser saw it with ${before.size.toLocaleString('en-AU')} entries, the log has only grown.`;
}

type Newest = { before: Checkpoint; fetchFile: Fetch; keepNote: (note: string) => void };

async function compareWithNewest(shown: Shown, seen: Seen, { before, fetchFile, keepNote }: Newest): Promise<string> {
  const note = await bytesOf(fetchFile, `${shown.log}/${CHECKPOINT_PATH}`);
  const newest = await openCheckpoint(note, seen.key);
  if (before.size > newest.size)
    throw new Tampered(
      `This browser has seen this log with ${before.size} entries; it is an older or another one now, with ${newest.size}.`,
    );
  await insistGrown(shown, fetchFile, [seen.head, newest]);
  await insistGrown(shown, fetchFile, [before, newest]);
  keepNote(parseUtf8(note));
  return `Since this browser saw it with ${before.size.toLocaleString('en-AU')} entries, the log has only grown.`;
}

// Throws Tampered unless the second tree begins with the first.
async function insistGrown(shown: Shown, fetchFile: Fetch, [old, head]: [Checkpoint, Checkpoint]): Promise<void> {
  if (old.size === head.size) {
    if (equalBytes(old.root, head.root)) return;
    throw new Tampered(`The log has forked: two trees of ${old.size} entries are signed.`);
  }
  const tiles = await openTiles(webSha256, head, (level, index, width) =>
    bytesOf(fetchFile, `${shown.log}/${tilePath({ level, index, width })}`),
  );
  const heads = { oldSize: old.size, size: head.size, oldRoot: old.root, root: head.root };
  if (!(await verifyConsistency(webSha256, { ...heads, proof: await tiles.proveConsistency(old.size) })))
    throw new Tampered(`The log was rewritten since this browser saw it with ${old.size} entries.`);
}

function parseRemembered(text: string): { key: string; note: string } {
  const value: unknown = JSON.parse(text);
  if (typeof value === 'object' && value !== null && 'key' in value && 'note' in value) {
    const { key, note } = value;
    if (typeof key === 'string' && typeof note === 'string') return { key, note };
  }
  throw new CouldNotTell('What this browser remembers of the log cannot be read.');
}

async function bytesOf(fetchFile: Fetch, address: string): Promise<Uint8Array> {
  const answer = await fetchFile(address).catch(() => undefined);
  if (answer === undefined) throw new CouldNotTell('The log cannot be reached. Try again when you are online.');
  if (answer.status === 503) throw new CouldNotTell('The entry is not published yet. Try again in a few seconds.');
  if (!answer.ok) throw new CouldNotTell(`The log answered ${answer.status} for ${address}.`);
  return new Uint8Array(await answer.arrayBuffer());
}
