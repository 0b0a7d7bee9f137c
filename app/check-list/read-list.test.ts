import { expect, test } from 'vitest';
import { demoRandom } from '#commands/demo/random.ts';
import { textOfFile } from '#app/platform/http/table-file.server.ts';
import { LINES_MAX, listText, readList } from './read-list.server.ts';

function texts(given: string): string[] | string {
  const read = readList(given);
  return read.ok ? read.lines.map(({ text, isHeading }) => (isHeading ? `heading ${text}` : text)) : read.message;
}
async function ofFile(bytes: Uint8Array): Promise<string[] | string> {
  const file = await textOfFile(bytes);
  return file.ok ? texts(file.text) : file.message;
}
const bytes = (text: string) => new TextEncoder().encode(text);
function utf16(text: string, isLittle: boolean): Uint8Array {
  const swapped = Buffer.from(text, 'utf16le');
  return isLittle ? swapped : swapped.swap16();
}

test.each([
  ['one a line', 'XV04KL\nS558BXW', ['XV04KL', 'S558BXW']],
  ['with a line end at the end', 'XV04KL\nS558BXW\n', ['XV04KL', 'S558BXW']],
  ['as Windows ends lines', 'XV04KL\r\nS558BXW\r\n', ['XV04KL', 'S558BXW']],
  ['as old Macs end lines', 'XV04KL\rS558BXW\r', ['XV04KL', 'S558BXW']],
  ['with empty lines, which are lines', 'XV04KL\n\n\nS558BXW\n\n', ['XV04KL', '', '', 'S558BXW', '']],
  ['with spaces', '  XV 04 KL \n', ['XV 04 KL']],
  ['doubled', 'XV04KL\nXV04KL', ['XV04KL', 'XV04KL']],
  ['several columns, of which the first', 'XV04KL,Volvo\nS558BXW,Mack', ['XV04KL', 'S558BXW']],
  ['copied from a spreadsheet', 'XV04KL\tVolvo\nS558BXW\tMack', ['XV04KL', 'S558BXW']],
  ['with semicolons', 'XV04KL;Volvo, white\nS558BXW;Mack', ['XV04KL', 'S558BXW']],
  ['with a heading', 'Make,Rego\nVolvo,XV04KL\nMack,S558BXW', ['heading Rego', 'XV04KL', 'S558BXW']],
  ['with a heading in capitals', 'PLATE\nXV04KL', ['heading PLATE', 'XV04KL']],
  ['with a heading and quotes', '"Make";"VIN"\r\n"Volvo";"6T9HZ8"\r\n', ['heading VIN', '6T9HZ8']],
  ['one that reads like a heading', 'VIN', ['VIN']],
  ['all in one line', 'XV04KL, S558BXW, 1GH551', ['XV04KL', 'S558BXW', '1GH551']],
  ['as Excel keeps a number as text', '="007LHT"\n"=""007LHT"""\n', ['007LHT', '007LHT']],
  ['with a formula, which stays text', '=1+1\n@SUM(A1)\n', ['=1+1', '@SUM(A1)']],
  ['with a mark in front', '\uFEFFrego\nXV04KL', ['heading rego', 'XV04KL']],
  ['with a quotation mark in a cell', 'XV"04KL\nS558BXW', ['XV"04KL', 'S558BXW']],
  ['with a cell of two lines', '"XV04KL\nthe white one",Volvo\nS558BXW,Mack', ['XV04KL\nthe white one', 'S558BXW']],
  ['with a short line', 'Make,Rego\nVolvo\nMack,S558BXW', ['heading Rego', '', 'S558BXW']],
])('a list %s', (_, given, lines) => {
  expect(texts(given)).toEqual(lines);
});

test.each([
  ['Excel’s own first line', 'sep=;\nMake;Rego\nVolvo;XV04KL', ['heading Rego', 'XV04KL']],
  ['a heading of one’s own', 'Make,Rego No.\nVolvo,XV04KL', ['heading Rego No.', 'XV04KL']],
  [
    'a heading with a rego beside its date',
    'Rego expiry,Number plate\n1/1/27,XV04KL',
    ['heading Number plate', 'XV04KL'],
  ],
  ['a state beside the rego', 'State,Rego\nNSW,XV04KL', ['heading Rego', 'XV04KL NSW']],
  ['a comma at the end of each line', 'Rego,\nXV04KL,\nS558BXW,', ['heading Rego', 'XV04KL', 'S558BXW']],
])('a list with %s', (_, given, lines) => {
  expect(texts(given)).toEqual(lines);
});

test('lines are named as in the file after cells of several lines, and on the next page too', () => {
  const read = readList('State,Rego,Note\nNSW,XV04KL,"one\ntwo\nthree"\n\nNSW,="007",\nNSW,"1GH\n551",');
  const lines = read.ok ? read.lines : [];
  expect(lines.map(({ number, text }) => [number, text])).toEqual([
    [1, 'Rego'],
    [4, 'XV04KL NSW'],
    [5, ''],
    [6, '007 NSW'],
    [8, '1GH\n551 NSW'],
  ]);
  expect(lines[0]?.states).toBe('State');
  expect(lines[3]?.isKept).toBe(true);
  expect(readList(listText(lines))).toEqual(read);
});

test('lines are numbered as they stand in what was given', () => {
  const read = readList('Rego\nXV04KL\n\nS558BXW');
  expect(read.ok ? read.lines.map(({ number }) => number) : []).toEqual([1, 2, 3, 4]);
});

test.each([
  ['nothing', '', /^Paste the regos/],
  ['nothing but empty lines', '\n \n\t\n', /^Paste the regos/],
  ['a quotation mark that nothing closes', 'XV04KL\n"S558BXW\n1GH551', /^Line \d+ opens a quotation mark/],
  ['one line too many', 'X\n'.repeat(LINES_MAX + 1), /more than 10,000 lines\. Divide it/],
  ['ten million lines', '\n'.repeat(10_000_000), /more than 10,000 lines|^Paste/],
  ['a line of 10 MB', 'X'.repeat(10_000_000), /^Line 1 is too long/],
])('refuses %s', (_, given, sentence) => {
  expect(texts(given)).toMatch(sentence);
});

test('so many lines as it may have, and a heading beside them', () => {
  expect(texts('X\n'.repeat(LINES_MAX))).toHaveLength(LINES_MAX);
  expect(texts(`Rego\n${'X\n'.repeat(LINES_MAX)}`)).toHaveLength(LINES_MAX + 1);
  expect(texts(`Rego\n${'X\n'.repeat(LINES_MAX + 1)}`)).toMatch(/more than 10,000 lines/);
});

test('files in the encodings that spreadsheets write', async () => {
  const list = 'rego\r\nXV04KL\r\n';
  const lines = ['heading rego', 'XV04KL'];
  expect(await ofFile(bytes(`\uFEFF${list}`))).toEqual(lines);
  expect(await ofFile(utf16(`\uFEFF${list}`, true))).toEqual(lines);
  expect(await ofFile(utf16(`\uFEFF${list}`, false))).toEqual(lines);
  expect(await ofFile(utf16(list, true))).toEqual(lines);
  expect(await ofFile(utf16(list, false))).toEqual(lines);
  expect(await ofFile(new Uint8Array([...bytes('XV04KL,Caf'), 0xe9, 10, ...bytes('S558BXW')]))).toEqual([
    'XV04KL',
    'S558BXW',
  ]);
});

test('files that are no list', async () => {
  expect(await ofFile(new Uint8Array([0x50, 0x4b, 3, 4, 20, 0, 6, 0]))).toMatch(/^This workbook cannot be read\./);
  expect(await ofFile(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13]))).toMatch(
    /^This file is not text\./,
  );
});

test('as many lines come out as go in, in their order, of a thousand generated lists', () => {
  const random = demoRandom('lists');
  const ends = ['\n', '\r\n', '\r'];
  for (let nth = 0; nth < 1000; nth += 1) {
    const delimiter = random.pick([',', ';', '\t']);
    const regos = Array.from({ length: random.whole(2, 40) }, () =>
      random.pick(['', 'XV04KL', `XV${random.whole(0, 99)}`, '007', 'a b-c', '#?', '"quoted"', 'x,y', 'x;y']),
    );
    if (regos.every((rego) => rego === '')) continue;
    const quoted = (cell: string) =>
      /[",;\t]/.test(cell) || random.whole(0, 3) === 0 ? `"${cell.replaceAll('"', '""')}"` : cell;
    const [column, others] = [random.whole(0, 2), ['Volvo', 'white, with a crane']];
    const hasHeading = column > 0 || random.whole(0, 1) === 0;
    const row = (cell: string) =>
      [...others.slice(0, column), cell, ...others.slice(column)].map(quoted).join(delimiter);
    const end = random.pick(ends);
    const lines = [...(hasHeading ? [row(random.pick(['Rego', 'plate', 'VIN']))] : []), ...regos.map(row)];
    const read = texts(lines.join(end) + (random.whole(0, 1) === 0 ? end : ''));
    expect(Array.isArray(read) ? read.slice(hasHeading ? 1 : 0) : read).toEqual(regos);
  }
});
