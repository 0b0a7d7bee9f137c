import { beforeAll, expect, test } from 'vitest';
import { newKey, publish, type SmallLog, someEntries } from '#test/small-log.ts';
import { auditLog } from './audit-log.ts';
import { type Bytes, formatBase64, parseUtf8, utf8 } from './bytes.ts';
import { type Leaf, parseLeaf } from './leaf.ts';
import { canonicalBytes } from './canonical-json.ts';
import { leafHash } from './merkle-tree.ts';
import { nodeSha256 } from './sha256.server.ts';
import { webSha256 } from './sha256.ts';
import type { SigningKey } from './sign-note.server.ts';
import { CHECKPOINT_PATH } from './tiles.ts';

const SIZE = 600;
let key: SigningKey;
let entries: Bytes[];
let log: SmallLog;
beforeAll(async () => {
  key = await newKey();
  entries = await someEntries(SIZE, 5);
  log = await publish(entries, key);
});

type Options = { files?: ReadonlyMap<string, Uint8Array>; saved?: Uint8Array; sha256?: typeof webSha256 };
async function audit({ files = log.files, saved, sha256 }: Options = {}) {
  return auditLog({
    sha256: sha256 ?? nodeSha256,
    readFile: async (path) => files.get(path),
    key: key.verifier,
    ...(saved === undefined ? {} : { saved }),
  });
}
const auditOf = async (changed: Bytes[]) => audit({ files: (await publish(changed, key)).files });
const checkpointOf = ({ files }: SmallLog) => files.get(CHECKPOINT_PATH)!;

test.each([0, 1, 255, 256, 257, 600])('a log of %i entries is proved', async (size) => {
  expect(await auditOf(entries.slice(0, size))).toEqual({
    result: 'proved',
    sentence: `Proved: the ${size} entries of registry.example/log/1 are what was signed, in order of time, with the ${Math.min(10, Math.ceil(size / 5))} vehicles' chains whole.`,
  });
});

test('with WebCrypto too', async () => {
  expect((await audit({ sha256: webSha256 })).result).toBe('proved');
});

test('a log of more than one tile of tiles is proved', async () => {
  const many = await someEntries(66_000, 1000);
  const { files } = await publish(many, key);
  expect((await audit({ files })).result).toBe('proved');
  for (const path of ['tile/1/000', 'tile/2/000.p/1']) {
    const flipped = Uint8Array.from(files.get(path)!);
    flipped[flipped.length - 9]! ^= 2;
    expect(await audit({ files: new Map([...files, [path, flipped]]) })).toMatchObject({ result: 'tampered' });
  }
});

test('begins with the saved checkpoint, of any size', async () => {
  for (const size of [0, 1, 255, 256, 257, 512, 599, 600]) {
    const saved = checkpointOf(await publish(entries.slice(0, size), key));
    expect(await audit({ saved })).toMatchObject({
      result: 'proved',
      sentence: expect.stringContaining(`, and begins with the ${size} of the saved checkpoint.`),
    });
  }
});

test('a log that was rewritten since the saved checkpoint is found out, however well it is signed', async () => {
  const others = await someEntries(SIZE, 7);
  for (const size of [6, 256, 300, 600]) {
    const saved = checkpointOf(await publish(others.slice(0, size), key));
    expect(await audit({ saved })).toEqual({
      result: 'tampered',
      sentence: `The log was rewritten: its first ${size} entries are not those of the saved checkpoint.`,
    });
  }
});

test('a saved checkpoint of more entries, or of another key, leaves it open', async () => {
  const short = await publish(entries.slice(0, 300), key);
  expect(await audit({ files: short.files, saved: checkpointOf(log) })).toEqual({
    result: 'could-not-tell',
    sentence: 'The log shows 300 entries, the saved checkpoint 600: this is an old copy, or the log went back.',
  });
  const saved = checkpointOf(await publish(entries, await newKey()));
  expect(await audit({ saved })).toEqual({
    result: 'could-not-tell',
    sentence:
      'The saved checkpoint is of no use: The checkpoint bears no signature of the key registry.example/log/1 given.',
  });
});

test('a missing file leaves it open; the full file serves for a partial one that was deleted', async () => {
  for (const path of log.files.keys()) {
    const { result, sentence } = await audit({ files: new Map([...log.files].filter(([name]) => name !== path)) });
    expect(result).toBe('could-not-tell');
    expect(sentence).toMatch(/^The file \S+ is missing\.$/);
  }
  const grown = await publish(entries, key);
  const before = await publish(entries.slice(0, 300), key);
  const mixed = new Map([...grown.files, [CHECKPOINT_PATH, checkpointOf(before)] as const]);
  expect(await audit({ files: mixed })).toMatchObject({ result: 'could-not-tell' });
  mixed.set('tile/1/000.p/1', before.files.get('tile/1/000.p/1')!);
  expect(await audit({ files: mixed })).toMatchObject({ result: 'proved' });
});

test('a file that cannot be read is no tampering', async () => {
  const readFile = () => Promise.reject(new Error('the network is down'));
  expect(await auditLog({ sha256: nodeSha256, readFile, key: key.verifier })).toEqual({
    result: 'could-not-tell',
    sentence: 'The check failed: the network is down.',
  });
});

test('an entry altered, left out, added or moved does not fit what was signed', async () => {
  const altered = utf8(parseUtf8(entries[5]!).replace(':05.000Z', ':05.001Z'));
  for (const changed of [
    entries.with(5, altered),
    entries.toSpliced(300, 1, entries[301]!, entries[300]!),
    entries.with(599, entries[598]!),
  ]) {
    const files = new Map((await publish(changed, key)).files);
    // The attacker has every file, tiles too, but not the key.
    files.set(CHECKPOINT_PATH, checkpointOf(log));
    expect((await audit({ files })).result).toBe('tampered');
  }
});

// From here on the log's own operator does it, and signs the result.
const rewrite = (index: number, change: (leaf: Leaf) => unknown) =>
  entries.with(index, canonicalBytes(change(parseLeaf(entries[index]!))));

test.each<[string, () => Bytes[] | Promise<Bytes[]>, string]>([
  [
    'time goes back',
    () => rewrite(599, (leaf) => ({ ...leaf, at: '2026-11-20T00:00:00.000Z' })),
    'Entry 599 breaks the rules of this log: it is of 2026-11-20T00:00:00.000Z, earlier than the entry before, 2026-11-21T00:09:58.000Z.',
  ],
  [
    'a leaf of a chain is left out',
    () => entries.toSpliced(50, 1),
    "Entry 99 breaks the rules of this log: its vehicle's chain has 1 entries and this says that it is number 3.",
  ],
  [
    'a chain begins in its middle',
    () => entries.toSpliced(0, 1),
    "Entry 49 breaks the rules of this log: its vehicle's chain has 0 entries and this says that it is number 2.",
  ],
  [
    'a chain begins again',
    () =>
      entries.with(
        50,
        utf8(
          parseUtf8(entries[50]!)
            .replace(/"prev":"[^"]*",/, '')
            .replace('"subjectSeq":2', '"subjectSeq":1'),
        ),
      ),
    "Entry 50 breaks the rules of this log: its vehicle's chain has 1 entries and this says that it is number 1.",
  ],
  [
    'a leaf of a chain is replaced',
    async () => rewrite(50, (leaf) => ({ ...leaf, body: { value: '9' } })),
    "Entry 100 breaks the rules of this log: it does not follow the last entry of its vehicle's chain.",
  ],
  [
    'a leaf follows that of another vehicle',
    async () => rewrite(50, (leaf) => ({ ...leaf, prev: parseLeaf(entries[55]!).prev })),
    "Entry 50 breaks the rules of this log: it does not follow the last entry of its vehicle's chain.",
  ],
  [
    'a leaf corrects a later one',
    () => rewrite(595, (leaf) => ({ ...leaf, type: 'calibration.corrected', body: { corrects: 595 } })),
    'Entry 595 breaks the rules of this log: it names entry 595, which is not before it.',
  ],
  [
    'an entry is no leaf',
    () => entries.with(599, utf8('hello')),
    'Entry 599 breaks the rules of this log: it is not JSON.',
  ],
  [
    'a rego in clear',
    () => rewrite(599, (leaf) => ({ ...leaf, body: { rego: 'ABC123' } })),
    'Entry 599 breaks the rules of this log: a leaf has no field rego in clear.',
  ],
])('%s: found, though it is signed', async (_name, change, sentence) => {
  expect(await auditOf(await change())).toEqual({ result: 'tampered', sentence });
});

test('the hash of the chain is the leaf hash of the tree', async () => {
  const hash = formatBase64(await leafHash(nodeSha256, entries[0]!));
  expect(parseLeaf(entries[50]!)).toMatchObject({ subjectSeq: 2, prev: hash });
});
