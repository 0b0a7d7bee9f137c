// Asks one witness for its cosignatures (c2sp.org/tlog-witness, add-checkpoint). What it answers is believed only where
// it is its signature of this very checkpoint.
import { type Bytes, concatBytes, formatBase64, parseDecimal, parseUtf8, utf8 } from '#app/tlog/bytes.ts';
import { cosignedAt } from '#app/tlog/cosignature.ts';
import { type NoteSignature, parseNote, signatureLine } from '#app/tlog/signed-note.ts';
import type { PolicyWitness } from '#app/tlog/witness-policy.ts';
import { AHEAD_MAX_S, OLD_AFTER_MS } from '#app/tlog/witnessed.ts';
import { readLimited } from '#app/transparency-log/read-limited.server.ts';

const WAIT_MS = 5000;
const ANSWER_MAX_BYTES = 64 * 1024;
const PROOF_MAX_LINES = 63;

/** One address, and the witnesses that sign there. */
export type WitnessAddress = { url: string; witnesses: readonly PolicyWitness[] };
/** A checkpoint as the log signed it, and how to prove that it extends a smaller one. */
export type Submission = { note: Bytes; size: number; prove: (oldSize: number) => Promise<readonly Bytes[]> };
/** `name`: of the witness in the policy. */
export type Cosignature = { name: string; at: Date; line: NoteSignature };

/** `words`: what went wrong, for the operator. `size`: what the witness has, where it said so. */
export class NotCosigned extends Error {
  readonly size: number | undefined;
  constructor(words: string, size?: number) {
    super(words);
    this.size = size;
  }
}

/** Cosignatures of the witnesses at the address, one each at most. `old`: the size they saw. Throws NotCosigned. */
export async function askWitness(
  { url, witnesses }: WitnessAddress,
  { note, size, prove }: Submission,
  { old, now, signal }: { old: number; now: () => Date; signal: AbortSignal },
): Promise<Cosignature[]> {
  const proof = old === 0 || old === size ? [] : await prove(old);
  if (proof.length > PROOF_MAX_LINES) throw new NotCosigned('the proof is too long for a witness');
  const head = [`old ${old}`, ...proof.map(formatBase64), '', ''].join('\n');
  const answer = await post(`${url.replace(/\/$/, '')}/add-checkpoint`, concatBytes(utf8(head), note), signal);
  if (answer.status === 409) {
    const seen = sizeIn(answer);
    // The specification's answer to two trees of one size: no other size helps.
    if (old === size && (seen === undefined || seen === size))
      throw new NotCosigned('it has seen another tree of this size');
    throw new NotCosigned('it has seen another size', seen);
  }
  if (answer.status !== 200) throw new NotCosigned(`it answered ${answer.status}`);
  return cosignaturesIn(answer.bytes, note, { witnesses, now: now() });
}

type Answer = { status: number; type: string; bytes: Bytes };

async function post(address: string, body: Bytes, stopping: AbortSignal): Promise<Answer> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(WAIT_MS)]);
  try {
    const answer = await fetch(address, { method: 'POST', body, redirect: 'error', signal });
    const type = answer.headers.get('content-type') ?? '';
    const bytes = await readLimited(answer, ANSWER_MAX_BYTES, () => new NotCosigned('its answer is too long'));
    return { status: answer.status, type, bytes };
  } catch (error) {
    if (error instanceof NotCosigned) throw error;
    throw new NotCosigned(signal.aborted ? 'it did not answer in time' : 'it cannot be reached');
  }
}

function sizeIn({ type, bytes }: Answer): number | undefined {
  if (type.split(';')[0]?.trim() !== 'text/x.tlog.size') return undefined;
  try {
    return parseDecimal(parseUtf8(bytes).replace(/\n$/, ''));
  } catch {
    return undefined;
  }
}

// Lines of others are ignored, as the specification demands.
async function cosignaturesIn(
  lines: Bytes,
  note: Bytes,
  { witnesses, now }: { witnesses: readonly PolicyWitness[]; now: Date },
): Promise<Cosignature[]> {
  const found: Cosignature[] = [];
  try {
    const whole = parseNote(concatBytes(note, lines));
    for (const { name, key } of witnesses) {
      const seconds = await cosignedAt(whole, key);
      if (seconds === undefined) continue;
      if (seconds * 1000 > now.getTime() + AHEAD_MAX_S * 1000) throw new NotCosigned('its clock is ahead');
      if (seconds * 1000 < now.getTime() - OLD_AFTER_MS) throw new NotCosigned('its clock is behind');
      found.push({ name, at: new Date(seconds * 1000), line: signatureLine(whole, key) });
    }
  } catch (error) {
    if (error instanceof NotCosigned) throw error;
    throw new NotCosigned('what it answered is no cosignature of this checkpoint', undefined);
  }
  if (found.length === 0) throw new NotCosigned('it did not sign with its key');
  return found;
}
