// Signed notes (c2sp.org/signed-note) and the keys that verify them: a text, and lines of signatures under it. Ed25519
// only (signature type 0x01), by WebCrypto, so that browsers and Node run the same code.
import { type Bytes, concatBytes, equalBytes, formatBase64, Malformed, parseBase64, parseUtf8, utf8 } from './bytes.ts';
import { webSha256 } from './sha256.ts';

export type NoteSignature = { name: string; keyId: Bytes; signature: Bytes };
export type SignedNote = { text: string; signatures: NoteSignature[] };

/** Types of signatures: a log's own, and a witness's (c2sp.org/tlog-cosignature). Keys of both are Ed25519. */
export const ED25519 = 0x01;
export const COSIGNATURE = 0x04;
export type KeyType = typeof ED25519 | typeof COSIGNATURE;
export const PUBLIC_KEY_BYTES = 32;
const KEY_ID_BYTES = 4;
const DASH = '—';
// The specification asks for at least 16; post-quantum signatures of witnesses take up to 7 kB of base64 each.
const MAX_SIGNATURES = 100;
export const MAX_NOTE_BYTES = 1_000_000;

/** Parses a note, the whole of `bytes`. It is not verified: its text means nothing yet. */
export function parseNote(bytes: Uint8Array): SignedNote {
  if (bytes.length > MAX_NOTE_BYTES) throw new Malformed('it is too long for a signed note');
  const note = parseUtf8(bytes);
  if (/[\u0000-\u0009\u000b-\u001f]/.test(note)) throw new Malformed('a signed note has no control characters');
  // The text may have empty lines itself: the last one ends it.
  const end = note.lastIndexOf('\n\n');
  if (end === -1 || !note.endsWith('\n')) throw new Malformed('it is no signed note: text, empty line, signatures');
  const lines = note.slice(end + 2, -1).split('\n');
  if (lines.length > MAX_SIGNATURES) throw new Malformed('it has too many signatures');
  return { text: note.slice(0, end + 1), signatures: lines.map(parseSignatureLine) };
}

function parseSignatureLine(line: string): NoteSignature {
  const [dash, name = '', base64 = '', ...more] = line.split(' ');
  if (dash !== DASH || !isKeyName(name) || more.length > 0) throw new Malformed('a signature line is malformed');
  const bytes = parseBase64(base64);
  if (bytes.length <= KEY_ID_BYTES) throw new Malformed('a signature is too short');
  return { name, keyId: bytes.slice(0, KEY_ID_BYTES), signature: bytes.slice(KEY_ID_BYTES) };
}

export function formatNote({ text, signatures }: SignedNote): string {
  return `${text}\n${signatures.map(formatSignature).join('')}`;
}

export const formatSignature = ({ name, keyId, signature }: NoteSignature): string =>
  `${DASH} ${name} ${formatBase64(concatBytes(keyId, signature))}\n`;

/** Who may have signed: a name and an Ed25519 public key of 32 bytes. */
export type VerifierKey = { name: string; keyId: Bytes; publicKey: Bytes };

/** Parses `name+hash+base64`, the form in which Go's note package and the tools around it write verifier keys. */
export async function parseVerifierKey(text: string, type: KeyType = ED25519): Promise<VerifierKey> {
  const match = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text);
  const [, name = '', hash, base64 = ''] = match ?? [];
  const typed = match === null ? new Uint8Array(0) : parseBase64(base64);
  if (!isKeyName(name) || typed[0] !== type || typed.length !== 1 + PUBLIC_KEY_BYTES)
    throw new Malformed('it is no verifier key: name+hash+key');
  const key = await verifierKey(name, typed.slice(1), type);
  if (formatHex(key.keyId) !== hash) throw new Malformed("the verifier key's hash is not that of its key");
  return key;
}

export function formatVerifierKey({ name, keyId, publicKey }: VerifierKey, type: KeyType = ED25519): string {
  return `${name}+${formatHex(keyId)}+${formatBase64(concatBytes(Uint8Array.of(type), publicKey))}`;
}

export async function verifierKey(name: string, publicKey: Bytes, type: KeyType = ED25519): Promise<VerifierKey> {
  if (!isKeyName(name)) throw new Malformed('a key name has neither spaces nor a plus');
  const hash = await webSha256(concatBytes(utf8(`${name}\n`), Uint8Array.of(type), publicKey));
  return { name, keyId: hash.slice(0, KEY_ID_BYTES), publicKey };
}

/**
 * `signed` when the note bears a signature of `key` and every one under its name and id is right; `unsigned` when there
 * is none. Signatures of other keys are ignored, also under the same name, as the specification demands.
 */
export async function verifyNote(note: SignedNote, key: VerifierKey): Promise<'signed' | 'unsigned' | 'wrong'> {
  const own = signaturesBy(note, key);
  if (own.length === 0) return 'unsigned';
  for (const signature of own) if (!(await isSignedBy(key, signature, utf8(note.text)))) return 'wrong';
  return 'signed';
}

/** The signatures under the key's name and id. */
export const signaturesBy = ({ signatures }: SignedNote, { name, keyId }: VerifierKey): Bytes[] =>
  signatures.flatMap((one) => (one.name === name && equalBytes(one.keyId, keyId) ? [one.signature] : []));

/** The last signature under the key's name and id. */
export function signatureLine({ signatures }: SignedNote, { name, keyId }: VerifierKey): NoteSignature {
  const line = signatures.findLast((one) => one.name === name && equalBytes(one.keyId, keyId));
  if (line === undefined) throw new Malformed(`there is no signature by ${name}`);
  return line;
}

/** Whether it is an Ed25519 signature of `message` by the key. */
export async function isSignedBy({ publicKey }: VerifierKey, signature: Bytes, message: Bytes): Promise<boolean> {
  const { subtle } = globalThis.crypto;
  const key = await subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
  return subtle.verify('Ed25519', key, signature, message);
}

function isKeyName(name: string): boolean {
  return name !== '' && !/[\p{White_Space}\p{Cc}+]/u.test(name);
}

/** Lower case, two digits a byte. */
export function formatHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
