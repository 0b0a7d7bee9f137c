// A witness after c2sp.org/tlog-witness that shares no line with the product or with the witness that the product
// offers. What passes here passes by the specification, not by an agreement of the product with itself. It runs in the
// test's process.
import { createHash } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { listen } from './listen.ts';
import {
  type Checkpoint,
  cosignatureLine,
  decodeBase64,
  hasValidSignature,
  isSignedBy,
  keyFromSeed,
  LOG_KEY,
  parseCheckpoint,
  parseNote,
  parseSize,
  parseVkey,
  type SignedNote,
  type VerifierKey,
  WITNESS_KEY,
} from './signed-note.ts';
import { isConsistent } from './verify-consistency.ts';

export type SecondWitness = {
  // Both the submission prefix and the monitoring prefix. It has a path, as the specification lets it.
  url: string;
  vkey: string;
  // The latest checkpoint that it cosigned for the origin.
  seen: (origin: string) => (Checkpoint & { note: string }) | undefined;
  stop: () => Promise<void>;
};
type Options = {
  // The key follows from the name: a witness that starts again is the same.
  name: string;
  // The verifier keys of the logs. The name of a key is the log's origin.
  logs: string[];
  // Without a file, the witness forgets all when it stops.
  stateFile?: string;
  // Milliseconds since 1970, as Date.now gives them.
  now?: () => number;
};
type Answer = { status: number; body: string; type?: string; allow?: string };
type Submission = SignedNote & { old: bigint; proof: Buffer[]; checkpoint: Checkpoint };

const PREFIX = '/second';
// 63 hashes and sixteen post-quantum signatures fit several times.
const MAX_BODY = 512 * 1024;
const MAX_PROOF = 63;
const EMPTY_ROOT = createHash('sha256').digest();

export async function startSecondWitness({ name, logs, stateFile, now = Date.now }: Options): Promise<SecondWitness> {
  const key = keyFromSeed(name, WITNESS_KEY, `second witness ${name}`);
  const logKeys = logs.map((vkey) => parseVkey(vkey, LOG_KEY));
  // The served checkpoint of each origin, with the log's signatures and the witness's own.
  const notes = new Map(Object.entries(stateFile === undefined ? {} : readState(stateFile)));

  // From the look at the recorded size to the written file nothing waits, so no other request comes between.
  function addCheckpoint(body: Buffer): Answer {
    const submission = parseSubmission(body);
    if (submission === undefined) return refuse(400, 'The request is malformed.');
    const { checkpoint, text } = submission;
    const trusted = logKeys.filter((log) => log.name === checkpoint.origin);
    if (trusted.length === 0) return refuse(404, 'The origin is unknown.');
    const signed = verifiedLines(submission, trusted);
    if (signed.length === 0) return refuse(403, 'The log did not sign this.');
    const refusal = refusalOf(submission, seen(checkpoint.origin));
    if (refusal !== undefined) return refusal;

    const time = BigInt(Math.floor(now() / 1000));
    // A cosignature of a witness must not leave out its time.
    if (time <= 0n) return refuse(500, 'The clock is wrong.');
    const cosignature = cosignatureLine(key, text, time);
    const kept = new Map(notes).set(checkpoint.origin, `${text}\n${signed.join('')}${cosignature}`);
    if (stateFile !== undefined) writeState(stateFile, kept);
    notes.set(checkpoint.origin, kept.get(checkpoint.origin) ?? '');
    return { status: 200, body: cosignature };
  }

  function seen(origin: string): (Checkpoint & { note: string }) | undefined {
    const note = notes.get(origin);
    const checkpoint = note === undefined ? undefined : parseCheckpoint(parseNote(note)?.text ?? '');
    return note === undefined || checkpoint === undefined ? undefined : { ...checkpoint, note };
  }

  function serveCheckpoint(originHash: string): Answer {
    const origin = [...notes.keys()].find((each) => createHash('sha256').update(each).digest('hex') === originHash);
    const note = origin === undefined ? undefined : notes.get(origin);
    return note === undefined ? refuse(404, 'No such checkpoint.') : { status: 200, body: note };
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    const path = request.url ?? '';
    if (path === `${PREFIX}/add-checkpoint`) {
      if (request.method !== 'POST') return { ...refuse(405, 'Only POST.'), allow: 'POST' };
      const body = await readBody(request);
      return body === undefined ? refuse(413, 'The request is too long.') : addCheckpoint(body);
    }
    const [, originHash] = /^\/second\/([0-9a-f]{64})\/checkpoint$/.exec(path) ?? [];
    if (originHash === undefined) return refuse(404, 'There is nothing here.');
    return request.method === 'GET' ? serveCheckpoint(originHash) : { ...refuse(405, 'Only GET.'), allow: 'GET' };
  }

  const server = createServer((request, response) => {
    void answer(request)
      .catch(() => refuse(500, 'The witness failed.'))
      .then((given) => send(response, given));
  });
  const { origin, stop } = await listen(server);
  return { url: `${origin}${PREFIX}`, vkey: key.vkey, seen, stop };
}

// Undefined for a body that is not exactly as the specification has it.
function parseSubmission(body: Buffer): Submission | undefined {
  const text = decodeUtf8(body);
  const end = text?.indexOf('\n\n') ?? -1;
  if (text === undefined || end === -1) return undefined;
  const [oldLine = '', ...proofLines] = text.slice(0, end).split('\n');
  const old = oldLine.startsWith('old ') ? parseSize(oldLine.slice('old '.length)) : undefined;
  const proof = proofLines.map(decodeBase64).filter((hash) => hash?.length === 32);
  const note = parseNote(text.slice(end + 2));
  const checkpoint = note && parseCheckpoint(note.text);
  if (old === undefined || note === undefined || checkpoint === undefined) return undefined;
  if (proof.length !== proofLines.length || proof.length > MAX_PROOF) return undefined;
  return { ...note, old, proof: proof.filter((hash) => hash !== undefined), checkpoint };
}

function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

// The lines of trusted keys; none where one of them fails, which makes the whole note malformed.
function verifiedLines({ text, signatures, lines }: SignedNote, trusted: VerifierKey[]): string[] {
  const verified: string[] = [];
  for (const [index, signature] of signatures.entries()) {
    const key = trusted.find((each) => isSignedBy(each, signature));
    if (key === undefined) continue;
    if (!hasValidSignature(key, text, signature)) return [];
    verified.push(lines[index] ?? '');
  }
  return verified;
}

// Why the witness does not cosign, in the order in which the specification names the checks.
function refusalOf({ old, proof, checkpoint }: Submission, latest: Checkpoint | undefined): Answer | undefined {
  if (old > checkpoint.size) return refuse(400, 'The old size is above the size.');
  const size = latest?.size ?? 0n;
  if (old !== size) return { status: 409, body: `${size}\n`, type: 'text/x.tlog.size' };
  if (checkpoint.size === 0n && !checkpoint.root.equals(EMPTY_ROOT)) return refuse(409, 'The empty tree has one root.');
  const first = { size, root: latest?.root ?? EMPTY_ROOT };
  const isProven = old === 0n || old === checkpoint.size ? proof.length === 0 : isConsistent(first, checkpoint, proof);
  if (!isProven) return refuse(422, 'The proof does not verify.');
  if (old === checkpoint.size && !first.root.equals(checkpoint.root)) return refuse(409, 'The roots differ.');
  return undefined;
}

function refuse(status: number, reason: string): Answer {
  return { status, body: `${reason}\n` };
}

// Undefined above the limit. The rest is read and dropped, so that the client hears the answer.
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length <= MAX_BODY) chunks.push(bytes);
  }
  return length <= MAX_BODY ? Buffer.concat(chunks) : undefined;
}

function send(response: ServerResponse, { status, body, type = 'text/plain; charset=utf-8', allow }: Answer): void {
  response.writeHead(status, { 'Content-Type': type, ...(allow && { Allow: allow }) }).end(body);
}

function readState(file: string): Record<string, string> {
  return existsSync(file) ? z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
}

// The file is whole at every moment, and on the disk before the witness answers.
function writeState(file: string, notes: Map<string, string>): void {
  const written = openSync(`${file}.new`, 'w');
  writeSync(written, JSON.stringify(Object.fromEntries(notes)));
  fsyncSync(written);
  closeSync(written);
  renameSync(`${file}.new`, file);
}
