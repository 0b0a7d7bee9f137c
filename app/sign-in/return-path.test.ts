import { expect, test } from 'vitest';
import { returnPath, returnQuery } from './return-path.ts';

test.each([
  '/vehicles/update/ABC123',
  '/settings',
  '/vehicles?verdict=overdue&page=2',
  '/field',
  '/field#visit/7c0/XV04KL/',
])('%s is a way back', (path) => {
  expect(returnPath(path)).toBe(path);
  expect(returnQuery(path)).toBe(`?to=${encodeURIComponent(path)}`);
});

test.each([
  null,
  '',
  '/',
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/.//evil.example',
  '/x/..//evil.example',
  '\\\\evil.example',
  'javascript:alert(1)',
  '/\tx',
  '/%0d%0aSet-Cookie: x\r\n',
  '/login?to=/login',
  '/logout',
  'vehicles',
  '/ü',
])('%s leads to the dashboard', (to) => {
  expect(returnPath(to)).toBe('/dashboard');
  expect(returnQuery(to)).toBe('');
});
