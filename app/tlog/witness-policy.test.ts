// Policies against a table that was made by hand from the specification (test/witnesses/policy-table.ts).
import { expect, test } from 'vitest';
import { MALFORMED } from '#test/witnesses/policy-malformed.ts';
import { POLICIES } from '#test/witnesses/policy-table.ts';
import { Malformed, utf8 } from './bytes.ts';
import { isQuorum, parseWitnessPolicy } from './witness-policy.ts';

test.each(POLICIES)('$name', async ({ text, quorums, not }) => {
  const policy = await parseWitnessPolicy(utf8(text));
  const met = (sets: string[][]) => sets.filter((names) => isQuorum(policy, new Set(names)));
  expect(met(quorums)).toEqual(quorums);
  expect(met(not)).toEqual([]);
});

test.each(MALFORMED)('malformed: $name', async ({ text }) => {
  await expect(parseWitnessPolicy(utf8(text))).rejects.toBeInstanceOf(Malformed);
});

test('the table is large enough to mean something', () => {
  expect(POLICIES.length).toBeGreaterThan(10);
  expect(MALFORMED.length).toBeGreaterThan(20);
});
