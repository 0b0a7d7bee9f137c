import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { afterEach, expect, test } from 'vitest';
import { createTestServices, type TestServices } from '#test/services.ts';
import { addPerson, signedIn } from '#test/people.ts';
import { signOut } from './end-session.server.ts';

let services: TestServices | undefined;
let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  await services?.stop();
});

async function begin(answer: (request: IncomingMessage) => number | undefined) {
  const heard: { method: string; authorization: string }[] = [];
  server = createServer((request, response) => {
    heard.push({ method: request.method ?? '', authorization: request.headers.authorization ?? '' });
    const status = answer(request);
    if (status !== undefined) response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  services = await createTestServices({
    RATE_LIMITS: 'off',
    AUTH_TOKEN_SYNC_URL: `http://127.0.0.1:${port}/token`,
    PUBLIC_URL: 'https://registry.example',
  });
  await addPerson(services.db, 'admin', 'mia@registry.example', { name: 'Mia' });
  return { heard, services };
}

test('a sign-in posts a short-lived signed token, a sign-out deletes; the published keys verify it', async () => {
  const { heard, services: given } = await begin(() => 204);
  const { cookie, who } = await signedIn(given, 'mia@registry.example');
  await expect.poll(() => heard.length, { timeout: 5000 }).toBe(1);
  await signOut(given, cookie);
  await expect.poll(() => heard.length, { timeout: 5000 }).toBe(2);
  expect(heard.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
  const keys = createLocalJWKSet(await given.auth.api.getJwks());
  for (const { authorization } of heard) {
    const token = authorization.replace(/^Bearer /, '');
    const { payload } = await jwtVerify(token, keys, { issuer: 'https://registry.example' });
    expect(payload).toMatchObject({ sub: who.personId, email: 'mia@registry.example', role: 'admin' });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(300);
  }
  const [row] = await given.db.selectFrom('jwks').selectAll().execute();
  expect(row?.privateKey).not.toMatch(/"d"/);
});

test.each([
  ['refuses', () => 500],
  ['never answers', () => undefined],
  ['is another site by redirect', () => 302],
])('signing in does not wait for one that %s', async (_what, answer) => {
  const { services: given } = await begin(answer);
  const begun = performance.now();
  await signedIn(given, 'mia@registry.example');
  expect(performance.now() - begun).toBeLessThan(2000);
});

test('without the setting nobody is told', async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  await addPerson(services.db, 'admin', 'mia@registry.example');
  expect((await signedIn(services, 'mia@registry.example')).who.role).toBe('admin');
  expect(await services.db.selectFrom('jwks').selectAll().execute()).toEqual([]);
});
