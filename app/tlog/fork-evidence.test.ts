import { beforeAll, expect, test } from 'vitest';
import { LOG_NAME, newKey } from '#test/small-log.ts';
import { utf8 } from './bytes.ts';
import { formatCheckpoint } from './checkpoint.ts';
import { forkEvidence } from './fork-evidence.ts';
import { nodeSha256 } from './sha256.server.ts';
import { type SigningKey, signNote } from './sign-note.server.ts';

let key: SigningKey;
beforeAll(async () => {
  key = await newKey();
});

const signed = (size: number, seed: string, by = key) =>
  utf8(
    signNote(by, formatCheckpoint({ origin: by.verifier.name, size, root: nodeSha256(utf8(seed)), extensions: [] })),
  );
const judge = (a: Uint8Array, b: Uint8Array) => forkEvidence(nodeSha256, [a, b], key.verifier);

test('two trees of one size are a fork', async () => {
  expect(await judge(signed(7, 'a'), signed(7, 'b'))).toEqual({
    result: 'tampered',
    sentence: `Forked: ${LOG_NAME} signed two different trees of 7 entries. These two notes are evidence for anyone who has the key.`,
  });
});

test('a root of the empty tree that is not its own is no honest log, whatever the other note', async () => {
  expect(await judge(signed(0, 'a'), signed(7, 'b'))).toMatchObject({ result: 'tampered' });
});

test('the same tree is none', async () => {
  expect(await judge(signed(7, 'a'), signed(7, 'a'))).toEqual({
    result: 'proved',
    sentence: `Proved: both notes show the same tree of 7 entries of ${LOG_NAME}.`,
  });
});

test('other sizes are judged by the log only', async () => {
  for (const [a, b] of [
    [7, 8],
    [8, 7],
    [0, 7],
  ] as const)
    expect(await judge(signed(a, a === 0 ? '' : 'a'), signed(b, 'b'))).toMatchObject({ result: 'could-not-tell' });
});

test('what the key did not sign is no evidence', async () => {
  const stranger = await newKey();
  const forged = utf8(new TextDecoder().decode(signed(7, 'a')).replace('\n7\n', '\n8\n'));
  for (const [a, b] of [
    [signed(7, 'a'), signed(7, 'b', stranger)],
    [signed(7, 'a', stranger), signed(7, 'b')],
    [signed(8, 'a'), forged],
    [signed(7, 'a'), utf8('note')],
  ] as const)
    expect(await judge(a, b)).toMatchObject({
      result: 'could-not-tell',
      sentence: expect.stringMatching(/^The (first|second) note is no evidence: /),
    });
});
