import { expect, test } from 'vitest';
import {
  isPlaceholder,
  knownVin,
  normaliseSearch,
  normaliseVin,
  parseRego,
  PLACEHOLDERS,
  vinWarning,
} from './vehicle.ts';

test.each(['abc 123', 'ABC-123', 'a.b.c.1.2.3', 'ＡＢＣ１２３', ' abc123\t', 'ABC\u2011123'])(
  '%j is the rego ABC123',
  (text) => {
    expect(parseRego(text)).toEqual({ ok: true, rego: 'ABC123' });
  },
);

test.each(['O0I1', '0O1I'])('look-alikes stay as they are: %s', (rego) => {
  expect(parseRego(rego)).toEqual({ ok: true, rego });
});

test.each([
  ['', 'missing'],
  [' - . ', 'missing'],
  ['A/B', 'invalid'],
  ['../etc', 'invalid'],
  ['A%42', 'invalid'],
  ['ÄBC', 'invalid'],
  ['A'.repeat(21), 'invalid'],
  ['<b>', 'invalid'],
  ['STRAßE', 'invalid'],
  ['ı23', 'invalid'],
  ['ABC²', 'invalid'],
  ['🚚', 'invalid'],
])('%j is refused as %s', (text, reason) => {
  expect(parseRego(text)).toMatchObject({ ok: false, reason });
});

test('a VIN or chassis number loses spaces and hyphens, and is never refused for its length', () => {
  expect(normaliseVin('6t9-hz8 fm2pa100418')).toBe('6T9HZ8FM2PA100418');
  expect(normaliseVin('CH-1234')).toBe('CH1234');
  expect(normaliseVin('')).toBe('');
  expect(normaliseVin('A/B')).toBeUndefined();
  expect(normaliseVin('A'.repeat(31))).toBeUndefined();
});

test('an odd VIN is warned about', () => {
  expect(vinWarning('6T9HZ8FM2PA100418')).toBeUndefined();
  expect(vinWarning('')).toBeUndefined();
  expect(vinWarning('CH1234')).toContain('this has 6');
  expect(vinWarning('6T9HZ8FM2PA1O0418')).toContain('I, O or Q');
});

test('a search holds letters and digits only, so nothing can be injected', () => {
  expect(normaliseSearch(' xv-04 ')).toBe('XV04');
  expect(normaliseSearch("%' or 1=1 --_")).toBe('OR11');
  expect(normaliseSearch('%_')).toBe('');
  expect(normaliseSearch('x'.repeat(500))).toHaveLength(30);
});

test.each([
  ['XV04KL NSW', 'XV04KLNSW'],
  ['NT-123', 'NT123'],
  ['XV04KL (NSW)', 'XV04KL'],
  ['vic/xv04kl', 'XV04KL'],
])('%j is %s, and perhaps another rego with a state', (text, rego) => {
  expect(parseRego(text)).toMatchObject({ ok: true, rego, without: expect.anything() });
});

test.each(['NSWXV04KL', 'NSW', 'XVNSW', 'XV04KL NSWX', ' NSW '])('%j has no state', (text) => {
  expect(parseRego(text)).not.toHaveProperty('without');
});

test('a text that only looks endless is read at once', () => {
  const started = performance.now();
  for (const text of [' '.repeat(100_000), `(${' -/'.repeat(50_000)}NSW`, 'NSW '.repeat(50_000)]) parseRego(text);
  expect(performance.now() - started).toBeLessThan(500);
});

test.each([
  'TBA',
  't.b.a.',
  'N/A',
  '#N/A',
  'n / a',
  'unknown',
  'Not known',
  'XXX',
  'XXXXXXXXXXXXXXXXX',
  '0',
  '00000000',
  '???',
  '1111',
  'ＴＢＡ',
])('%j is no VIN', (text) => {
  expect(isPlaceholder(text)).toBe(true);
});

test.each(['', ' ', '6T9HZ8FM2PA100418', 'CH1234', 'NA1', 'TBA1', 'X0', '--', '%'])(
  '%j may be one, or is empty',
  (text) => {
    expect(isPlaceholder(text)).toBe(false);
  },
);

test('a stored placeholder counts as empty', () => {
  for (const word of PLACEHOLDERS) expect(knownVin(word)).toBe('');
  expect(knownVin('6T9HZ8FM2PA100418')).toBe('6T9HZ8FM2PA100418');
});

test.each(['XV04KLß', 'é', '①', 'Х'])('%j finds nothing', (text) => {
  expect(normaliseSearch(text)).toBe('');
});
