// Checkpoints (c2sp.org/tlog-checkpoint): the signed head of the tree. Anybody who holds one can show later that the
// log has not been rewritten since.
import { type Bytes, formatBase64, Malformed, parseBase64, parseDecimal } from './bytes.ts';
import { HASH_BYTES } from './sha256.ts';
import { parseNote, type VerifierKey, verifyNote } from './signed-note.ts';
import { CouldNotTell, Tampered } from './verification.ts';

/** `origin` names the log, `root` is its root hash at `size` leaves. Extension lines are opaque. */
export type Checkpoint = { origin: string; size: number; root: Bytes; extensions: string[] };

/** The text of a checkpoint, which is then signed. */
export function formatCheckpoint({ origin, size, root, extensions }: Checkpoint): string {
  const text = [origin, String(size), formatBase64(root), ...extensions].map((line) => `${line}\n`).join('');
  parseCheckpoint(text);
  return text;
}

export function parseCheckpoint(text: string): Checkpoint {
  const [origin = '', size = '', root = '', ...more] = text.split('\n');
  // Nothing follows the last newline.
  const end = more.pop();
  if (origin === '' || end !== '' || more.includes('')) throw new Malformed('it is no checkpoint: origin, size, root');
  const checkpoint = { origin, size: parseDecimal(size), root: parseBase64(root), extensions: more };
  if (checkpoint.root.length !== HASH_BYTES) throw new Malformed('the root hash of a checkpoint has 32 bytes');
  return checkpoint;
}

/** As `openCheckpoint`, of a note that somebody gives: one that cannot be opened says only `useless`. */
export async function openGiven(bytes: Uint8Array, key: VerifierKey, useless: string): Promise<Checkpoint> {
  try {
    return await openCheckpoint(bytes, key);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CouldNotTell(`${useless}: ${reason}`, { cause: error });
  }
}

/** The checkpoint in a signed note, once its signature by `key` is verified. The origin is the key's name. */
export async function openCheckpoint(bytes: Uint8Array, key: VerifierKey): Promise<Checkpoint> {
  const note = parseNote(bytes);
  const signed = await verifyNote(note, key);
  if (signed === 'unsigned') throw new CouldNotTell(`The checkpoint bears no signature of the key ${key.name} given.`);
  if (signed === 'wrong')
    throw new Tampered(`The checkpoint does not match its signature by ${key.name}: one of them was altered.`);
  const checkpoint = parseCheckpoint(note.text);
  if (checkpoint.origin !== key.name)
    throw new CouldNotTell(`The checkpoint is of another log, ${checkpoint.origin}, than the key given.`);
  return checkpoint;
}
