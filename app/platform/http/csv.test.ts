import { expect, test } from 'vitest';
import { csvDownload } from './csv-download.server.ts';
import { csvLine } from './csv.ts';

test.each([
  ['=HYPERLINK("http://evil.example")', `"'=HYPERLINK(""http://evil.example"")"`],
  ['+61 2 9000 0000', "'+61 2 9000 0000"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', `"'\t=1"`],
  ['\r=1', `"'\r=1"`],
  ['\n=1', `"'\n=1"`],
  ['＝1+1', "'＝1+1"],
  ['a=b', 'a=b'],
  ["'quoted'", "'quoted'"],
  ['one, two', '"one, two"'],
  ['say "when"', '"say ""when"""'],
  ['two\nlines', '"two\nlines"'],
  [' edge ', '" edge "'],
  ['Zoë 卡车', 'Zoë 卡车'],
  ['', ''],
  [null, ''],
  [true, 'true'],
  [false, 'false'],
])('a cell of %j is written as %j', (value, written) => {
  expect(csvLine([value])).toBe(`${written}\r\n`);
});

test('cells are parted by commas, lines end with CR LF', () => {
  expect(csvLine(['a', null, 'b'])).toBe('a,,b\r\n');
});

test('what fails before the first block is an error, and never the beginning of a file', async () => {
  async function* lines() {
    yield 'name\r\n';
    throw new Error('the database is away');
  }
  await expect(csvDownload(lines(), 'log.csv')).rejects.toThrow('the database is away');
});

test('a file has its heading and every block, once', async () => {
  async function* lines() {
    yield 'name\r\n';
    yield 'Mia\r\n';
    yield 'Jo\r\n';
  }
  expect(await (await csvDownload(lines(), 'log.csv')).text()).toBe('name\r\nMia\r\nJo\r\n');
});
