import { expect, test } from 'vitest';
import { PAGES } from '#app/access/pages.ts';
import { AXLES } from '#app/vehicles/axle.ts';
import { addressRead } from './address-read.ts';

test.each([
  ['/patterns/method', '/patterns/method', true],
  ['/patterns/method?', '/patterns/method', true],
  ['/patterns/method?x=1', '/patterns/method', true],
  ['/about?q=1&page=2', '/about', true],
  ['/?utm_source=x&q=XV04', '/?q=XV04', true],
  ['/search?page=2&x=1&q=a%20b', '/search?q=a+b&page=2', true],
  // A page reads the first of several.
  ['/search?q=1&q=2&q=3', '/search?q=1', true],
  ['/vehicles/view/XV04KL?x=1&image=2', '/vehicles/view/XV04KL?image=2', true],
  ['/vehicles/view/XV04KL?steer=3.1&x=1', '/vehicles/view/XV04KL?steer=3.1', false],
  ['/vehicles/history/XV04KL?page=2&x=1', '/vehicles/history/XV04KL?page=2', true],
  ['/api/v1/vehicles/XV04KL?x=1', '/api/v1/vehicles/XV04KL', true],
  ['/api/v1/vehicles/XV04KL/sets?x=1', '/api/v1/vehicles/XV04KL/sets', true],
  ['/api/v1/vehicles/XV04KL/sets?page=2&x=1', '/api/v1/vehicles/XV04KL/sets?page=2', false],
  // What is not cached is left as it is, and what is malformed is refused later.
  ['/api/v1/vehicles?q=XV&x=1', '/api/v1/vehicles?q=XV&x=1', false],
  ['/search.data?q=XV&x=1', '/search.data?q=XV&x=1', false],
  ['/vehicles?x=1', '/vehicles?x=1', false],
  ['/vehicles/view/%E0%A4%A?x=1', '/vehicles/view/%E0%A4%A?x=1', false],
  [`/about?${'x'.repeat(3000)}`, `/about?${'x'.repeat(3000)}`, false],
])('of %s is read %s; cached: %s', (asked, url, isCached) => {
  expect(addressRead(asked)).toEqual({ url, isCached });
});

test('a vehicle’s page reads the volts of each axle group', () => {
  expect(PAGES['/vehicles/view/:rego']?.cached?.uncached).toEqual(
    expect.arrayContaining(AXLES.map(({ axle }) => axle.toLowerCase())),
  );
});
