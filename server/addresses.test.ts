// How the server handles an address before any route sees it. Over a socket, as `fetch` would normalise the very
// addresses that are tested here.
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '#app/platform/process/logger.server.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { createApp } from './app.ts';
import { atPublicUrl } from './public-host.ts';

let services: TestServices;
let server: Server;
let lines: string[];
beforeAll(async () => {
  services = await createTestServices({ PUBLIC_URL: 'https://registry.example' });
  lines = [];
  const log = createLogger({ logLevel: 'info' }, { write: (line) => void lines.push(line) });
  server = createServer(getRequestListener(createApp({ ...services, log }).fetch));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.close();
  await services.stop();
});

type Answer = { status: number; location: string };
function ask(path: string, host: string, method = 'GET'): Promise<Answer> {
  const bound = server.address();
  const { port }: Pick<AddressInfo, 'port'> = bound !== null && typeof bound === 'object' ? bound : { port: 0 };
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path, method, headers: { host } }, (response) => {
      response.resume();
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? '' }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

// A browser that resolves any of these as a relative address ends up at evil.example.
const LEADS_AWAY = [
  '//evil.example/x',
  '//evil.example/login',
  '///evil.example/x',
  '////evil.example',
  '/.//evil.example/x',
  '/a/..//evil.example/x',
  '/a/%2e%2e//evil.example/x',
  '/%2e//evil.example/x',
  '/%2F/evil.example/x',
  '/%2fevil.example',
  '/%5Cevil.example/x',
  '/\\evil.example/x',
  '/\\/evil.example/x',
  '/a/..\\/evil.example',
  '\\\\evil.example/x',
];
test.each(LEADS_AWAY)('%s is refused, under the right name and under another', async (path) => {
  for (const host of ['registry.example', 'evil.example', '127.0.0.1:3000'])
    for (const method of ['GET', 'HEAD', 'POST'])
      expect(await ask(path, host, method), `${method} at ${host}`).toEqual({ status: 400, location: '' });
});

test('another name is led to the same path and query under the public one', async () => {
  expect(await ask('/search?q=a//b&to=//evil.example', 'evil.example')).toEqual({
    status: 301,
    location: 'https://registry.example/search?q=a//b&to=//evil.example',
  });
  expect(await ask('/vehicles//evil.example', 'other.example', 'POST')).toEqual({
    status: 308,
    location: 'https://registry.example/vehicles//evil.example',
  });
  // The name in the request line counts, not the Host header.
  expect(await ask('http://evil.example/login', 'registry.example')).toEqual({
    status: 301,
    location: 'https://registry.example/login',
  });
});

test('a path stays a path under PUBLIC_URL, whatever it begins with', () => {
  const url = new URL('https://registry.example');
  expect(atPublicUrl(url, 'http://127.0.0.1//evil.example/login?a').href).toBe(
    'https://registry.example//evil.example/login?a',
  );
});

test('NUL in a path or query is refused before anything reads it', async () => {
  for (const path of [
    '/vehicles/view/%00',
    '/search?q=a%00b',
    '/logs.csv?who=%00',
    '/admins?%00=1',
    '/api/v1/vehicles?q=%00',
  ])
    expect((await ask(path, 'registry.example')).status, path).toBe(400);
  // An escaped percent sign is not NUL.
  expect((await ask('/files/%2500', 'registry.example')).status).toBe(404);
});

test('a line of the log names the route, and nothing that was asked for', async () => {
  lines.splice(0);
  await ask('/files/0b9e1d7e-3a52-4a44-8a44-1f0f8b1d7c11?who=jo@trucks.example', 'registry.example');
  await ask('/reset/secret?link=secret', 'other.example');
  await ask('/%00secret', 'registry.example', 'BREW');
  expect(lines.join('')).not.toMatch(/secret|jo@|0b9e1d7e|BREW/);
  const request: unknown = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ msg: 'request', request, method: 'GET', route: '/files/:id', status: 404 }),
    expect.objectContaining({ msg: 'request', request, method: 'GET', route: '(other)', status: 301 }),
  ]);
});
