import { expect, test } from 'vitest';
import { listHref, parseListQuery, sortHref } from './list-query.ts';

const parse = (search: string) => parseListQuery(new URLSearchParams(search));

test('an address gives back itself', () => {
  for (const search of [
    '',
    '?q=XV%2027',
    '?verdict=overdue',
    '?verdict=overdue,due-soon&page=3',
    '?q=a%26b&verdict=valid&sort=due&dir=desc&page=2',
    '?sort=rego&dir=desc',
    '?sort=vin&dir=asc',
    '?by=0b5f6a3e-1111-4222-8333-944444444444&sort=due&dir=asc',
    '?due_from=2026-12-01&due_to=2026-12-31&visits=waits',
    '?q=XV&company=Merri%20Haulage&serial=LC-40&verdict=valid',
  ])
    expect(listHref(parse(search))).toBe(`/vehicles${search}`);
});

test('what an address says wrongly counts as not said', () => {
  expect(parse('by=1&sort=price&dir=up&verdict=fine,,&due_from=2026-02-30&visits=all&page=-1&q=%20')).toEqual({
    text: '',
    company: '',
    serial: '',
    verdicts: [],
    dueFrom: '',
    dueTo: '',
    visits: '',
    by: '',
    sort: 'rego',
    descending: false,
    page: 1,
  });
  expect(parse('verdict=overdue&verdict=overdue,valid&page=1e3').verdicts).toEqual(['overdue', 'valid']);
  expect(parse(`q=${'x'.repeat(999)}`).text).toHaveLength(60);
});

test('a heading orders by its column, then the other way round, and begins at the first page', () => {
  expect(sortHref(parse('q=X&page=4'), 'due')).toBe('/vehicles?q=X&sort=due&dir=asc');
  expect(sortHref(parse('sort=due&page=4'), 'due')).toBe('/vehicles?sort=due&dir=desc');
  expect(sortHref(parse('sort=due&dir=desc'), 'due')).toBe('/vehicles?sort=due&dir=asc');
  expect(sortHref(parse(''), 'rego')).toBe('/vehicles?sort=rego&dir=desc');
  expect(sortHref(parse('sort=rego&dir=desc'), 'rego')).toBe('/vehicles');
});
