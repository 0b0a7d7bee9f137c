import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { readConfig } from '#app/platform/process/config.server.ts';
import { securityHeaders } from './security-headers.ts';

test('over https a browser is told for two years never to come without it; over http it is not', async () => {
  const hsts = async (publicUrl: string) => {
    const app = new Hono().use(securityHeaders(readConfig({ PUBLIC_URL: publicUrl })));
    return (await app.request('/')).headers.get('strict-transport-security');
  };
  expect(await hsts('https://registry.example')).toBe('max-age=63072000; includeSubDomains');
  expect(await hsts('http://registry.example')).toBeNull();
});
