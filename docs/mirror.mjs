#!/usr/bin/env node
// Follows a registry's transparency log from outside and keeps a whole copy of it, in one file, with nothing but Node 20: run
// it every hour, from cron for example.
//
//   node mirror.mjs https://registry.example/log/1 'registry.example/log/1+…' FOLDER
//     --command CMD           runs CMD at an alarm, with the alarm on its standard input: "mail -s 'Log alarm' you@site.example"
//     --stale MINUTES         alarm when the log has not changed for so long
//     --policy FILE           alarm when the witnesses of this policy have not cosigned the log within a day
//     --witness KEYFILE       cosigns the copy's checkpoint too (witness.mjs --new-key makes the key; it must have no other use)
//     --serve HOST:PORT --every SECONDS      goes on: serves the copy, and follows the log again and again
//
// It fetches what is new, hashes all of it, and compares the result with what the registry signed and with all that it has.
// FOLDER can be served by any web server, and audited like the log itself. It ends with 1 and says ALARM when the log has
// forked, was shortened or rewritten, has a gap, steps back in time, is stale or lacks witnesses; with 2 when it could not tell
// (the registry cannot be reached); with 0 when all is well. Killed at any moment, it goes on where it was.
// Formats: c2sp.org/tlog-tiles, tlog-checkpoint, signed-note, tlog-cosignature, tlog-policy; the tree is that of RFC 9162.
import { spawnSync } from 'node:child_process';
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import fs from 'node:fs';
import { createServer } from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { parseArgs } from 'node:util';

const DAY = 86_400;
const WIDTH = 256;
const SAVE_EVERY_MS = 5000;
const FETCH_WITHIN_MS = 30_000;
const [LOG_TYPE, WITNESS_TYPE, ML_DSA_TYPE] = [0x01, 0x04, 0x06];

class Alarm extends Error {}

function stop(code, words) {
  process.stdout.write(`${words}\n`);
  process.exit(code);
}

const usage = (words) => stop(2, `${words} The head of mirror.mjs says how to use it.`);
const secondsNow = () => Math.floor(Date.now() / 1000);
// --- Hashes and trees

const sha256 = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest();
const leafHash = (entry) => sha256(Buffer.of(0), entry);
const nodeHash = (left, right) => sha256(Buffer.of(1), left, right);

// The root over hashes of equal height, of which the last may be of a smaller tree.
function rootOf(hashes) {
  if (hashes.length === 1) return hashes[0];
  let left = 1;
  while (left * 2 < hashes.length) left *= 2;
  return nodeHash(rootOf(hashes.slice(0, left)), rootOf(hashes.slice(left)));
}

// An edge is the right side of a tree: of each level the hashes of the tile that is not full. Together they give the root.
function rootOfEdge(edge) {
  let root;
  for (const hashes of edge) {
    const row = root === undefined ? hashes : [...hashes, root];
    if (row.length > 0) root = rootOf(row);
  }
  return root ?? sha256();
}

const countAt = (size, level) => Math.floor(size / WIDTH ** level);
const tileIndex = (size, level) => Math.floor(countAt(size, level) / WIDTH);
const levelsOf = (size) => Array.from({ length: 7 }, (_, level) => level).filter((level) => countAt(size, level) > 0);

function tilePath(level, index, width = WIDTH) {
  const parts = [String(index % 1000).padStart(3, '0')];
  for (let rest = Math.floor(index / 1000); rest > 0; rest = Math.floor(rest / 1000))
    parts.unshift(`x${String(rest % 1000).padStart(3, '0')}`);
  return `tile/${level}/${parts.join('/')}${width === WIDTH ? '' : `.p/${width}`}`;
}

function hashesOf(bytes, width, where) {
  if (bytes.length < width * 32) throw new Alarm(`${where} does not hold ${width} hashes: a gap`);
  return Array.from({ length: width }, (_, at) => bytes.subarray(at * 32, at * 32 + 32));
}

function entriesOf(bundle, width) {
  const entries = [];
  for (let at = 0; at < bundle.length;) {
    const end = at + 2 + (at + 2 > bundle.length ? 0 : bundle.readUInt16BE(at));
    if (end > bundle.length) throw new Alarm('an entry bundle is cut off');
    entries.push(bundle.subarray(at + 2, end));
    at = end;
  }
  if (entries.length < width) throw new Alarm(`a bundle has ${entries.length} entries and not ${width}: a gap`);
  return entries.slice(0, width);
}

const bundleOf = (entries) =>
  Buffer.concat(entries.flatMap((entry) => [Buffer.of(entry.length >> 8, entry.length & 255), entry]));

// --- Keys and notes

function parseVerifierKey(text, ...types) {
  const [, name = '', id = '', base64 = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text) ?? [];
  const typed = Buffer.from(base64, 'base64');
  if (!types.includes(typed[0]) || typed.length !== (typed[0] === ML_DSA_TYPE ? 1313 : 33)) return undefined;
  if (sha256(Buffer.from(`${name}\n`), typed).toString('hex', 0, 4) !== id) return undefined;
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), typed.subarray(1, 33)]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return { name, id, key, type: typed[0], material: typed.toString('base64') };
}

// The text of a note, and what stands under it by `key`: the bytes after the key's id, a line each.
function openNote(note, { name, id }) {
  const end = note.lastIndexOf('\n\n');
  const lines = note.slice(end + 2).split('\n').filter((line) => line.startsWith(`\u2014 ${name} `));
  const signed = lines.map((line) => ({ line, bytes: Buffer.from(line.split(' ').at(-1), 'base64') }));
  const own = signed.filter(({ bytes }) => bytes.toString('hex', 0, 4) === id);
  return { text: note.slice(0, end + 1), own: own.map(({ line, bytes }) => ({ line, signature: bytes.subarray(4) })) };
}

// The signed head of the tree.
function openCheckpoint(note, logKey) {
  const { text, own } = openNote(note, logKey);
  if (own.length === 0 || !own.every(({ signature }) => verify(null, Buffer.from(text), logKey.key, signature)))
    throw new Alarm('the checkpoint does not bear the signature of the key');
  const [origin, size, root] = text.split('\n');
  if (origin !== logKey.name) throw new Alarm(`the checkpoint is of another log, ${origin}`);
  if (!/^(0|[1-9]\d{0,14})$/.test(size) || Buffer.from(root ?? '', 'base64').length !== 32)
    throw new Alarm('the signed checkpoint is malformed');
  return { note, text, size: Number(size), root, signed: `${text}\n${own[0].line}\n` };
}

const cosignedText = (time, text) => Buffer.from(`cosignature/v1\ntime ${time}\n${text}`);

// When the witness cosigned the note, in seconds; 0 when it did not. A key that cannot be checked here (ML-DSA) did not.
function cosignedAt(note, witness) {
  const { text, own } = openNote(note, witness);
  let newest = 0;
  for (const { signature } of witness.type === WITNESS_TYPE ? own : []) {
    const time = signature.length === 72 ? Number(signature.readBigUInt64BE(0)) : 0;
    if (time === 0 || !verify(null, cosignedText(time, text), witness.key, signature.subarray(8)))
      throw new Alarm(`the cosignature of ${witness.name} is wrong`);
    newest = Math.max(newest, time);
  }
  return newest;
}

function readWitnessKey(file) {
  const text = fs.readFileSync(file, 'utf8');
  const [, name = '', base64 = ''] = /^PRIVATE\+KEY\+([^\s+]+)\+[0-9a-f]{8}\+(\S+)\n?$/.exec(text) ?? [];
  const typed = Buffer.from(base64, 'base64');
  if (typed.length !== 33 || typed[0] !== WITNESS_TYPE) throw new Error(`${file} holds no key of a witness`);
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), typed.subarray(1)]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  const typedKey = Buffer.concat([Buffer.of(WITNESS_TYPE), publicKey]);
  const id = sha256(Buffer.from(`${name}\n`), typedKey).subarray(0, 4);
  // As witness.mjs marks it, so that neither takes a key that the other has used.
  return { name, key, id, used: `${file}.used`, vkey: `${name}+${id.toString('hex')}+${typedKey.toString('base64')}\n` };
}

function cosign({ name, key, id }, text, time) {
  const seconds = Buffer.alloc(8);
  seconds.writeBigUInt64BE(BigInt(time));
  const signature = sign(null, cosignedText(time, text), key);
  return `\u2014 ${name} ${Buffer.concat([id, seconds, signature]).toString('base64')}\n`;
}

// --- The policy: which witnesses must have cosigned (c2sp.org/tlog-policy)

// `counts(cosigned)` says whether the witnesses of which `cosigned` is true are enough.
function parsePolicy(file, logKey) {
  // Bytes beyond ASCII mean nothing but themselves.
  const text = fs.readFileSync(file, 'latin1');
  const fail = (at, words) => usage(`The policy ${file}, line ${at + 1}: ${words}.`);
  const [rules, members, keys, logs] = [new Map(), new Set(), new Map(), []];
  let quorum;
  const parseKey = (at, vkey = '', ...types) => {
    const key = parseVerifierKey(Buffer.from(vkey, 'latin1').toString(), ...types) ?? fail(at, 'no verifier key of this kind');
    if ([...keys.values(), ...logs].some(({ material }) => material === key.material)) fail(at, 'a key twice');
    return key;
  };
  const define = (at, name, rule) => {
    if (name === undefined || name === 'none' || rules.has(name)) fail(at, 'the name is missing or taken');
    rules.set(name, rule);
  };
  for (const [at, line] of text.split('\n').entries()) {
    if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(line)) fail(at, 'a control character');
    const [kind = '', name, ...rest] = line.split(/[ \t]+/).filter((word) => word !== '');
    if (kind === '' || kind.startsWith('#')) continue;
    if (kind === 'log' && rest.length <= 1) logs.push(parseKey(at, name, LOG_TYPE, ML_DSA_TYPE));
    else if (kind === 'witness' && (rest.length === 1 || rest.length === 2)) {
      const key = parseKey(at, rest[0], WITNESS_TYPE, ML_DSA_TYPE);
      define(at, name, (cosigned) => cosigned(key));
      keys.set(name, key);
    } else if (kind === 'group' && rest.length >= 2) {
      const [count, ...of] = rest;
      const needed = { all: of.length, any: 1 }[count] ?? (/^[1-9]\d*$/.test(count) ? Number(count) : 0);
      if (needed < 1 || needed > of.length) fail(at, 'the number of members that it needs');
      const parts = of.map((one) => {
        if (!rules.has(one) || members.has(one)) fail(at, `${one} is not defined, or a member already`);
        members.add(one);
        return rules.get(one);
      });
      define(at, name, (cosigned) => parts.filter((part) => part(cosigned)).length >= needed);
    } else if (kind === 'quorum' && rest.length === 0 && quorum === undefined)
      quorum = name === 'none' ? () => true : (rules.get(name) ?? fail(at, 'the quorum is not defined above'));
    else fail(at, 'it is no line of a policy');
  }
  if (quorum === undefined) usage(`The policy ${file} has no quorum.`);
  const isOurs = ({ name, id }) => name === logKey.name && id === logKey.id;
  if (logs.length > 0 && !logs.some(isOurs)) usage(`The policy ${file} is of other logs.`);
  return { counts: quorum, witnesses: [...keys.values()] };
}

function judgeWitnesses({ counts, witnesses }, note) {
  if (counts(() => false)) return;
  if (note === undefined) throw new Alarm('witness missing: the log has no checkpoint.witnessed');
  const times = new Map(witnesses.map((witness) => [witness, cosignedAt(note, witness)]));
  const missing = witnesses.filter((witness) => times.get(witness) === 0).map(({ name }) => name);
  if (!counts((witness) => times.get(witness) > 0)) throw new Alarm(`witness missing: the quorum lacks ${missing.join(', ')}`);
  if (!counts((witness) => times.get(witness) >= secondsNow() - DAY))
    throw new Alarm('witness missing: the newest cosignatures of the quorum are older than a day');
}

// --- The log that is followed

async function fetchBytes(base, place) {
  const answer = await fetch(`${base}/${place}`, { signal: AbortSignal.timeout(FETCH_WITHIN_MS) });
  if (answer.status === 404) return undefined;
  if (!answer.ok) throw new Error(`${base}/${place} was answered ${answer.status}`);
  const parts = [];
  const limit = maxBytes(place);
  let length = 0;
  // Counted after decompression; leaving the loop ends the connection.
  for await (const part of answer.body ?? []) {
    length += part.length;
    if (length > limit) throw new Error(`${base}/${place} is longer than ${limit} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

// A bundle's entries have at most 65,535 bytes each, a tile's hashes 32; a checkpoint has a line a witness.
function maxBytes(place) {
  if (place.startsWith('tile/entries/')) return WIDTH * (2 + 65_535);
  return place.startsWith('tile/') ? WIDTH * 32 : 64 * 1024;
}

async function fetchRequired(base, place) {
  return (await fetchBytes(base, place)) ?? Promise.reject(new Error(`${base}/${place} was answered 404`));
}

// A log may delete a partial tile once the full one is there.
async function fetchTile(base, level, index, width) {
  const partial = width === WIDTH ? undefined : await fetchBytes(base, tilePath(level, index, width));
  return partial ?? fetchRequired(base, tilePath(level, index));
}

// The hashes of a signed tree, out of tiles that are each checked up to its root before they are used.
async function openTree(base, { size, root }) {
  const edge = [];
  for (const level of levelsOf(size)) {
    const [index, width] = [tileIndex(size, level), countAt(size, level) % WIDTH];
    const bytes = width === 0 ? Buffer.alloc(0) : await fetchTile(base, level, index, width);
    edge[level] = hashesOf(bytes, width, tilePath(level, index, width));
  }
  if (rootOfEdge(edge).toString('base64') !== root) throw new Alarm(`the tiles of ${size} entries do not give the root signed`);
  const last = [];
  const tileAt = async (level, index) => {
    if (index === tileIndex(size, level)) return edge[level];
    if (last[level]?.index !== index) {
      const hashes = hashesOf(await fetchTile(base, level, index, WIDTH), WIDTH, tilePath(level, index));
      const above = (await tileAt(level + 1, Math.floor(index / WIDTH)))[index % WIDTH];
      if (!rootOf(hashes).equals(above)) throw new Alarm(`${tilePath(level, index)} does not fit the root signed`);
      last[level] = { index, hashes };
    }
    return last[level].hashes;
  };
  return tileAt;
}

function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// What holds from entry to entry: time does not go back, each vehicle's entries are a chain.
function judge(state, entry, hash) {
  const where = `entry ${state.size}`;
  const leaf = parseJson(entry.toString());
  if (typeof leaf?.at !== 'string') throw new Alarm(`${where} is no entry of this log`);
  if (leaf.at < state.at) throw new Alarm(`${where} is of ${leaf.at}, earlier than the one before, ${state.at}`);
  state.at = leaf.at;
  if (leaf.subject === undefined) return;
  const end = state.chains[leaf.subject] ?? { seq: 0 };
  if (leaf.subjectSeq !== end.seq + 1 || leaf.prev !== end.hash)
    throw new Alarm(`${where} does not follow the last entry of its vehicle: one is missing or was put in`);
  state.chains[leaf.subject] = { seq: leaf.subjectSeq, hash: hash.toString('base64') };
}

// --- The copy

function write(folder, name, bytes) {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const open = fs.openSync(`${file}.new`, 'w');
  fs.writeFileSync(open, bytes);
  fs.fsyncSync(open);
  fs.closeSync(open);
  fs.renameSync(`${file}.new`, file);
  const parent = fs.openSync(path.dirname(file), 'r');
  fs.fsyncSync(parent);
  fs.closeSync(parent);
}

// How far the copy has been checked, and what the next entries are held against. Web servers hide names with a dot.
const STATE = '.mirror.json';

function readState(folder, origin, witness) {
  if (!fs.existsSync(path.join(folder, STATE))) {
    // A witness that has forgotten what it signed could sign a fork.
    if (witness !== undefined && fs.existsSync(witness.used))
      throw new Error(`${folder} has no ${STATE}, and the key of ${witness.name} has signed: bring it back, or make a new key`);
    return { origin, size: 0, edge: [], at: '', chains: {}, text: '', changed: 0, cosigned: 0 };
  }
  const state = JSON.parse(fs.readFileSync(path.join(folder, STATE), 'utf8'));
  if (state.origin !== origin) throw new Error(`${folder} is a copy of another log, ${state.origin}`);
  return { ...state, edge: state.edge.map((hashes) => hashes.map((text) => Buffer.from(text, 'base64'))) };
}

function writeState(folder, state) {
  const edge = state.edge.map((hashes) => hashes.map((hash) => hash.toString('base64')));
  write(folder, STATE, JSON.stringify({ ...state, edge }));
}

// Everything seen before must be in the new tree: each hash of the edge is looked up in it.
async function compareSeen({ size, edge }, head, tileAt) {
  for (const [level, hashes] of edge.entries()) {
    const there = hashes.length === 0 ? [] : await tileAt(level, tileIndex(size, level));
    if (!hashes.every((hash, at) => there[at]?.equals(hash) === true)) throw forked(head);
  }
}

const forked = ({ size }) =>
  new Alarm(`the ${size} entries signed are not those seen so far and the new ones: the log has forked or was rewritten`);

// Copies what the signed tree has beyond the state. Each bundle is checked against the signed root before it is written.
async function copyNew(base, folder, state, head, tileAt) {
  let saved = Date.now();
  while (state.size < head.size) {
    const [index, known] = [Math.floor(state.size / WIDTH), state.size % WIDTH];
    const width = Math.min(WIDTH, head.size - index * WIDTH);
    const entries = entriesOf(await fetchTile(base, 'entries', index, width), width);
    const hashes = entries.map(leafHash);
    const signed = await tileAt(0, index);
    const wrong = hashes.findIndex((hash, at) => signed[at]?.equals(hash) !== true);
    if (wrong !== -1) throw new Alarm(`entry ${index * WIDTH + wrong} is not the one signed: it was altered, or is a gap`);
    for (const [at, entry] of entries.entries()) {
      if (at < known) continue;
      judge(state, entry, hashes[at]);
      state.size += 1;
    }
    write(folder, tilePath('entries', index, width), bundleOf(entries));
    state.edge[0] = hashes;
    for (let level = 0; state.edge[level]?.length === WIDTH; level += 1) {
      const tile = state.edge[level];
      write(folder, tilePath(level, tileIndex(state.size, level) - 1), Buffer.concat(tile));
      state.edge[level] = [];
      (state.edge[level + 1] ??= []).push(rootOf(tile));
    }
    if (width < WIDTH || Date.now() < saved + SAVE_EVERY_MS) continue;
    writeState(folder, state);
    saved = Date.now();
  }
  for (const [level, hashes] of state.edge.entries())
    if (hashes.length > 0) write(folder, tilePath(level, tileIndex(state.size, level), hashes.length), Buffer.concat(hashes));
  if (rootOfEdge(state.edge).toString('base64') !== head.root) throw forked(head);
}

// The root of the first `size` entries of the copy.
function rootInCopy(folder, size, copied) {
  const edge = levelsOf(size).map((level) => {
    const [index, width] = [tileIndex(size, level), countAt(size, level) % WIDTH];
    const there = tilePath(level, index, Math.min(WIDTH, countAt(copied, level) - index * WIDTH));
    return width === 0 ? [] : hashesOf(fs.readFileSync(path.join(folder, there)), width, `${there} of the copy`);
  });
  return rootOfEdge(edge).toString('base64');
}

// Partial tiles of which the full one is there now; a reader of the last checkpoint may have been at them until this one.
function removePartial(folder, from, size) {
  for (const level of ['entries', ...levelsOf(size)]) {
    const at = level === 'entries' ? 0 : level;
    for (let index = tileIndex(from, at); index < tileIndex(size, at); index += 1)
      fs.rmSync(path.join(folder, `${tilePath(level, index)}.p`), { recursive: true, force: true });
  }
}

// --- One look at the log

async function look({ base, logKey, folder, policy, witness, staleSeconds }) {
  const state = readState(folder, logKey.name, witness);
  const before = state.size;
  // The witnessed checkpoint first: the other one is then at least as new, unless a cache is in between.
  const witnessed = policy === undefined ? undefined : (await fetchBytes(base, 'checkpoint.witnessed'))?.toString();
  const head = openCheckpoint((await fetchRequired(base, 'checkpoint')).toString(), logKey);
  const cosigned = witnessed === undefined ? head : openCheckpoint(witnessed, logKey);
  try {
    if (head.size < state.size) throw new Alarm(`the log has ${head.size} entries, and had ${state.size}`);
    if (head.size > state.size) {
      const tileAt = await openTree(base, head);
      await compareSeen(state, head, tileAt);
      await copyNew(base, folder, state, head, tileAt);
    } else if (rootOfEdge(state.edge).toString('base64') !== head.root) throw forked(head);
    if (cosigned.size > head.size) throw new Error(`the log shows ${head.size} entries, and ${cosigned.size} cosigned: an old copy?`);
    if (rootInCopy(folder, cosigned.size, head.size) !== cosigned.root) throw forked(cosigned);
  } catch (error) {
    if (error instanceof Alarm) error.evidence = [state.text, head.note, ...(cosigned === head ? [] : [cosigned.note])];
    throw error;
  }
  if (state.text !== head.signed) Object.assign(state, { text: head.signed, changed: secondsNow() });
  if (witness !== undefined) state.cosigned = Math.max(secondsNow(), state.cosigned);
  writeState(folder, state);
  if (witness !== undefined && !fs.existsSync(witness.used)) fs.writeFileSync(witness.used, witness.vkey, { flush: true });
  const own = witness === undefined ? '' : cosign(witness, head.text, state.cosigned);
  write(folder, 'checkpoint', `${head.signed}${own}`);
  removePartial(folder, before, state.size);
  if (staleSeconds !== undefined && secondsNow() - state.changed > staleSeconds)
    throw new Alarm(`stale: the log has not changed since ${new Date(state.changed * 1000).toISOString()}`);
  if (policy !== undefined) judgeWitnesses(policy, witnessed);
  return `All is well: ${state.size} entries, ${state.size - before} of them new, the last of ${state.at}.`;
}

// The exit code of one look, and the sentence.
async function tell(settings) {
  try {
    return { code: 0, words: await look(settings) };
  } catch (error) {
    if (!(error instanceof Alarm)) return { code: 2, words: `Could not tell: ${error.message}.` };
    const notes = (error.evidence ?? []).filter((note) => note !== '').map((note) => `\n${note}`);
    return { code: 1, words: `ALARM: ${error.message}. Keep ${settings.folder} and tell others.${notes.join('')}` };
  }
}

function runCommand(command, words) {
  const { status } = spawnSync(command, { shell: true, input: `${words}\n`, timeout: 60_000, stdio: ['pipe', 2, 2] });
  if (status !== 0) process.stderr.write(`The command of the alarm failed: ${command}\n`);
}

// --- Serving

const SERVED = /^\/(checkpoint|tile\/(?:entries|\d)\/(?:x\d{3}\/)*\d{3}(?:\.p\/\d{1,3})?)$/;

function serve(folder, address) {
  const [, host, port] = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(address) ?? usage(`--serve: ${address} is no HOST:PORT.`);
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const [, name = '.'] = (isRead && SERVED.exec(request.url.split('?')[0])) || [];
    const headers = { 'access-control-allow-origin': '*' };
    fs.readFile(path.join(folder, name), (error, bytes) => {
      if (error) return response.writeHead(404, headers).end('Not found.\n');
      const [type, cache] =
        name === 'checkpoint' ? ['text/plain; charset=utf-8', 'no-cache'] : ['application/octet-stream', 'max-age=31536000, immutable'];
      return response.writeHead(200, { ...headers, 'content-type': type, 'cache-control': cache }).end(bytes);
    });
  });
  server.on('error', (error) => stop(2, `--serve: ${error.message}.`));
  server.listen(Number(port), host, () => process.stdout.write(`Serving ${folder} at ${JSON.stringify(server.address())}\n`));
}

// --- The start

// One mirror at a time writes a folder: as in witness.mjs, a socket whose name the kernel takes back when its process ends.
function lock(folder) {
  if (process.platform !== 'linux') return values.witness && usage('--witness needs Linux.');
  const { dev, ino } = fs.statSync(folder);
  const socket = net.createServer().unref();
  socket.on('error', () => stop(2, `Could not tell: another mirror runs with ${folder}.`));
  return new Promise((resolve) => socket.listen(`\0mirror-${dev}-${ino}`, () => resolve(socket)));
}

function readArguments() {
  const names = ['command', 'stale', 'policy', 'witness', 'serve', 'every'];
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    return usage(`${error.message}.`);
  }
}

const { values, positionals } = readArguments();
const [base, keyText, folder] = positionals;
if (positionals.length !== 3) usage('Give the address of the log, its verifier key, and a folder for the copy.');
const logKey = parseVerifierKey(keyText, LOG_TYPE) ?? usage('The second argument is no verifier key of a log (name+hash+key).');
const numberOf = (name) => {
  if (values[name] === undefined) return undefined;
  return Number(values[name]) > 0 ? Number(values[name]) : usage(`--${name}: ${values[name]} is no number above 0.`);
};
const [staleMinutes, every] = [numberOf('stale'), numberOf('every')];
if ((values.serve === undefined) !== (every === undefined)) usage('--serve and --every go together.');
const settings = { base: base.replace(/\/+$/, ''), logKey, folder, staleSeconds: staleMinutes && staleMinutes * 60 };
try {
  fs.mkdirSync(folder, { recursive: true });
  settings.held = await lock(folder);
  if (values.witness !== undefined) settings.witness = readWitnessKey(values.witness);
  if (values.policy !== undefined) settings.policy = parsePolicy(values.policy, logKey);
} catch (error) {
  stop(2, `Could not tell: ${error.message}.`);
}
if (every !== undefined) serve(folder, values.serve);
for (const signal of every === undefined ? [] : ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(0));
// Who is served goes on for ever, and an alarm that stays is told once a day.
for (let told = { words: '', at: 0 }; ;) {
  const { code, words } = await tell(settings);
  const isNew = words !== told.words || secondsNow() - told.at > DAY;
  if (code === 1 && values.command !== undefined && isNew) runCommand(values.command, words);
  if (every === undefined) stop(code, words);
  if (isNew) {
    process.stdout.write(`${new Date().toISOString()} ${words}\n`);
    told = { words, at: secondsNow() };
  }
  await new Promise((resolve) => setTimeout(resolve, every * 1000));
}
