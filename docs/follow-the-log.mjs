#!/usr/bin/env node
// Follows a registry's transparency log from outside, with nothing but Node 20: run it every hour, from cron for example.
//
//   node follow-the-log.mjs https://registry.example/log/1 'registry.example/log/1+…' state.json
//
// It remembers the tree that it has seen in state.json, fetches what is new, hashes all of it, and compares the result
// with what the registry signed. It ends with 1 and says ALARM when the log has forked, was shortened or rewritten, has a
// gap, or steps back in time; with 2 when it could not tell (the registry cannot be reached); with 0 when all is well.
// Formats: c2sp.org/tlog-tiles, tlog-checkpoint, signed-note; the tree is that of RFC 9162 section 2.1.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const [base, keyText, stateFile] = process.argv.slice(2);
if (stateFile === undefined) stop(2, 'Give the address of the log, its verifier key, and a file to remember it in.');

const sha256 = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest();
const leafHash = (entry) => sha256(Buffer.from([0]), entry);
const nodeHash = (left, right) => sha256(Buffer.from([1]), left, right);

class Alarm extends Error {}

function stop(code, words) {
  process.stdout.write(`${words}\n`);
  process.exit(code);
}

async function fetchBytes(path) {
  const answer = await fetch(`${base}/${path}`);
  if (!answer.ok) throw new Error(`${base}/${path} was answered ${answer.status}`);
  return Buffer.from(await answer.arrayBuffer());
}

// The signed head of the tree.
function openCheckpoint(note) {
  const [name = '', keyId = '', keyBase64 = ''] = keyText.split('+');
  const publicKey = Buffer.from(keyText.slice(name.length + keyId.length + 2) || keyBase64, 'base64');
  const text = note.slice(0, note.indexOf('\n\n') + 1);
  const line = note.split('\n').find((one) => one.startsWith(`\u2014 ${name} `));
  const signature = Buffer.from(line?.split(' ').at(-1) ?? '', 'base64');
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), publicKey.subarray(1)]);
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  if (signature.subarray(0, 4).toString('hex') !== keyId || !verify(null, Buffer.from(text), key, signature.subarray(4)))
    throw new Alarm('the checkpoint does not bear the signature of the key');
  const [origin, size, root] = text.split('\n');
  if (origin !== name) throw new Alarm(`the checkpoint is of another log, ${origin}`);
  return { size: Number(size), root };
}

// Roots of the complete subtrees, the largest first.
function append(frontier, size, hash) {
  let [node, rest] = [hash, size];
  while (rest % 2 === 1) {
    node = nodeHash(frontier.pop(), node);
    rest = Math.floor(rest / 2);
  }
  frontier.push(node);
}

const rootOf = (frontier) =>
  frontier.length === 0
    ? sha256(Buffer.alloc(0))
    : frontier.slice(0, -1).reduceRight((right, left) => nodeHash(left, right), frontier.at(-1));

function entriesOf(bundle) {
  const entries = [];
  for (let at = 0; at < bundle.length;) {
    const end = at + 2 + bundle.readUInt16BE(at);
    if (end > bundle.length) throw new Alarm('an entry bundle is cut off');
    entries.push(bundle.subarray(at + 2, end));
    at = end;
  }
  return entries;
}

function bundlePath(index, width) {
  const parts = [String(index % 1000).padStart(3, '0')];
  for (let rest = Math.floor(index / 1000); rest > 0; rest = Math.floor(rest / 1000))
    parts.unshift(`x${String(rest % 1000).padStart(3, '0')}`);
  return `tile/entries/${parts.join('/')}${width === 256 ? '' : `.p/${width}`}`;
}

// What holds from entry to entry: time does not go back, each vehicle's entries are a chain.
function judge(state, entry, hash) {
  const leaf = JSON.parse(entry.toString());
  const where = `entry ${state.size}`;
  if (leaf.at < state.at) throw new Alarm(`${where} is of ${leaf.at}, earlier than the one before, ${state.at}`);
  state.at = leaf.at;
  if (leaf.subject === undefined) return;
  const end = state.chains[leaf.subject] ?? { seq: 0 };
  if (leaf.subjectSeq !== end.seq + 1 || leaf.prev !== end.hash)
    throw new Alarm(`${where} does not follow the last entry of its vehicle: one is missing or was put in`);
  state.chains[leaf.subject] = { seq: leaf.subjectSeq, hash: hash.toString('base64') };
}

try {
  const state = existsSync(stateFile)
    ? JSON.parse(readFileSync(stateFile, 'utf8'))
    : { size: 0, frontier: [], at: '', chains: {} };
  const frontier = state.frontier.map((text) => Buffer.from(text, 'base64'));
  const seen = state.size;
  const { size, root } = openCheckpoint((await fetchBytes('checkpoint')).toString());
  if (size < seen) throw new Alarm(`the log has ${size} entries, and had ${seen}`);
  for (let bundle = Math.floor(seen / 256); bundle * 256 < size; bundle += 1) {
    const width = Math.min(256, size - bundle * 256);
    const entries = entriesOf(await fetchBytes(bundlePath(bundle, width)));
    if (entries.length !== width) throw new Alarm(`a bundle has ${entries.length} entries and not ${width}: a gap`);
    for (const entry of entries.slice(Math.max(0, seen - bundle * 256))) {
      const hash = leafHash(entry);
      judge(state, entry, hash);
      append(frontier, state.size, hash);
      state.size += 1;
    }
  }
  // All that was seen before is in the frontier: a tree that does not extend it has another root.
  if (rootOf(frontier).toString('base64') !== root)
    throw new Alarm(`the ${size} entries signed are not those seen so far and the new ones: the log has forked or was rewritten`);
  state.frontier = frontier.map((hash) => hash.toString('base64'));
  writeFileSync(`${stateFile}.new`, JSON.stringify(state));
  renameSync(`${stateFile}.new`, stateFile);
  stop(0, `All is well: ${size} entries, ${size - seen} of them new, the last of ${state.at}.`);
} catch (error) {
  if (error instanceof Alarm) stop(1, `ALARM: ${error.message}. Keep ${stateFile} and tell others.`);
  stop(2, `Could not tell: ${error.message}.`);
}
