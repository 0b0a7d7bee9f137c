import { expect, test } from 'vitest';
import { PAGES } from '#app/access/pages.ts';
import { pageAt } from './page-at.ts';

test.each([
  ['/', '/', false],
  ['/_.data', '/', true],
  ['/search.data', '/search', true],
  ['/vehicles/view/XV04KL', '/vehicles/view/:rego', false],
  ['/vehicles/view/XV04KL.data', '/vehicles/view/:rego', true],
  ['/vehicles/view/XV%2004KL', '/vehicles/view/:rego', false],
  ['/Vehicles/New', '/vehicles/new', false],
  ['/vehicles/new/', '/vehicles/new', false],
  ['/vehicles/new//.data', '/vehicles/new', true],
  ['/vehicles/new/XV04KL', '/vehicles/new/:rego', false],
  ['/vehicles.csv', '/vehicles.csv', false],
  ['/no/such/page', '/*', false],
])('%s leads to %s, as data: %s', (path, pattern, isData) => {
  const at = pageAt(path);
  expect(at.page).toBe(PAGES[pattern]);
  expect(at.isData).toBe(isData);
});

test.each(['/vehicles/view/XV04KL', '/vehicles/view/%58V04KL', '/calibrations/XV04KL/7'])(
  '%s is cached by its rego, however that is written',
  (path) => {
    const { page, params } = pageAt(path);
    expect(page.cached?.tags(params)).toContain('vehicle:XV04KL');
  },
);

test('an address in other capitals, or with slashes at its end, has the limits of its page and is not cached', () => {
  for (const at of ['/patterns/METHOD', '/patterns/method/', '/Patterns/method//', '/vehicles/History/XV04KL']) {
    const { page } = pageAt(at);
    expect([at, page.dear, page.cached]).toEqual([at, true, undefined]);
  }
  expect(pageAt('/CHECK').page.list).toBe(true);
  expect(pageAt('/Vehicles/View/xV04kl/').params).toEqual({ rego: 'xV04kl' });
});

test('each page is found at its own address, also where a parameter would match it', () => {
  for (const [pattern, page] of Object.entries(PAGES)) {
    const found = pageAt(pattern.replaceAll(/:\w+/g, 'x').replace('*', 'no/such/page')).page;
    expect([pattern, Object.is(found, page)]).toEqual([pattern, true]);
  }
});

test('what is cached, or read from a replica, is open to everyone', () => {
  for (const [pattern, { GET, cached, replica }] of Object.entries(PAGES))
    if (cached !== undefined || replica !== undefined) expect([pattern, GET]).toEqual([pattern, 'read registry']);
});
