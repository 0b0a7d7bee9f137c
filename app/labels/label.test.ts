import { expect, test } from 'vitest';
import { PAGES } from '#app/access/pages.ts';
import { may } from '#app/access/permissions.ts';

const mayAnybodyGet = (path: string): boolean => {
  const get = PAGES[path]?.GET;
  return get !== undefined && may('public', get);
};

test('anybody gets the label of one truck, few at a time; a sheet of many is for who looks after vehicles', () => {
  expect(['/vehicles/label/:file', '/vehicles/labels.pdf'].map(mayAnybodyGet)).toEqual([true, false]);
  expect(PAGES['/vehicles/label/:file']?.dear).toBe(true);
});
