// Cosignatures (c2sp.org/tlog-cosignature): what a witness signs once it has seen that a checkpoint extends the one
// before it. Ed25519 only (signature type 0x04).
import { type Bytes, utf8 } from './bytes.ts';
import { isSignedBy, signaturesBy, type SignedNote, type VerifierKey } from './signed-note.ts';
import { Tampered } from './verification.ts';

/** A timestamped signature: 8 bytes of time, big-endian, and the Ed25519 signature. */
const TIME_BYTES = 8;
const SIGNATURE_BYTES = 64;

/** What is signed: the time (POSIX seconds), and the checkpoint's text. */
export const cosignedMessage = (time: number, text: string): Bytes => utf8(`cosignature/v1\ntime ${time}\n${text}`);

/**
 * When the witness cosigned the note last, in POSIX seconds; undefined: it did not. Throws Tampered where a signature
 * under its name and id is not of this text.
 */
export async function cosignedAt(note: SignedNote, witness: VerifierKey): Promise<number | undefined> {
  let latest: number | undefined;
  for (const timed of signaturesBy(note, witness)) {
    const time = timed.length === TIME_BYTES + SIGNATURE_BYTES ? timeOf(timed) : 0;
    const isRight = time > 0 && (await isSignedBy(witness, timed.slice(TIME_BYTES), cosignedMessage(time, note.text)));
    if (!isRight)
      throw new Tampered(`The checkpoint does not match its cosignature by ${witness.name}: one of them was altered.`);
    latest = Math.max(latest ?? 0, time);
  }
  return latest;
}

// 0 where it is no time that a number holds.
function timeOf(timed: Bytes): number {
  const time = Number(new DataView(timed.buffer, timed.byteOffset).getBigUint64(0));
  return Number.isSafeInteger(time) ? time : 0;
}
