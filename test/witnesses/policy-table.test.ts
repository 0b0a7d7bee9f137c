// Holds the table of policies to itself: a slip of the pen there would teach each reader of policies a wrong rule.
import { describe, expect, test } from 'vitest';
import { MALFORMED } from './policy-malformed.ts';
import { logKeys, POLICIES, witnessKeys } from './policy-table.ts';
import { parseVkey, rawKey } from './signed-note.ts';
import { LOG_KEY, WITNESS_KEY } from './signed-note.ts';

describe.each(POLICIES)('the policy of $name', ({ text, quorums, not }) => {
  test('names only witnesses that it defines, each with its key', () => {
    for (const name of [...quorums, ...not].flat()) {
      const line = text.split('\n').map((each) => each.trim().split(/[ \t]+/));
      expect(line.some(([word, named, vkey]) => word === 'witness' && named === name && vkey === vkeyOf(name))).toBe(
        true,
      );
    }
  });

  test('has no set beside its quorums that holds one of them', () => {
    for (const quorum of quorums)
      for (const set of not)
        expect(
          quorum.every((name) => set.includes(name)),
          `${set} holds ${quorum}`,
        ).toBe(false);
  });

  test('uses no forbidden character', () => {
    expect(Buffer.from(text).every((byte) => byte === 9 || byte === 10 || (byte >= 0x20 && byte !== 0x7f))).toBe(true);
    expect(text).not.toContain('undefined');
  });
});

test('each policy has a name and a text of its own', () => {
  const all = [...POLICIES, ...MALFORMED];
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  expect(new Set(all.map(({ text }) => text)).size).toBe(all.length);
  for (const { text, name } of MALFORMED) expect(text, name).not.toContain('undefined');
});

test('each key is another one, and well formed', () => {
  const keys = [
    ...logKeys.map(({ vkey }) => parseVkey(vkey, LOG_KEY)),
    ...[...witnessKeys.values()].map(({ vkey }) => parseVkey(vkey, WITNESS_KEY)),
  ];
  expect(new Set(keys.map(({ publicKey }) => rawKey(publicKey).toString('hex'))).size).toBe(keys.length);
});

function vkeyOf(name: string): string | undefined {
  return witnessKeys.get(name)?.vkey;
}
