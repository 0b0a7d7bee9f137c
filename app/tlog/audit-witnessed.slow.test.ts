// An audit of a log whose witnesses count: its newest witnessed checkpoint has the quorum, and is of this log.
import { beforeAll, expect, test } from 'vitest';
import { newKey, publish, type SmallLog, someEntries } from '#test/small-log.ts';
import { cosigned, policyText } from '#test/witnesses/cosign.ts';
import { auditLog } from './audit-log.ts';
import { type Bytes, utf8 } from './bytes.ts';
import { nodeSha256 } from './sha256.server.ts';
import type { SigningKey } from './sign-note.server.ts';
import { CHECKPOINT_PATH, WITNESSED_PATH } from './tiles.ts';
import { parseWitnessPolicy } from './witness-policy.ts';

const SIZE = 600;
const AT = new Date('2026-11-24T00:00:00Z');
const DAY_MS = 86_400_000;
let key: SigningKey;
let entries: Bytes[];
let log: SmallLog;
beforeAll(async () => {
  key = await newKey();
  entries = await someEntries(SIZE, 5);
  log = await publish(entries, key);
});

/** With the checkpoint of this log's first `size` entries as the witnessed one. */
async function audit(of: readonly Bytes[], size: number, names: readonly string[], laterMs = 24_000) {
  const note = (await publish(of.slice(0, size), key)).files.get(CHECKPOINT_PATH) ?? new Uint8Array();
  const files = new Map<string, Uint8Array>(log.files).set(WITNESSED_PATH, cosigned(note, names, AT));
  const policy = await parseWitnessPolicy(utf8(policyText(['north', 'south'], 2)));
  const witnessing = { policy, now: new Date(AT.getTime() + laterMs) };
  return auditLog({
    sha256: nodeSha256,
    readFile: async (path) => (names.includes('nobody') && path === WITNESSED_PATH ? undefined : files.get(path)),
    key: key.verifier,
    witnessing,
  });
}

test.each([1, 255, 256, 257, 512, 599, 600])('the first %i are witnessed', async (size) => {
  expect(await audit(entries, size, ['north', 'south'])).toEqual({
    result: 'proved',
    sentence: expect.stringContaining(
      `The first ${size} are witnessed. Witnessed by 2 of 2 witnesses (north, south), 24 seconds ago.`,
    ),
  });
});

test('a quorum of more than a day ago is old', async () => {
  expect(await audit(entries, 500, ['north', 'south'], DAY_MS + 60_000)).toMatchObject({
    result: 'proved',
    isOld: true,
  });
});

test('too few witnesses, or nothing witnessed, is not proved', async () => {
  expect(await audit(entries, 500, ['north'])).toMatchObject({ result: 'could-not-tell' });
  expect(await audit(entries, 500, ['north', 'nobody'])).toMatchObject({ result: 'could-not-tell' });
});

test('a witnessed checkpoint of another log is a fork', async () => {
  const others = await someEntries(SIZE, 7);
  for (const size of [6, 256, 300, 600])
    expect(await audit(others, size, ['north', 'south'])).toEqual({
      result: 'tampered',
      sentence: `The log was rewritten: its first ${size} entries are not those of the witnessed checkpoint.`,
    });
});
