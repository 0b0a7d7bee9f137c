import { expect, test } from 'vitest';
import { RecordCutter } from './record-cutter.ts';

const RECORDS = [
  '{}',
  String.raw`{"rego":"A}1{","notes":"said \"no]\" \\","calibrations":{"1":{"x":[[],{}]}}}`,
  '["ü", "🚛", {"deep": [1, 2]}]',
];
const TEXT = `\ufeff { "Vehicles" : {"A{1" : ${RECORDS[0]}, "B\\"2": ${RECORDS[1]} ,"C]3":null}, "Odd": [${RECORDS[2]}, 4]}\n`;

function cutUp(chunks: readonly Uint8Array[]) {
  const cutter = new RecordCutter();
  return chunks.flatMap((chunk) =>
    cutter.cut(chunk).map(({ bytes, at, isRecord }) => ({ text: Buffer.from(bytes), at, isRecord })),
  );
}

test('records are cut out whole, wherever the file is read in pieces', () => {
  const bytes = Buffer.from(TEXT);
  for (let first = 0; first <= bytes.length; first += 1)
    for (const second of [first, first + 1, first + 5, bytes.length]) {
      const cuts = cutUp([bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)]);
      expect(Buffer.concat(cuts.map(({ text }) => text)).equals(bytes)).toBe(true);
      expect(cuts.filter(({ isRecord }) => isRecord).map(({ text }) => text.toString())).toEqual(RECORDS);
      for (const { text, at } of cuts) expect(bytes.subarray(at, at + text.length).equals(text)).toBe(true);
    }
});

test('a piece of a record outlives the bytes that it came in', () => {
  const cutter = new RecordCutter();
  const reused = Buffer.from('{"V":{"A":{"a":');
  cutter.cut(reused);
  reused.fill('x');
  const cuts = cutter.cut(Buffer.from('1}}}'));
  expect(cuts.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['{"a":1}', '}}']);
});

test('what closes more than was opened is left to the parser', () => {
  const cuts = cutUp([Buffer.from('}]{"V":{"A":{}}}]')]);
  expect(cuts.filter(({ isRecord }) => isRecord).map(({ text }) => text.toString())).toEqual(['{}']);
});
