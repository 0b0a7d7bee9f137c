import { expect, test } from 'vitest';
import { hasFields, outsideVectors } from '#test/outside-vectors.ts';
import { Malformed } from './bytes.ts';
import { canonicalBytes, canonicalJson, parseCanonicalJson } from './canonical-json.ts';

type Pair = { name: string; input: string; outhex: string[] };
const isPair = (value: unknown): value is Pair =>
  hasFields(value, 'name', 'input', 'outhex') && typeof value.input === 'string' && Array.isArray(value.outhex);
const pairs = outsideVectors('jcs', isPair);

test.skipIf(pairs === undefined)('the pairs of cyberphone/json-canonicalization', () => {
  expect(pairs).toHaveLength(3);
  for (const { name, input, outhex } of pairs ?? [])
    expect(Buffer.from(canonicalBytes(JSON.parse(input))).toString('hex'), name).toBe(outhex.join(''));
});

test('names in order of UTF-16 code units (RFC 8785, section 3.2.3)', () => {
  const value = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  };
  expect([...canonicalJson(value).matchAll(/:"([^"]*)"/g)].map((match) => match[1])).toEqual([
    'Carriage Return',
    'One',
    'Control',
    'Latin Small Letter O With Diaeresis',
    'Euro Sign',
    'Emoji: Grinning Face',
    'Hebrew Letter Dalet With Dagesh',
  ]);
});

test('strings, literals and integers (RFC 8785, section 3.2.2)', () => {
  expect(canonicalJson([`€$\u000f\nA'B"\\"/`, '\b\f\t\u0000\u007f\u2028', null, true, false, -0, 1e3])).toBe(
    '["€$\\u000f\\nA\'B\\"\\\\\\"/","\\b\\f\\t\\u0000\u007f\u2028",null,true,false,0,1000]',
  );
  expect(canonicalJson({})).toBe('{}');
  expect(canonicalJson(Object.assign(Object.create(null), { b: [], a: {} }))).toBe('{"a":{},"b":[]}');
  expect(canonicalJson(Number.MAX_SAFE_INTEGER)).toBe('9007199254740991');
});

const cycle: unknown[] = [];
cycle.push(cycle);
test.each<[string, unknown]>([
  ['a fraction', 333333333.3333333],
  ['an unsafe integer', 2 ** 53],
  ['not a number', Number.NaN],
  ['infinity', Infinity],
  ['undefined', undefined],
  ['undefined in an object', { a: undefined }],
  ['a hole in an array', Array(2)],
  ['a big integer', 1n],
  ['a function', () => 1],
  ['a symbol', Symbol('a')],
  ['a symbol as a name', { [Symbol('a')]: 1 }],
  ['a date', new Date(0)],
  ['a map', new Map()],
  ['bytes', new Uint8Array(1)],
  ['an object of a class', new URL('https://example.com')],
  ['an object that says how it is written', { toJSON: () => 1 }],
  ['half a surrogate pair', '\ud83d'],
  ['the other half', 'a\ude00'],
  ['half a surrogate pair in a name', { '\ud83d': 1 }],
  ['a cycle', cycle],
])('%s: refused', (_name, value) => {
  expect(() => canonicalJson(value)).toThrow(Malformed);
});

test('only canonical text is taken in', () => {
  expect(parseCanonicalJson('{"a":[1,"b"],"c":null}')).toEqual({ a: [1, 'b'], c: null });
  for (const text of ['{"b":1,"a":2}', '{"a":1,"a":1}', '{ "a":1}', '[1.0]', '["\\u0041"]', '1 ', '', '{', '[1.5]'])
    expect(() => parseCanonicalJson(text), text).toThrow(Malformed);
});

test('names are sorted whatever was written before, few or many', () => {
  expect(
    ['ba', 'cd', 'ab', 'ba'].map((names) => canonicalJson(Object.fromEntries([...names].map((n) => [n, 1])))),
  ).toEqual(['{"a":1,"b":1}', '{"c":1,"d":1}', '{"a":1,"b":1}', '{"a":1,"b":1}']);
  const many = Array.from({ length: 100 }, (_, index) => `n${index}`);
  const written = canonicalJson(Object.fromEntries(many.map((name) => [name, 0])));
  expect(Object.keys(JSON.parse(written))).toEqual(many.toSorted());
});
