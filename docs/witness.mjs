#!/usr/bin/env node
// A witness of transparency logs, in one file, with nothing but Node 20: it signs the head of a log's tree only when that tree
// extends the last one it signed. A log that shows different people different trees cannot get both of them signed.
//
//   node witness.mjs --new-key witness.example/name key-file     makes a key, and prints its public half
//   node witness.mjs witness.conf                                runs the witness
//
// witness.conf has a setting a line; `#` begins a comment; files are named from the folder of witness.conf:
//
//   key    key-file
//   state  state-file
//   listen 127.0.0.1:7080
//   prefix /witness                        (optional)
//   log    registry.example/log/1+…        (one or more; several keys of one log are allowed)
//
// Protocol and formats: c2sp.org/tlog-witness, tlog-cosignature (Ed25519), tlog-checkpoint, signed-note.
// It keeps the last head of each log in the state file, on disk before it answers: a witness that forgets could sign a fork.
import { createHash, createPrivateKey, createPublicKey, randomBytes, sign, verify } from 'node:crypto';
import fs from 'node:fs';
import { createServer } from 'node:http';
import net from 'node:net';
import path from 'node:path';

const LOG_TYPE = 0x01;
const WITNESS_TYPE = 0x04;
// Sixteen signatures as long as post-quantum ones are.
const MAX_BODY = 256 * 1024;
const MAX_WAITING = 100;
const MAX_PROOF = 63;
const TIMEOUT_MS = 10_000;
const MESSAGE = 'text/plain; charset=utf-8';

function stop(words, code = 2) {
  process.stderr.write(`${words}\n`);
  process.exit(code);
}

// What a client is answered when it does not get a cosignature.
class Refused extends Error {
  constructor(status, words, { body = `${words}\n`, type = MESSAGE } = {}) {
    super(words);
    Object.assign(this, { status, body, type });
  }
}

// --- Keys and notes

function sha256(...parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

// Undefined unless it is the one text that these bytes have.
function decodeBase64(text) {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

const isKeyName = (name) => name !== '' && !/[\p{White_Space}\p{Cc}+]/u.test(name);
const keyIdOf = (name, typedKey) => sha256(`${name}\n`, typedKey).subarray(0, 4);

// Undefined unless it is `name+hash+base64(type || public key)`.
function parseVerifierKey(text, type) {
  const [, name = '', hash, base64 = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text) ?? [];
  const typed = decodeBase64(base64);
  if (!isKeyName(name) || typed?.length !== 33 || typed[0] !== type) return undefined;
  const id = keyIdOf(name, typed);
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), typed.subarray(1)]);
  return id.toString('hex') === hash ? { name, id, key: createPublicKey({ key: der, format: 'der', type: 'spki' }) } : undefined;
}

function signingKey(name, seed) {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  const typed = Buffer.concat([Buffer.of(WITNESS_TYPE), publicKey]);
  const id = keyIdOf(name, typed);
  return { name, id, key, seed, vkey: `${name}+${id.toString('hex')}+${typed.toString('base64')}` };
}

// Undefined unless it is `PRIVATE+KEY+name+hash+base64(0x04 || seed)`.
function parseSigningKey(text) {
  const [, name = '', hash, base64 = ''] = /^PRIVATE\+KEY\+([^+]+)\+([0-9a-f]{8})\+([^\n]+)\n?$/.exec(text) ?? [];
  const typed = decodeBase64(base64);
  if (!isKeyName(name) || typed?.length !== 33 || typed[0] !== WITNESS_TYPE) return undefined;
  const key = signingKey(name, typed.subarray(1));
  return key.id.toString('hex') === hash ? key : undefined;
}

function makeKey(name = '', file = '') {
  if (!isKeyName(name) || file === '') stop('Give a name such as witness.example/name, without spaces and plus, and a new file.');
  const key = signingKey(name, randomBytes(32));
  const typedSeed = Buffer.concat([Buffer.of(WITNESS_TYPE), key.seed]).toString('base64');
  try {
    writeDurably(file, `PRIVATE+KEY+${name}+${key.id.toString('hex')}+${typedSeed}\n`, 'wx');
  } catch (error) {
    stop(`The key cannot be written: ${error.code === 'EEXIST' ? `${file} is there already` : error.message}.`);
  }
  process.stdout.write(`${key.vkey}\n`);
  process.exit(0);
}

function signatureLine({ name, id }, signature) {
  return `\u2014 ${name} ${Buffer.concat([id, signature]).toString('base64')}\n`;
}

// --- The request: an old size, a proof, an empty line, a checkpoint

const malformed = (words) => new Refused(400, words);

function parseSize(text) {
  const size = /^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(size)) throw malformed('A size is not a decimal number up to 2^53-1.');
  return size;
}

function parseHash(text) {
  const hash = decodeBase64(text);
  if (hash?.length !== 32) throw malformed('A hash is not 32 bytes in base64.');
  return hash;
}

function parseSignature(line) {
  const [, name = '', base64 = ''] = /^\u2014 ([^ ]+) ([^ ]+)$/.exec(line) ?? [];
  const bytes = decodeBase64(base64);
  if (!isKeyName(name) || bytes === undefined || bytes.length < 5) throw malformed('A signature line is malformed.');
  return { name, id: bytes.subarray(0, 4), signature: bytes.subarray(4), line: `${line}\n` };
}

function parseRequest(bytes) {
  let body;
  try {
    body = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw malformed('The body is not UTF-8.');
  }
  if (/[\u0000-\u0009\u000b-\u001f]/.test(body)) throw malformed('The body has control characters.');
  const head = body.indexOf('\n\n');
  const note = body.slice(head + 2);
  // The last empty line of a note ends its text.
  const end = note.lastIndexOf('\n\n');
  if (head === -1 || end === -1 || !note.endsWith('\n')) throw malformed('The body is no old size, proof and checkpoint.');
  const [old = '', ...proof] = body.slice(0, head).split('\n');
  if (!old.startsWith('old ') || proof.length > MAX_PROOF) throw malformed('The old size is missing, or the proof too long.');
  const text = note.slice(0, end + 1);
  const [origin = '', size = '', root = '', ...extensions] = text.split('\n');
  if (extensions.pop() !== '' || extensions.includes('') || origin === '') throw malformed('The note is no checkpoint.');
  return {
    old: parseSize(old.slice('old '.length)),
    proof: proof.map(parseHash),
    text,
    origin,
    size: parseSize(size),
    root: parseHash(root),
    signatures: note.slice(end + 2, -1).split('\n').map(parseSignature),
  };
}

// The lines of the log's own signatures. Those of keys that are not known are ignored; a wrong one of a known key refuses all.
function verifiedLines({ text, signatures }, keys) {
  const own = new Set();
  for (const { name, id, signature, line } of signatures)
    for (const known of keys) {
      if (known.name !== name || !known.id.equals(id)) continue;
      if (!verify(null, Buffer.from(text), known.key, signature)) throw new Refused(403, 'A signature of the log is wrong.');
      own.add(line);
    }
  if (own.size === 0) throw new Refused(403, 'There is no signature of a known key of the log.');
  return [...own].join('');
}

const nodeHash = (left, right) => sha256(Buffer.of(1), left, right);

// RFC 9162 section 2.1.4.2. Sizes go beyond 32 bits, so they are halved by division.
function extendsTree({ old, oldRoot, size, root, proof }) {
  if (old === size) return proof.length === 0;
  let [at, last] = [old - 1, size - 1];
  const up = () => ([at, last] = [Math.floor(at / 2), Math.floor(last / 2)]);
  while (at % 2 === 1) up();
  // An old tree that is one complete subtree is not repeated in the proof.
  const [first, ...siblings] = at === 0 ? [oldRoot, ...proof] : proof;
  if (first === undefined) return false;
  let [oldHash, hash] = [first, first];
  for (const sibling of siblings) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      [oldHash, hash] = [nodeHash(sibling, oldHash), nodeHash(sibling, hash)];
      while (at % 2 === 0 && at !== 0) up();
    } else hash = nodeHash(hash, sibling);
    up();
  }
  return last === 0 && oldHash.equals(oldRoot) && hash.equals(root);
}

// --- The state

function writeDurably(file, text, flag) {
  const open = fs.openSync(file, flag, 0o600);
  fs.writeFileSync(open, text);
  fs.fsyncSync(open);
  fs.closeSync(open);
  syncFolder(file);
}

function syncFolder(file) {
  const folder = fs.openSync(path.dirname(file), 'r');
  fs.fsyncSync(folder);
  fs.closeSync(folder);
}

// A line of JSON, and its hash: a state with one flipped bit is not taken.
function formatState(vkey, heads) {
  const json = JSON.stringify({ format: 'witness-state/1', vkey, heads: Object.fromEntries(heads) });
  return `${json}\n${sha256(json).toString('hex')}\n`;
}

// An empty state is made once in the life of a key: a mark beside the key says that this was done.
function openState(file, keyFile, { vkey }) {
  const mark = `${keyFile}.used`;
  const isMarked = () => fs.existsSync(mark) && fs.readFileSync(mark, 'utf8') === `${vkey}\n`;
  if (!fs.existsSync(file)) {
    if (isMarked())
      stop(`state: ${file} is missing, and this key has signed. Bring it back, no older copy, or make a new key.`);
    writeDurably(`${file}.new`, formatState(vkey, new Map()), 'w');
    fs.renameSync(`${file}.new`, file);
    syncFolder(file);
  }
  const text = fs.readFileSync(file, 'utf8');
  const [json = '', hash] = text.split('\n');
  if (text !== `${json}\n${hash}\n` || sha256(json).toString('hex') !== hash)
    stop(`state: ${file} is damaged. Make a new key: an empty or older state could sign a fork.`);
  const state = JSON.parse(json);
  if (state.vkey !== vkey) stop(`state: ${file} is of another key, ${state.vkey}.`);
  if (!isMarked()) writeDurably(mark, `${vkey}\n`, 'w');
  return { file, vkey, text, heads: new Map(Object.entries(state.heads)) };
}

function store(state, origin, head) {
  const heads = new Map(state.heads).set(origin, head);
  const text = formatState(state.vkey, heads);
  writeDurably(`${state.file}.new`, text, 'w');
  // The lock keeps processes of one machine apart; this finds one of another machine or container.
  if (fs.readFileSync(state.file, 'utf8') !== state.text) stop('state: another witness has written it.', 1);
  fs.renameSync(`${state.file}.new`, state.file);
  try {
    syncFolder(state.file);
  } catch (error) {
    // Whether it is stored is not known: only a new start, which reads it, can tell.
    stop(`state: ${error.message}`, 1);
  }
  Object.assign(state, { heads, text });
}

// Node has no lock of files. On Linux a socket of the abstract namespace serves: the kernel gives a name to one process at a
// time, and takes it back however that ends. A file with a process's number would outlive it, and the number be given again.
// The key is part of the name, so that nobody else can take it beforehand. macOS and the BSDs can lock a file as they open it.
async function lock(file, seed) {
  const { dev, ino } = fs.statSync(path.dirname(file));
  const name = sha256(seed, `${dev} ${ino} ${path.basename(file)}`).toString('hex');
  const held = () => stop(`state: another witness runs with ${file}.`);
  if (process.platform === 'win32') stop('This needs Linux, macOS or a BSD.');
  if (process.platform !== 'linux') {
    const O_EXLOCK = 0x20;
    try {
      return fs.openSync(`${file}.lock`, fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_NONBLOCK | O_EXLOCK, 0o600);
    } catch (error) {
      return error.code === 'EAGAIN' ? held() : stop(`state: ${error.message}.`);
    }
  }
  const socket = net.createServer().unref();
  socket.on('error', held);
  return new Promise((resolve) => socket.listen(`\0witness-${name}`, () => resolve(socket)));
}

// --- What the witness does

// The signature line for a checkpoint that extends the last one of its log; the head is stored by then.
function addCheckpoint(witness, bytes) {
  const { key, logs, state } = witness;
  const request = parseRequest(bytes);
  const { old, proof, text, origin, size, root } = request;
  const keys = logs.get(origin);
  if (keys === undefined) throw new Refused(404, 'This log is not known here.');
  const logLines = verifiedLines(request, keys);
  if (old > size) throw new Refused(400, 'The old size is larger than the checkpoint.');
  const last = state.heads.get(origin) ?? { size: 0, time: 0 };
  // What the log has signed and the witness does not sign may be evidence against the log.
  const refuse = (status, words, answer) => {
    const signed = { size: last.size, root: last.root };
    report({ refused: status, words, origin, old, size, signed, note: `${text}\n${logLines}` });
    throw new Refused(status, words, answer);
  };
  if (old !== last.size) refuse(409, 'The old size is another.', { body: `${last.size}\n`, type: 'text/x.tlog.size' });
  const oldRoot = old === 0 ? sha256() : Buffer.from(last.root, 'base64');
  // A conflict that no proof resolves, so it names no size to try again with.
  if (old === size && !root.equals(oldRoot)) refuse(409, 'The tree of this size has another root.');
  if (old === 0 && proof.length > 0) refuse(422, 'Nothing needs no proof.');
  if (old > 0 && !extendsTree({ old, oldRoot, size, root, proof }))
    refuse(422, 'The tree does not extend the last one, or the proof is wrong.');
  // A clock that was set back does not take the time of a cosignature back.
  const time = Math.max(Math.floor(Date.now() / 1000), last.time);
  const seconds = Buffer.alloc(8);
  seconds.writeBigUInt64BE(BigInt(time));
  const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${time}\n${text}`), key.key);
  const line = signatureLine(key, Buffer.concat([seconds, signature]));
  store(state, origin, { size, root: root.toString('base64'), time, note: `${text}\n${logLines}${line}` });
  return line;
}

function report(event) {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...event })}\n`);
}

function metricsText({ state, cosigned, refused }) {
  const label = (text) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  const family = (name, type, help, samples) =>
    [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples.map((one) => name + one)];
  const heads = [...state.heads].map(([origin, head]) => [label(origin), head]);
  return [
    ...family('witness_cosigned_total', 'counter', 'Checkpoints cosigned since the start.', [` ${cosigned}`]),
    ...family('witness_refused_total', 'counter', 'Requests refused since the start, by status.',
      [...refused].map(([status, count]) => `{status="${status}"} ${count}`)),
    ...family('witness_log_size', 'gauge', 'Entries of the last checkpoint cosigned.',
      heads.map(([origin, { size }]) => `{origin="${origin}"} ${size}`)),
    ...family('witness_log_time_seconds', 'gauge', 'Time of the last cosignature.',
      heads.map(([origin, { time }]) => `{origin="${origin}"} ${time}`)),
    '',
  ].join('\n');
}

function aboutText({ key, logs }) {
  const lines = [...logs.keys()].map((origin) => `  ${origin}  /${sha256(origin).toString('hex')}/checkpoint\n`);
  return `${key.name}: a witness of transparency logs (c2sp.org/tlog-witness)\n${key.vkey}\nIt witnesses:\n${lines.join('')}`;
}

// What is read: [content type, text], or undefined.
function read(witness, place) {
  if (place === '/') return [MESSAGE, aboutText(witness)];
  if (place === '/metrics') return ['text/plain; version=0.0.4; charset=utf-8', metricsText(witness)];
  const [, hash] = /^\/([0-9a-f]{64})\/checkpoint$/.exec(place) ?? [];
  for (const [origin, { note }] of hash === undefined ? [] : witness.state.heads)
    if (sha256(origin).toString('hex') === hash) return [MESSAGE, note];
  return undefined;
}

// --- HTTP

async function readBody(request) {
  const parts = [];
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

function answer(response, status, type, body, headers = {}) {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body), ...headers });
  response.end(body);
}

async function serve(witness, request, response) {
  const [place = ''] = (request.url ?? '').split('?');
  const at = place.startsWith(witness.prefix) ? place.slice(witness.prefix.length) : '';
  if (request.method === 'GET' || request.method === 'HEAD') {
    const [type, text] = read(witness, at) ?? [];
    const headers = { 'access-control-allow-origin': '*', 'cache-control': 'no-store' };
    if (text === undefined) return answer(response, 404, MESSAGE, 'Not found.\n', headers);
    return answer(response, 200, type, text, headers);
  }
  try {
    if (request.method !== 'POST' || at !== '/add-checkpoint') throw new Refused(404, 'Not found.');
    if (witness.waiting >= MAX_WAITING) throw new Refused(503, 'Too many requests wait.');
    witness.waiting += 1;
    const body = await readBody(request).finally(() => (witness.waiting -= 1));
    // From here to the answer nothing waits: requests are checked and stored one at a time.
    const line = addCheckpoint(witness, body);
    witness.cosigned += 1;
    answer(response, 200, MESSAGE, line);
  } catch (error) {
    const { status, body, type } = error instanceof Refused ? error : new Refused(503, 'The checkpoint was not stored.');
    if (request.destroyed && !request.complete) return;
    if (!(error instanceof Refused)) report({ error: error.message });
    witness.refused.set(status, (witness.refused.get(status) ?? 0) + 1);
    const close = request.complete ? {} : { connection: 'close' };
    answer(response, status, type, body, { ...close, ...(status === 503 ? { 'retry-after': '1' } : {}) });
  }
}

// --- The start

function readSettings(file) {
  const settings = { log: [] };
  const lines = readOr(file, 'The settings').split('\n');
  for (const [at, line] of lines.entries()) {
    const [, name, value = ''] = /^\s*(\S+)\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined || name.startsWith('#')) continue;
    if (!['key', 'state', 'listen', 'prefix', 'log'].includes(name)) stop(`${name}: line ${at + 1} of ${file} is no setting.`);
    if (name === 'log') settings.log.push(value);
    else if (name in settings) stop(`${name}: it is set twice.`);
    else settings[name] = value;
  }
  const { key, state, listen, prefix = '', log } = settings;
  for (const name of ['key', 'state', 'listen']) if (!settings[name]) stop(`${name}: it is not set in ${file}.`);
  const [, host, port] = /^(?:\[(?=.*:)|(?!.*\[))([^\]]+)\]?:(\d{1,5})$/.exec(listen) ?? [];
  if (host === undefined || Number(port) > 65_535) stop(`listen: ${listen} is no HOST:PORT.`);
  if (!/^(?:(?:\/[\w.~-]+)+)?$/.test(prefix)) stop(`prefix: ${prefix} is no path such as /witness.`);
  if (log.length === 0) stop(`log: none is set in ${file}.`);
  const logs = new Map();
  for (const text of log) {
    const known = parseVerifierKey(text, LOG_TYPE) ?? stop(`log: ${text} is no verifier key (name+hash+key) of a log.`);
    logs.set(known.name, [...(logs.get(known.name) ?? []), known]);
  }
  const from = path.dirname(path.resolve(file));
  return { keyFile: path.resolve(from, key), stateFile: path.resolve(from, state), host, port: Number(port), prefix, logs };
}

function readOr(file, what) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    return stop(`${what} cannot be read: ${error.message}.`);
  }
}

async function run(file) {
  const { keyFile, stateFile, host, port, prefix, logs } = readSettings(file);
  const key = parseSigningKey(readOr(keyFile, 'key: it')) ?? stop(`key: ${keyFile} is no key of a witness (--new-key makes one).`);
  let [realFile, state, held] = [stateFile];
  try {
    // Two names of one file are one state.
    const folder = fs.realpathSync(path.dirname(stateFile));
    realFile = fs.existsSync(stateFile) ? fs.realpathSync(stateFile) : path.join(folder, path.basename(stateFile));
    held = await lock(realFile, key.seed);
    state = openState(realFile, keyFile, key);
  } catch (error) {
    stop(`state: ${error.message}.`);
  }
  const witness = { key, logs, state, prefix, held, waiting: 0, cosigned: 0, refused: new Map() };
  const timeouts = { requestTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS, keepAliveTimeout: 65_000 };
  const limits = { ...timeouts, connectionsCheckingInterval: 1000 };
  const server = createServer(limits, (request, response) => void serve(witness, request, response));
  server.on('error', (error) => stop(`listen: ${error.message}.`));
  server.listen(port, host, () => report({ ready: server.address(), name: key.name, vkey: key.vkey, logs: [...logs.keys()] }));
  for (const signal of ['SIGTERM', 'SIGINT'])
    process.once(signal, () => {
      server.close(() => process.exit(0));
      setInterval(() => server.closeIdleConnections(), 50);
      setTimeout(() => process.exit(0), TIMEOUT_MS);
    });
}

// A reader of the lines that goes away does not end the witness.
process.stdout.on('error', () => {});
const [first, ...rest] = process.argv.slice(2);
if (first === '--new-key') makeKey(...rest);
else if (first === undefined || rest.length > 0) stop('Give the file of settings, or --new-key with a name and a file.');
else await run(first);
