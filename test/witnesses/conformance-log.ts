// A small transparency log in memory, for the conformance of witnesses: RFC 6962's tree and proofs by their
// definitions, and checkpoints that it signs whatever they say. It shares no code with the product.
import { createHash } from 'node:crypto';
import { keyFromSeed, LOG_KEY, type NoteKey, signatureLine } from './signed-note.ts';

export type ConformanceLog = {
  key: NoteKey;
  origin: string;
  root: (size: number) => Buffer;
  proof: (old: number, size: number) => Buffer[];
  // The text of a checkpoint, without signatures. `root` and `extensions` are put in as given.
  text: (size: number, more?: { root?: Buffer; extensions?: string[] }) => string;
  // The text, an empty line and the log's signature.
  checkpoint: (size: number, more?: { root?: Buffer; extensions?: string[] }) => string;
  // A whole right request from the old size to the size.
  request: (old: number, size: number) => string;
};

const LEAVES = 100;

// `branch` gives another history under the same key and origin: a fork.
export function makeLog(origin: string, branch = 'main'): ConformanceLog {
  const key = keyFromSeed(origin, LOG_KEY, `conformance log ${origin}`);
  const leaves = Array.from({ length: LEAVES }, (_, index) => hashLeaf(Buffer.from(`${branch} ${index}`)));
  const log: ConformanceLog = {
    key,
    origin,
    root: (size) => treeHash(leaves.slice(0, size)),
    proof: (old, size) => consistencyProof(old, leaves.slice(0, size)),
    text: (size, { root = log.root(size), extensions = [] } = {}) =>
      checkpointText(origin, `${size}`, root, extensions),
    checkpoint: (size, more) => signNote(key, log.text(size, more)),
    request: (old, size) => requestBody(`${old}`, log.proof(old, size), log.checkpoint(size)),
  };
  return log;
}

export function checkpointText(origin: string, size: string, root: Buffer, extensions: string[] = []): string {
  return [origin, size, root.toString('base64'), ...extensions, ''].join('\n');
}

export function signNote(key: NoteKey, text: string): string {
  return `${text}\n${signatureLine(key, text)}`;
}

export function requestBody(old: string, proof: readonly (Buffer | string)[], checkpoint: string): string {
  const lines = proof.map((hash) => (typeof hash === 'string' ? hash : hash.toString('base64')));
  return [`old ${old}`, ...lines, '', checkpoint].join('\n');
}

export function hashLeaf(leaf: Buffer): Buffer {
  return createHash('sha256').update(Buffer.of(0)).update(leaf).digest();
}

export function hashChildren(left: Buffer, right: Buffer): Buffer {
  return createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest();
}

// MTH of RFC 6962, section 2.1, over the hashes of the leaves.
export function treeHash(leaves: Buffer[]): Buffer {
  const [first, second] = leaves;
  if (first === undefined) return createHash('sha256').digest();
  if (second === undefined) return first;
  const split = splitPoint(leaves.length);
  return hashChildren(treeHash(leaves.slice(0, split)), treeHash(leaves.slice(split)));
}

// PROOF of RFC 6962, section 2.1.2. Nothing has to be proven from the empty tree.
export function consistencyProof(old: number, leaves: Buffer[]): Buffer[] {
  return old === 0 ? [] : subproof(old, leaves, true);
}

function subproof(old: number, leaves: Buffer[], isKnown: boolean): Buffer[] {
  if (old === leaves.length) return isKnown ? [] : [treeHash(leaves)];
  const split = splitPoint(leaves.length);
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return old <= split
    ? [...subproof(old, left, isKnown), treeHash(right)]
    : [...subproof(old - split, right, false), treeHash(left)];
}

// The largest power of two below the count.
function splitPoint(count: number): number {
  return 2 ** Math.floor(Math.log2(count - 1));
}
