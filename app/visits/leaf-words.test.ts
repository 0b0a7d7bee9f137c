import { expect, test } from 'vitest';
import { CHECKS } from '#app/policy/checks.ts';
import { leafWords } from './leaf-words.ts';
import { checksText } from './visit.ts';

test('an entry of the log names checks, states and reasons as the pages do', () => {
  const text = checksText([
    { check: 'complete', rule: 'must', answer: 'passed', sentence: '' },
    { check: 'agrees', rule: 'must', answer: 'cannot be told', sentence: '' },
    { check: 'photo', rule: 'noted', answer: 'failed', sentence: '' },
  ]);
  expect(leafWords('checks', text)).toBe(
    'Complete: passed (required) · Agrees: cannot be told (required) · Photo: failed (noted)',
  );
  expect(leafWords('checks', 'agrees:must ticket:off')).toBe('Agrees: required · Ticket: off');
  expect(leafWords('visitState', 'set-aside')).toBe('Set aside');
  expect(leafWords('reason', 'does-not-fit')).toBe('The figures do not fit this truck');
  for (const { check, name } of CHECKS) expect(leafWords('checks', `${check}:pm`)).toBe(`${name}: passed (required)`);
});

test('what is no code stays as it is', () => {
  expect(leafWords('axle', 'STEER')).toBe('STEER');
  expect(leafWords('reason', 'words of another list')).toBe('words of another list');
  expect(leafWords('checks', 'later:xx')).toBe('later: xx');
});
