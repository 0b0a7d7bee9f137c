import { expect, test } from 'vitest';
import { isFiltered, logHref, parseLogQuery } from './log-query.ts';

const parse = (search: string) => parseLogQuery(new URLSearchParams(search));

test('an address gives back itself', () => {
  for (const search of [
    '',
    '?page=3',
    '?who=Jo%20%26%20Mia&kind=vehicle.updated&record=XV27BD&from=2026-01-31&to=2026-02-28&page=2',
    '?record=mia@registry.example',
    '?from=yesterday',
  ])
    expect(logHref(parse(search))).toBe(`/logs${search}`);
});

test('a form sent whole has the address of what was filled in', () => {
  const query = parse('who=+&kind=&record=xv+27&from=&to=');
  expect(logHref(query, '/logs.csv')).toBe('/logs.csv?record=xv%2027');
  expect(isFiltered(query)).toBe(true);
  expect(isFiltered(parse('who=&kind=&page=4'))).toBe(false);
});

test('what an address says wrongly counts as not said', () => {
  expect(parse('kind=vehicle.stolen&page=-1&q=x')).toEqual({
    who: '',
    kind: null,
    record: '',
    from: '',
    to: '',
    page: 1,
  });
  expect(parse(`who=${'x'.repeat(999)}`).who).toHaveLength(254);
});
