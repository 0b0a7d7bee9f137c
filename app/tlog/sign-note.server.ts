// The signing key of a log or a witness, and what it signs. A key is kept as Go's note package writes it, so that other
// tools of the transparency ecosystem read it too: `PRIVATE+KEY+<name>+<hash>+<base64 of the type and the seed of RFC
// 8032>`.
import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { type Bytes, concatBytes, formatBase64, Malformed, parseBase64, utf8 } from './bytes.ts';
import { cosignedMessage } from './cosignature.ts';
import {
  ED25519,
  formatHex,
  formatNote,
  formatSignature,
  type KeyType,
  verifierKey,
  type VerifierKey,
} from './signed-note.ts';

export type SigningKey = { verifier: VerifierKey; privateKey: KeyObject };

const PREFIX = 'PRIVATE+KEY+';
const SEED_BYTES = 32;
// The fixed head of an Ed25519 private key in PKCS #8 (RFC 8410 section 7); the seed follows.
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A new key, as the text to keep. `name` is the log's origin, or the witness's name. */
export async function generateSigningKey(name: string, type: KeyType = ED25519): Promise<string> {
  const seed = Uint8Array.from(randomBytes(SEED_BYTES));
  const { verifier } = await signingKey(name, seed, type);
  return `${PREFIX}${name}+${formatHex(verifier.keyId)}+${formatBase64(concatBytes(Uint8Array.of(type), seed))}`;
}

/** Parses the text of a key; one newline may follow it, as in a file. No error message quotes the key. */
export async function parseSigningKey(text: string, type: KeyType = ED25519): Promise<SigningKey> {
  const match = /^PRIVATE\+KEY\+([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)\n?$/.exec(text);
  const [, name = '', hash, base64 = ''] = match ?? [];
  const typed = match === null ? new Uint8Array(0) : parseBase64(base64);
  if (typed[0] !== type || typed.length !== 1 + SEED_BYTES) throw new Malformed('it is no Ed25519 signing key');
  const key = await signingKey(name, typed.slice(1), type);
  if (formatHex(key.verifier.keyId) !== hash) throw new Malformed("the signing key's hash is not that of its key");
  return key;
}

/** The note of `text`, signed. `text` ends in a newline. */
export function signNote(key: SigningKey, text: string): string {
  if (!text.endsWith('\n')) throw new Error('the text of a note ends in a newline');
  const signature = Uint8Array.from(sign(null, utf8(text), key.privateKey));
  return formatNote({ text, signatures: [{ name: key.verifier.name, keyId: key.verifier.keyId, signature }] });
}

/** The line of a witness's cosignature of a checkpoint's `text` at `time`, in POSIX seconds. */
export function cosign({ verifier, privateKey }: SigningKey, text: string, time: number): string {
  const seconds = Buffer.alloc(8);
  seconds.writeBigUInt64BE(BigInt(time));
  const signature = concatBytes(seconds, sign(null, cosignedMessage(time, text), privateKey));
  return formatSignature({ name: verifier.name, keyId: verifier.keyId, signature });
}

async function signingKey(name: string, seed: Bytes, type: KeyType): Promise<SigningKey> {
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return { verifier: await verifierKey(name, Uint8Array.from(Buffer.from(x, 'base64url')), type), privateKey };
}
