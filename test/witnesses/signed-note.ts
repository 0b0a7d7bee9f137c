// Keys, signed notes and cosignatures for the witnesses of the tests, after c2sp.org/signed-note, tlog-checkpoint and
// tlog-cosignature. Nothing here comes from the product: two programs that agree on a mistake must make it twice.
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

// The signature types of the two kinds of key.
export const LOG_KEY = 0x01;
export const WITNESS_KEY = 0x04;

export type VerifierKey = { name: string; id: Buffer; publicKey: KeyObject };
export type NoteKey = VerifierKey & { vkey: string; privateKey: KeyObject };
export type Signature = { name: string; id: Buffer; bytes: Buffer };
// `text` ends with a newline, `lines` are the signature lines as they stand, each with its newline.
export type SignedNote = { text: string; signatures: Signature[]; lines: string[] };
export type Checkpoint = { origin: string; size: bigint; root: Buffer };

// What RFC 8410 puts before the 32 bytes of an Ed25519 key.
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const LARGEST_SIZE = 2n ** 63n - 1n;

// The same seed gives the same key in every run.
export function keyFromSeed(name: string, type: number, seed: string): NoteKey {
  const privateKey = createPrivateKey({
    key: Buffer.concat([PRIVATE_PREFIX, createHash('sha256').update(seed).digest()]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(privateKey);
  const typed = Buffer.concat([Buffer.of(type), rawKey(publicKey)]);
  const id = keyId(name, typed);
  return { name, id, publicKey, privateKey, vkey: formatVkey(name, id, typed) };
}

export function rawKey(publicKey: KeyObject): Buffer {
  return publicKey.export({ format: 'der', type: 'spki' }).subarray(PUBLIC_PREFIX.length);
}

// `typed` is the signature type and the public key after it.
export function keyId(name: string, typed: Buffer): Buffer {
  return createHash('sha256').update(`${name}\n`).update(typed).digest().subarray(0, 4);
}

export function formatVkey(name: string, id: Buffer, typed: Buffer): string {
  return `${name}+${id.toString('hex')}+${typed.toString('base64')}`;
}

// Throws on everything but a well-formed Ed25519 key of that type: a test that configures another key has a mistake.
export function parseVkey(vkey: string, type: number): VerifierKey {
  const [, name = '', hex = '', base64 = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/u.exec(vkey) ?? [];
  const typed = decodeBase64(base64);
  if (!isKeyName(name) || typed?.length !== 33 || typed[0] !== type) throw new Error(`Not such a key: ${vkey}`);
  const id = keyId(name, typed);
  if (id.toString('hex') !== hex) throw new Error(`The key ID does not belong to the key: ${vkey}`);
  const key = Buffer.concat([PUBLIC_PREFIX, typed.subarray(1)]);
  return { name, id, publicKey: createPublicKey({ key, format: 'der', type: 'spki' }) };
}

export function signatureLine(key: NoteKey, text: string): string {
  return formatSignature(key.name, key.id, sign(null, Buffer.from(text), key.privateKey));
}

// `time` counts seconds since 1970.
export function cosignatureLine(key: NoteKey, text: string, time: bigint): string {
  const bytes = sign(null, cosignedMessage(text, time), key.privateKey);
  return formatSignature(key.name, key.id, Buffer.concat([timeBytes(time), bytes]));
}

export function formatSignature(name: string, id: Buffer, bytes: Buffer): string {
  return `— ${name} ${Buffer.concat([id, bytes]).toString('base64')}\n`;
}

export function timeBytes(time: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(time);
  return bytes;
}

export function isSignedBy(key: VerifierKey, { name, id }: Signature): boolean {
  return name === key.name && id.equals(key.id);
}

export function hasValidSignature(key: VerifierKey, text: string, { bytes }: Signature): boolean {
  return bytes.length === 64 && verify(null, Buffer.from(text), key.publicKey, bytes);
}

// The time of a valid cosignature, in seconds since 1970; undefined where it does not verify.
export function cosignatureTime(key: VerifierKey, text: string, { bytes }: Signature): bigint | undefined {
  if (bytes.length !== 72) return undefined;
  const time = bytes.readBigUInt64BE();
  return verify(null, cosignedMessage(text, time), key.publicKey, bytes.subarray(8)) ? time : undefined;
}

function cosignedMessage(text: string, time: bigint): Buffer {
  return Buffer.from(`cosignature/v1\ntime ${time}\n${text}`);
}

// Undefined for what is no signed note.
export function parseNote(note: string): SignedNote | undefined {
  const end = note.lastIndexOf('\n\n');
  // Each control character but the newline is forbidden.
  if (end === -1 || /[\u0000-\u0009\u000b-\u001f]/u.test(note)) return undefined;
  const parsed = parseSignatureLines(note.slice(end + 2));
  return parsed && { text: note.slice(0, end + 1), ...parsed };
}

// One or more signature lines, as a note ends with them and as a witness answers them.
export function parseSignatureLines(text: string): Pick<SignedNote, 'signatures' | 'lines'> | undefined {
  if (!text.endsWith('\n')) return undefined;
  const lines = text.slice(0, -1).split('\n');
  const signatures = lines.map(parseSignatureLine).filter((signature) => signature !== undefined);
  if (signatures.length !== lines.length) return undefined;
  return { signatures, lines: lines.map((line) => `${line}\n`) };
}

function parseSignatureLine(line: string): Signature | undefined {
  const [dash, name = '', base64 = '', ...more] = line.split(' ');
  const bytes = decodeBase64(base64);
  if (dash !== '—' || more.length > 0 || !isKeyName(name) || bytes === undefined || bytes.length < 5) return undefined;
  return { name, id: bytes.subarray(0, 4), bytes: bytes.subarray(4) };
}

function isKeyName(name: string): boolean {
  return name !== '' && !/[\p{White_Space}+]/u.test(name);
}

// Undefined for a text that is no checkpoint.
export function parseCheckpoint(text: string): Checkpoint | undefined {
  const [origin = '', sizeLine = '', rootLine = '', ...extensions] = text.slice(0, -1).split('\n');
  const size = parseSize(sizeLine);
  const root = decodeBase64(rootLine);
  if (origin === '' || size === undefined || root?.length !== 32 || extensions.includes('')) return undefined;
  return { origin, size, root };
}

export function parseSize(text: string): bigint | undefined {
  if (!/^(?:0|[1-9][0-9]{0,18})$/.test(text)) return undefined;
  const size = BigInt(text);
  return size <= LARGEST_SIZE ? size : undefined;
}

// Buffer.from takes nearly every text; this one takes only the one way in which bytes are written.
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
