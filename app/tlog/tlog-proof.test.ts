import { expect, test } from 'vitest';
import { formatBase64, Malformed, parseUtf8, utf8 } from './bytes.ts';
import { formatProofExtra, formatTlogProof, parseProofExtra, parseTlogProof } from './tlog-proof.ts';

// The example of the specification, its abridged signatures made whole.
const EXAMPLE = `c2sp.org/tlog-proof@v1
index 73894
gSKyXoYZUgZ6jduWYrkDOARinOMGJveXjgMkBTcdPlQ=
B95lDa8R83lS8n0eG+o0buTxRKQTYFi//1U8anccXmA=
EKNzoDWG8LGC0Yp9o+sv3qllpMP9uHQ9B20KNL+Q1zs=
RoopEkOdqkYqMB4MJXrbt/hMjOxsVn0IrWjpz1ZMMes=
AHCioX9nLjsrse6YhjRRmk1WUEirVOLLRoOQ6vfO5vk=

example.com/fancylog
109482
sFodV/vSp5O8n9a8QpW6PRY97tfOSW5bsc2Xl/EQi08=

— example.com/fancylog hI2DJwAA
— witness1.example mJirIklj
`;

test('the example of the specification', () => {
  const proof = parseTlogProof(utf8(EXAMPLE));
  expect(proof.index).toBe(73_894);
  expect(proof.hashes).toHaveLength(5);
  expect(parseUtf8(proof.checkpoint)).toBe(EXAMPLE.slice(EXAMPLE.indexOf('\n\n') + 2));
  expect('extra' in proof).toBe(false);
  expect(formatTlogProof(proof)).toBe(EXAMPLE);
});

test('extra data, also empty ones, and a proof of no hashes for the only entry', () => {
  for (const extra of [utf8('anything'), utf8('')]) {
    const text = formatTlogProof({ index: 0, hashes: [], checkpoint: utf8('log\n'), extra });
    expect(text).toBe(`c2sp.org/tlog-proof@v1\nextra ${formatBase64(extra)}\nindex 0\n\nlog\n`);
    expect(parseTlogProof(utf8(text))).toEqual({ index: 0, hashes: [], checkpoint: utf8('log\n'), extra });
  }
});

test.each<[string, string]>([
  ['nothing', ''],
  ['another version', EXAMPLE.replace('@v1', '@v2')],
  ['a space behind the first line', EXAMPLE.replace('@v1', '@v1 ')],
  ['carriage returns', EXAMPLE.replaceAll('\n', '\r\n')],
  ['no index', EXAMPLE.replace('index 73894\n', '')],
  ['an index with a leading zero', EXAMPLE.replace('73894', '073894')],
  ['an index and more', EXAMPLE.replace('73894', '73894 ')],
  ['an index beyond 2^53', EXAMPLE.replace('73894', '9007199254740993')],
  ['extra data behind the index', EXAMPLE.replace('73894\n', '73894\nextra AAAA\n')],
  ['extra data twice', EXAMPLE.replace('index', 'extra AAAA\nextra AAAA\nindex')],
  ['extra data that are no base64', EXAMPLE.replace('index', 'extra A\nindex')],
  ['a short hash', EXAMPLE.replace('gSKyXoYZ', 'gSKy')],
  ['stray bits in a hash', EXAMPLE.replace('PlQ=', 'PlR=')],
  ['no empty line', EXAMPLE.replaceAll('\n\n', '\n')],
  ['65 hashes', EXAMPLE.replace(/gSK.*\n/, (line) => line.repeat(61))],
])('%s: no proof file', (_name, text) => {
  expect(() => parseTlogProof(utf8(text))).toThrow(Malformed);
});

test('the entry and its openings travel as extra data', () => {
  const extra = {
    leaf: utf8('{"v":1}'),
    openings: new Map([
      ['subject', { salt: 'AAAA', value: { rego: 'ABC123' } }],
      ['certificate', { salt: 'BBBB', value: null }],
    ]),
  };
  expect(parseProofExtra(formatProofExtra(extra))).toEqual({
    ...extra,
    openings: new Map([...extra.openings].sort(([a], [b]) => (a < b ? -1 : 1))),
  });
});

test.each([
  '',
  'null',
  '{}',
  '{"leaf":"a"}',
  '{"leaf":1,"openings":{}}',
  '{"leaf":"a","more":1,"openings":{}}',
  '{"leaf":"a","openings":[]}',
  '{"leaf":"a","openings":{"subject":null}}',
  '{"leaf":"a","openings":{"subject":{"salt":"A"}}}',
  '{"leaf":"a","openings":{"subject":{"more":1,"salt":"A","value":1}}}',
  '{"leaf":"a", "openings":{}}',
])('%j are no extra data', (text) => {
  expect(() => parseProofExtra(utf8(text))).toThrow(Malformed);
});
