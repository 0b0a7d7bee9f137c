// Holds the notes, trees and proofs under the witnesses of the tests to figures that others published.
import { describe, expect, test } from 'vitest';
import { consistencyProof, hashLeaf, makeLog, treeHash } from './conformance-log.ts';
import { cosignatureLine, cosignatureTime, keyFromSeed, parseNote, parseVkey, timeBytes } from './signed-note.ts';
import { formatSignature, hasValidSignature, isSignedBy, LOG_KEY, signatureLine, WITNESS_KEY } from './signed-note.ts';
import { isConsistent } from './verify-consistency.ts';

// The leaves and roots of Certificate Transparency's own tests.
const LEAVES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

describe('a tree', () => {
  const leaves = LEAVES.map((leaf) => hashLeaf(Buffer.from(leaf, 'hex')));

  test('has the roots that Certificate Transparency publishes', () => {
    expect(ROOTS.map((_, size) => treeHash(leaves.slice(0, size)).toString('hex'))).toEqual(ROOTS);
  });

  test('proves that it grew, for each two sizes up to 70, and only with each hash of the proof in its place', () => {
    const log = makeLog('primitives.example/log');
    const fork = makeLog('primitives.example/log', 'fork');
    for (let size = 2; size <= 70; size++)
      for (let old = 1; old < size; old++) {
        const [first, second] = [head(log, old), head(log, size)];
        const proof = log.proof(old, size);
        expect(isConsistent(first, second, proof), `${old} to ${size}`).toBe(true);
        expect(isConsistent(head(fork, old), second, proof)).toBe(false);
        expect(isConsistent(first, head(fork, size), proof)).toBe(false);
        expect(isConsistent(first, second, [...proof, proof[0]!])).toBe(false);
        expect(isConsistent(first, second, proof.slice(1))).toBe(false);
        expect(isConsistent(first, second, proof.slice(0, -1))).toBe(false);
        if (proof.length > 1) expect(isConsistent(first, second, proof.toReversed())).toBe(false);
      }
  });

  test('needs no proof from the empty tree and to itself', () => {
    expect(consistencyProof(0, leaves)).toEqual([]);
    expect(consistencyProof(leaves.length, leaves)).toEqual([]);
  });
});

describe('a signed note', () => {
  const vkey = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
  const note =
    'This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYj' +
    'OBH3mFXmRKuwHjG1Yu72IneyaQM=\n';

  test('verifies as the example of the specification does', () => {
    const key = parseVkey(vkey, LOG_KEY);
    const { text, signatures } = parseNote(note)!;
    expect(signatures.map((each) => isSignedBy(key, each) && hasValidSignature(key, text, each))).toEqual([true]);
    expect(hasValidSignature(key, `${text}.`, signatures[0]!)).toBe(false);
  });

  test('has its text before the last empty line', () => {
    const key = keyFromSeed('primitives.example/key', LOG_KEY, 'primitives');
    expect(parseNote(`a\n\nb\n\n${signatureLine(key, 'a\n\nb\n')}`)?.text).toBe('a\n\nb\n');
  });

  test.each([
    ['without a signature', 'text\n'],
    ['with an empty line at its end', `${note}\n`],
    ['without its last newline', note.slice(0, -1)],
    ['with a tab', note.replace('an example', 'an\texample')],
    ['with a carriage return', note.replace('message.\n', 'message.\r\n')],
    ['with a hyphen for the dash', note.replace('—', '-')],
    ['with two spaces', note.replace('foo ', 'foo  ')],
    ['without the padding', note.replace('=', '')],
    ['with a plus in the name', note.replace('com/foo', 'com+foo')],
    ['with a wide space in the name', note.replace('com/foo', 'com\u3000foo')],
  ])('is none %s', (_, broken) => {
    expect(parseNote(broken)).toBeUndefined();
  });
});

test('a key that is not what it says is refused', () => {
  const { vkey } = keyFromSeed('primitives.example/key', WITNESS_KEY, 'primitives');
  expect(parseVkey(vkey, WITNESS_KEY).name).toBe('primitives.example/key');
  expect(() => parseVkey(vkey, LOG_KEY)).toThrow();
  expect(() => parseVkey(vkey.replace('primitives', 'other'), WITNESS_KEY)).toThrow();
});

test('a cosignature carries its time, and verifies over this text and time only', () => {
  const key = keyFromSeed('primitives.example/key', WITNESS_KEY, 'primitives');
  const { signatures } = parseNote(`text\n\n${cosignatureLine(key, 'text\n', 1_679_315_147n)}`)!;
  const signature = signatures[0]!;
  expect(cosignatureTime(key, 'text\n', signature)).toBe(1_679_315_147n);
  expect(cosignatureTime(key, 'other\n', signature)).toBeUndefined();
  const later = Buffer.concat([timeBytes(1_679_315_148n), signature.bytes.subarray(8)]);
  expect(cosignatureTime(key, 'text\n', { ...signature, bytes: later })).toBeUndefined();
  // What the header line separates: a note's signature over the same bytes by hand.
  const byHand = signatureLine(key, 'cosignature/v1\ntime 1679315147\ntext\n');
  const { bytes } = parseNote(`x\n\n${byHand}`)!.signatures[0]!;
  expect(formatSignature(key.name, key.id, Buffer.concat([timeBytes(1_679_315_147n), bytes]))).toBe(
    cosignatureLine(key, 'text\n', 1_679_315_147n),
  );
});

function head(log: ReturnType<typeof makeLog>, size: number): { size: bigint; root: Buffer } {
  return { size: BigInt(size), root: log.root(size) };
}
