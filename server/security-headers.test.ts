import { expect, test } from 'vitest';
import { readConfig } from '#app/platform/process/config.server.ts';
import { alwaysHeaders } from './security-headers.ts';

test('over https a browser is told for two years never to come without it; over http it is not', () => {
  const hsts = 'strict-transport-security';
  expect(alwaysHeaders(readConfig({ PUBLIC_URL: 'https://registry.example' }))[hsts]).toBe(
    'max-age=63072000; includeSubDomains',
  );
  expect(alwaysHeaders(readConfig({ PUBLIC_URL: 'http://registry.example' }))[hsts]).toBeUndefined();
});
