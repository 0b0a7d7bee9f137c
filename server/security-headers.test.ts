import { expect, test } from 'vitest';
import { readConfig } from '#app/platform/process/config.server.ts';
import { completeHeaders } from './security-headers.ts';

test('over https a browser is told for two years never to come without it; over http it is not', () => {
  const hsts = (publicUrl: string) => {
    const headers = new Headers();
    completeHeaders(readConfig({ PUBLIC_URL: publicUrl }))(headers);
    return headers.get('strict-transport-security');
  };
  expect(hsts('https://registry.example')).toBe('max-age=63072000; includeSubDomains');
  expect(hsts('http://registry.example')).toBeNull();
});
