// A witness of transparency logs: it signs the head of a log's tree only when that tree extends the last one it signed.
// A log that shows different people different trees cannot get both of them signed. `npm run build:verifier` makes it
// one file, witness.mjs, for any Node 20.
//
// Protocol: c2sp.org/tlog-witness, tlog-cosignature (Ed25519).
import fs from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { equalBytes, formatBase64, parseBase64 } from '#app/tlog/bytes.ts';
import { verifyConsistency } from '#app/tlog/merkle-proof.ts';
import { nodeSha256 as sha256 } from '#app/tlog/sha256.server.ts';
import { cosign, generateSigningKey, parseSigningKey, type SigningKey } from '#app/tlog/sign-note.server.ts';
import { COSIGNATURE, formatVerifierKey, parseVerifierKey, type VerifierKey } from '#app/tlog/signed-note.ts';
import { writeDurably } from './durable-file.ts';
import { MESSAGE, parseRequest, Refused, verifiedNote } from './witness-request.ts';
import { hashOf, lockState, openState, type State, stop, store } from './witness-state.ts';

const USAGE = `node witness.mjs --new-key witness.example/name key-file     makes a key, and prints its public half
node witness.mjs witness.conf                                runs the witness

witness.conf has a setting a line; # begins a comment; files are named from the folder of witness.conf:

  key    key-file
  state  state-file
  listen 127.0.0.1:7080
  prefix /witness                        (optional)
  log    registry.example/log/1+…        (one or more; several keys of one log are allowed)`;
// Sixteen signatures as long as post-quantum ones are.
const MAX_BODY = 256 * 1024;
const MAX_WAITING = 100;
const TIMEOUT_MS = 10_000;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

// --- What the witness does

type Witness = {
  key: SigningKey;
  logs: Map<string, VerifierKey[]>;
  state: State;
  prefix: string;
  waiting: number;
  cosigned: number;
  refused: Map<number, number>;
  /** The request before is answered: they are checked and stored one at a time. */
  before: Promise<unknown>;
};

// The signature line for a checkpoint that extends the last one of its log; the head is stored by then.
async function addCheckpoint({ key, logs, state }: Witness, bytes: Uint8Array): Promise<string> {
  const request = parseRequest(bytes);
  const { old, proof, origin, size, root, note } = request;
  const keys = logs.get(origin);
  if (keys === undefined) throw new Refused(404, 'This log is not known here.');
  const signed = await verifiedNote(request, keys);
  if (old > size) throw new Refused(400, 'The old size is larger than the checkpoint.');
  const last = state.heads.get(origin) ?? { size: 0, time: 0, root: formatBase64(sha256()) };
  // What the log has signed and the witness does not sign may be evidence against the log.
  const refuse = (status: number, words: string, answer?: { body: string; type: string }): never => {
    report({ refused: status, words, origin, old, size, signed: { size: last.size, root: last.root }, note: signed });
    throw new Refused(status, words, answer);
  };
  if (old !== last.size) refuse(409, 'The old size is another.', { body: `${last.size}\n`, type: 'text/x.tlog.size' });
  const oldRoot = parseBase64(last.root);
  // A conflict that no proof resolves, so it names no size to try again with.
  if (old === size && !equalBytes(root, oldRoot)) refuse(409, 'The tree of this size has another root.');
  if (old === 0 && proof.length > 0) refuse(422, 'Nothing needs no proof.');
  if (old > 0 && !(await verifyConsistency(sha256, { oldSize: old, size, oldRoot, root, proof })))
    refuse(422, 'The tree does not extend the last one, or the proof is wrong.');
  // A clock that was set back does not take the time of a cosignature back.
  const time = Math.max(Math.floor(Date.now() / 1000), last.time);
  const line = cosign(key, note.text, time);
  store(state, origin, { size, root: formatBase64(root), time, note: `${signed}${line}` });
  return line;
}

function report(event: object): void {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...event })}\n`);
}

function metricsText({ state, cosigned, refused }: Witness): string {
  const label = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  const family = (name: string, type: string, { help, samples }: { help: string; samples: readonly string[] }) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map((one) => name + one),
  ];
  const ofLogs = (field: 'size' | 'time') =>
    [...state.heads].map(([origin, head]) => `{origin="${label(origin)}"} ${head[field]}`);
  const statuses = [...refused].map(([status, count]) => `{status="${status}"} ${count}`);
  return [
    ...family('witness_cosigned_total', 'counter', {
      help: 'Checkpoints cosigned since the start.',
      samples: [` ${cosigned}`],
    }),
    ...family('witness_refused_total', 'counter', {
      help: 'Requests refused since the start, by status.',
      samples: statuses,
    }),
    ...family('witness_log_size', 'gauge', {
      help: 'Entries of the last checkpoint cosigned.',
      samples: ofLogs('size'),
    }),
    ...family('witness_log_time_seconds', 'gauge', { help: 'Time of the last cosignature.', samples: ofLogs('time') }),
    '',
  ].join('\n');
}

function aboutText({ key, logs, state }: Witness): string {
  const lines = [...logs.keys()].map((origin) => `  ${origin}  /${hashOf(origin)}/checkpoint\n`);
  const head = `${key.verifier.name}: a witness of transparency logs (c2sp.org/tlog-witness)\n${state.vkey}`;
  return `${head}\nIt witnesses:\n${lines.join('')}`;
}

// What is read: [content type, text], or undefined.
function read(witness: Witness, place: string): [string, string] | undefined {
  if (place === '/') return [MESSAGE, aboutText(witness)];
  if (place === '/metrics') return ['text/plain; version=0.0.4; charset=utf-8', metricsText(witness)];
  const [, hash] = /^\/([0-9a-f]{64})\/checkpoint$/.exec(place) ?? [];
  const found = [...witness.state.heads].find(([origin]) => hashOf(origin) === hash);
  return found === undefined ? undefined : [MESSAGE, found[1].note];
}

// --- HTTP

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    length += part.length;
    if (length <= MAX_BODY) parts.push(part);
    // What is a little too long is read to its end, so that the client gets to the answer.
    if (length > 4 * MAX_BODY) break;
  }
  if (length > MAX_BODY) throw new Refused(413, 'The body is too large.');
  return Buffer.concat(parts);
}

function answer(
  response: ServerResponse,
  { status, type = MESSAGE, body }: { status: number; type?: string; body: string },
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body), ...headers });
  response.end(body);
}

async function serve(witness: Witness, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [place = ''] = (request.url ?? '').split('?');
  const at = place.startsWith(witness.prefix) ? place.slice(witness.prefix.length) : '';
  if (request.method === 'GET' || request.method === 'HEAD') {
    const [type, text] = read(witness, at) ?? [];
    const headers = { 'access-control-allow-origin': '*', 'cache-control': 'no-store' };
    if (text === undefined) return answer(response, { status: 404, body: 'Not found.\n' }, headers);
    return answer(response, { status: 200, ...(type === undefined ? {} : { type }), body: text }, headers);
  }
  try {
    if (request.method !== 'POST' || at !== '/add-checkpoint') throw new Refused(404, 'Not found.');
    if (witness.waiting >= MAX_WAITING) throw new Refused(503, 'Too many requests wait.');
    witness.waiting += 1;
    const body = await readBody(request).finally(() => (witness.waiting -= 1));
    const added = witness.before.then(() => addCheckpoint(witness, body));
    witness.before = added.catch(() => undefined);
    const line = await added;
    witness.cosigned += 1;
    answer(response, { status: 200, body: line });
  } catch (error) {
    const refused = error instanceof Refused ? error : new Refused(503, 'The checkpoint was not stored.');
    if (request.destroyed && !request.complete) return;
    if (refused !== error) report({ error: messageOf(error) });
    witness.refused.set(refused.status, (witness.refused.get(refused.status) ?? 0) + 1);
    answer(response, refused, {
      ...(request.complete ? {} : { connection: 'close' }),
      ...(refused.status === 503 ? { 'retry-after': '1' } : {}),
    });
  }
}

// --- The start

async function makeKey(name = '', file = ''): Promise<never> {
  const text = await generateSigningKey(name, COSIGNATURE).catch(() => '');
  if (text === '' || file === '')
    return stop('Give a name such as witness.example/name, without spaces and plus, and a new file.');
  try {
    writeDurably(file, `${text}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    stop(`The key cannot be written: ${messageOf(error)}.`);
  }
  process.stdout.write(`${formatVerifierKey((await parseSigningKey(text, COSIGNATURE)).verifier, COSIGNATURE)}\n`);
  process.exit(0);
}

const ONCE = ['key', 'state', 'listen', 'prefix'] as const;

async function readSettings(file: string) {
  const settings = new Map<string, string>();
  const logs = new Map<string, VerifierKey[]>();
  for (const [at, line] of readOr(file, 'The settings').split('\n').entries()) {
    const [, name, value = ''] = /^\s*(\S+)\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined || name.startsWith('#')) continue;
    if (name === 'log') {
      const key = await parseVerifierKey(value).catch(() =>
        stop(`log: ${value} is no verifier key (name+hash+key) of a log.`),
      );
      logs.set(key.name, [...(logs.get(key.name) ?? []), key]);
    } else if (!ONCE.some((known) => known === name)) stop(`${name}: line ${at + 1} of ${file} is no setting.`);
    else if (settings.has(name)) stop(`${name}: it is set twice.`);
    else settings.set(name, value);
  }
  const [key = '', state = '', listen = '', prefix = ''] = ONCE.map((name) => settings.get(name));
  for (const [name, value] of Object.entries({ key, state, listen }))
    if (value === '') stop(`${name}: it is not set in ${file}.`);
  const [, host, port] = /^(?:\[(?=.*:)|(?!.*\[))([^\]]+)\]?:(\d{1,5})$/.exec(listen) ?? [];
  if (host === undefined || Number(port) > 65_535) stop(`listen: ${listen} is no HOST:PORT.`);
  if (!/^(?:(?:\/[\w.~-]+)+)?$/.test(prefix)) stop(`prefix: ${prefix} is no path such as /witness.`);
  if (logs.size === 0) stop(`log: none is set in ${file}.`);
  const from = path.dirname(path.resolve(file));
  return {
    keyFile: path.resolve(from, key),
    stateFile: path.resolve(from, state),
    host,
    port: Number(port),
    prefix,
    logs,
  };
}

function readOr(file: string, what: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    return stop(`${what} cannot be read: ${messageOf(error)}.`);
  }
}

async function openLocked(stateFile: string, keyFile: string, { keyText, vkey }: { keyText: string; vkey: string }) {
  try {
    // Two names of one file are one state.
    const folder = fs.realpathSync(path.dirname(stateFile));
    const real = fs.existsSync(stateFile) ? fs.realpathSync(stateFile) : path.join(folder, path.basename(stateFile));
    await lockState(real, keyText);
    return openState(real, keyFile, vkey);
  } catch (error) {
    return stop(`state: ${messageOf(error)}.`);
  }
}

async function run(file: string): Promise<void> {
  const { keyFile, stateFile, host, port, prefix, logs } = await readSettings(file);
  const keyText = readOr(keyFile, 'key: it');
  const key = await parseSigningKey(keyText, COSIGNATURE).catch(() =>
    stop(`key: ${keyFile} is no key of a witness (--new-key makes one).`),
  );
  const vkey = formatVerifierKey(key.verifier, COSIGNATURE);
  const state = await openLocked(stateFile, keyFile, { keyText, vkey });
  const counts = { waiting: 0, cosigned: 0, refused: new Map<number, number>() };
  const witness: Witness = { key, logs, state, prefix, ...counts, before: Promise.resolve() };
  const server = createServer(
    {
      requestTimeout: TIMEOUT_MS,
      headersTimeout: TIMEOUT_MS,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 1000,
    },
    (request, response) => void serve(witness, request, response),
  );
  server.on('error', (error) => stop(`listen: ${error.message}.`));
  server.listen(port, host, () =>
    report({ ready: server.address(), name: key.verifier.name, vkey, logs: [...logs.keys()] }),
  );
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      server.close(() => process.exit(0));
      setInterval(() => server.closeIdleConnections(), 50);
      setTimeout(() => process.exit(0), TIMEOUT_MS);
    });
}

// A reader of the lines that goes away does not end the witness.
process.stdout.on('error', () => {});
const [first, ...rest] = process.argv.slice(2);
if (first === '--new-key') await makeKey(...rest);
else if (first === undefined || rest.length > 0) stop(USAGE);
else await run(first);
