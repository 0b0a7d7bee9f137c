// A request to a witness: an old size, a proof, an empty line, a checkpoint.
import { type Bytes, equalBytes, Malformed, parseBase64, parseDecimal, parseUtf8, utf8 } from '#app/tlog/bytes.ts';
import { type Checkpoint, parseCheckpoint } from '#app/tlog/checkpoint.ts';
import { HASH_BYTES } from '#app/tlog/sha256.ts';
import { formatNote, parseNote, type SignedNote, type VerifierKey, verifyNote } from '#app/tlog/signed-note.ts';

const MAX_PROOF = 63;
export const MESSAGE = 'text/plain; charset=utf-8';

/** What a client is answered when it does not get a cosignature. */
export class Refused extends Error {
  readonly status: number;
  readonly body: string;
  readonly type: string;

  constructor(status: number, words: string, { body = `${words}\n`, type = MESSAGE } = {}) {
    super(words);
    [this.status, this.body, this.type] = [status, body, type];
  }
}

type Asked = Checkpoint & { old: number; proof: Bytes[]; note: SignedNote };

export function parseRequest(bytes: Uint8Array): Asked {
  try {
    const body = parseUtf8(bytes);
    const end = body.indexOf('\n\n');
    const [old = '', ...proof] = body.slice(0, end).split('\n');
    if (end === -1 || !old.startsWith('old ') || proof.length > MAX_PROOF)
      throw new Malformed('the body is no old size, proof and checkpoint');
    const note = parseNote(utf8(body.slice(end + 2)));
    return {
      ...parseCheckpoint(note.text),
      old: parseDecimal(old.slice('old '.length)),
      proof: proof.map(parseHash),
      note,
    };
  } catch (error) {
    if (error instanceof Malformed) throw new Refused(400, `Malformed: ${error.message}.`);
    throw error;
  }
}

function parseHash(text: string): Bytes {
  const hash = parseBase64(text);
  if (hash.length !== HASH_BYTES) throw new Malformed('a hash has 32 bytes');
  return hash;
}

// The note with the log's own signatures. Those of keys that are not known are ignored; a wrong one of a known key
// refuses all.
export async function verifiedNote({ note }: Asked, keys: readonly VerifierKey[]): Promise<string> {
  for (const key of keys)
    if ((await verifyNote(note, key)) === 'wrong') throw new Refused(403, 'A signature of the log is wrong.');
  const signatures = note.signatures.filter(({ name, keyId }) =>
    keys.some((key) => key.name === name && equalBytes(key.keyId, keyId)),
  );
  if (signatures.length === 0) throw new Refused(403, 'There is no signature of a known key of the log.');
  return formatNote({ text: note.text, signatures });
}
