import { beforeAll, expect, test } from 'vitest';
import { LOG_NAME, newKey, proofFile, publish, type SmallLog, someEntries } from '#test/small-log.ts';
import { type Bytes, parseUtf8, utf8 } from './bytes.ts';
import { nodeSha256 } from './sha256.server.ts';
import { webSha256 } from './sha256.ts';
import { type SigningKey } from './sign-note.server.ts';
import { formatProofExtra, formatTlogProof, parseProofExtra, parseTlogProof } from './tlog-proof.ts';
import { verifyProofFile } from './verify-proof-file.ts';

let key: SigningKey;
let entries: Bytes[];
let log: SmallLog;
beforeAll(async () => {
  key = await newKey();
  entries = await someEntries(600, 5);
  log = await publish(entries, key);
});

test('proofs of entries are proved, by both hashes', async () => {
  for (const index of [0, 1, 2, 254, 255, 256, 300, 511, 512, 598, 599]) {
    const file = await proofFile(log, entries, index);
    expect((await verifyProofFile(nodeSha256, file, { key: key.verifier })).result).toBe('proved');
  }
  expect(await verifyProofFile(webSha256, await proofFile(log, entries, 255), { key: key.verifier })).toEqual({
    result: 'proved',
    sentence:
      'Proved: calibration.recorded was logged at 2026-11-21T00:04:15.000Z as entry 255 of registry.example/log/1 and is unchanged. Opened: people.technician.',
  });
});

test('the file of another entry, another name or no entry is not proved', async () => {
  const file = await proofFile(log, entries, 255);
  const proof = parseTlogProof(file);
  const extra = parseProofExtra(proof.extra!);
  const verify = async (change: object) =>
    verifyProofFile(nodeSha256, utf8(formatTlogProof({ ...proof, ...change })), { key: key.verifier });
  const withExtra = (change: object) => verify({ extra: formatProofExtra({ ...extra, ...change }) });
  const opened = (field: string, value: unknown) =>
    withExtra({ openings: new Map([[field, { ...extra.openings.get('people.technician')!, value }]]) });

  expect(await verify({ index: 254 })).toEqual({
    result: 'tampered',
    sentence: `The entry in the file is not entry 254 of the 600 that ${LOG_NAME} signed.`,
  });
  expect((await withExtra({ leaf: entries[254]! })).result).toBe('tampered');
  expect(await opened('people.technician', 'B. Smith')).toEqual({
    result: 'tampered',
    sentence: 'The value shown for people.technician is not the one that was logged.',
  });
  expect((await opened('people.driver', 'A. Smith')).result).toBe('tampered');
  expect(await withExtra({ openings: new Map() })).toMatchObject({
    result: 'proved',
    sentence: expect.not.stringContaining('Opened'),
  });
  const { extra: _, ...bare } = proof;
  expect(await verifyProofFile(nodeSha256, utf8(formatTlogProof(bare)), { key: key.verifier })).toEqual({
    result: 'could-not-tell',
    sentence: 'The file does not hold the entry that it is to prove (no extra data).',
  });
});

test('another key, an altered checkpoint and anything else are not proved', async () => {
  const file = parseUtf8(await proofFile(log, entries, 3));
  const verify = (text: string, by = key) => verifyProofFile(nodeSha256, utf8(text), { key: by.verifier });
  expect((await verify(file, await newKey())).result).toBe('could-not-tell');
  expect((await verify(file, await newKey('other.example'))).result).toBe('could-not-tell');
  expect(await verify(file.replace('\n600\n', '\n601\n'))).toEqual({
    result: 'tampered',
    sentence: `The checkpoint does not match its signature by ${LOG_NAME}: one of them was altered.`,
  });
  expect(await verify('<!doctype html>')).toEqual({
    result: 'could-not-tell',
    sentence: 'It cannot be read: a proof file begins with c2sp.org/tlog-proof@v1.',
  });
});

test('what the log signed though it is no leaf is the fault of the log', async () => {
  const changed = entries.with(3, utf8('{"v":1}'));
  const bad = await publish(changed, key);
  const proof = parseTlogProof(await proofFile(log, entries, 3));
  const other = parseTlogProof(await proofFile(await publish(entries, key), entries, 2));
  expect(other.index).toBe(2);
  const siblings = parseTlogProof(await proofFile(bad, entries, 3)).hashes;
  const file = formatTlogProof({
    ...proof,
    hashes: siblings,
    checkpoint: bad.files.get('checkpoint')!,
    extra: formatProofExtra({ leaf: changed[3]!, openings: new Map() }),
  });
  expect(await verifyProofFile(nodeSha256, utf8(file), { key: key.verifier })).toEqual({
    result: 'tampered',
    sentence: 'Entry 3 breaks the rules of this log: the type of a leaf is unknown.',
  });
});
