import { expect, test } from 'vitest';
import { orderOfColumn, readColumnDay, readTableDay } from './table-day.ts';

test.each([
  ['2027-05-14', '2027-05-14', 'named'],
  ['2027/5/14', '2027-05-14', 'named'],
  ['2027-05-14 00:00:00', '2027-05-14', 'named'],
  ['2027-05-14T00:00:00.000Z', '2027-05-14', 'named'],
  ['14/05/2027', '2027-05-14', 'day-first'],
  ['3/4/27', '2027-04-03', 'either'],
  ['3-4-2027', '2027-04-03', 'either'],
  ['3/4/99', '1999-04-03', 'either'],
  ['4/4/2027', '2027-04-04', 'named'],
  ['14.5.2027', '2027-05-14', 'day-first'],
  ['14. 5. 2027', '2027-05-14', 'day-first'],
  ['14 05 2027', '2027-05-14', 'day-first'],
  ['１４／０５／２０２７', '2027-05-14', 'day-first'],
  ['14-May-27', '2027-05-14', 'named'],
  ['14 May 2027', '2027-05-14', 'named'],
  ['14\u00a0May\u00a02027', '2027-05-14', 'named'],
  ['14May2027', '2027-05-14', 'named'],
  ['14th May, 2027', '2027-05-14', 'named'],
  ['Friday, 14 May 2027', '2027-05-14', 'named'],
  ['3 Sept 2027', '2027-09-03', 'named'],
  ['May 14, 2027', '2027-05-14', 'named'],
  ['14/05/2027 12:00:00 AM', '2027-05-14', 'day-first'],
  ['14/05/2027 10:19', '2027-05-14', 'day-first'],
  ['29/02/2028', '2028-02-29', 'day-first'],
  ['14/05/2527', '2527-05-14', 'day-first'],
  ['46156', '2026-05-14', 'number'],
  ['46156.5', '2026-05-14', 'number'],
])('%s is %s', (text, day, order) => {
  expect(readTableDay(text)).toEqual({ ok: true, day, order });
});

test.each([
  ['05/14/2027', /^There is no month 14\. Day first/],
  ['31/02/2026', /^There is no such day\. Day first/],
  ['29/02/2027', /^There is no such day/],
  ['00/00/0000', /^There is no such day/],
  ['31 April 2027', /^There is no such day/],
  ['14 Foo 2027', /^There is no such day/],
  ['14/13/32', /^There is no such day/],
  ['May 2027', /^This is no date\. Day first: a date such as 2026-03-10 or 10\/03\/2026\./],
  ['1-Mar', /^This is no date/],
  ['soon', /^This is no date/],
  ['20270514', /^This is no date/],
  ['2027-05-13T14:00:00Z', /^This is no date/],
  ['7', /^This is no date/],
])('%s is refused', (text, sentence) => {
  const read = readTableDay(text);
  expect(read.ok ? read.day : read.message).toMatch(sentence);
});

test('a column with its month first is refused where it could be read in two ways; a mixed one is asked about', () => {
  const columnOf = (texts: readonly string[]) => {
    const order = orderOfColumn(texts);
    return texts.map((text) => readColumnDay(text, order));
  };
  expect(columnOf(['05/14/2027', '03/04/2027', '4/4/2027', '2027-03-04'])).toEqual([
    { ok: false, message: expect.stringContaining('no month 14') },
    { ok: false, message: expect.stringContaining('its month first, as in 05/14/2027') },
    { ok: true, day: '2027-04-04' },
    { ok: true, day: '2027-03-04' },
  ]);
  expect(columnOf(['05/14/2027', '03/04/2027', '14/05/2027'])[1]).toEqual({
    ok: true,
    day: '2027-04-03',
    question: 'Another line has its month first: 05/14/2027. Tick to take this as 3 April 2027.',
  });
  expect(columnOf(['', '46156'])[1]).toMatchObject({
    question: 'A bare day number: 14 May 2026? Tick to take that day.',
  });
});
