// Who runs the registry, whom to write to, what is kept of whom, and the verifier as a file: for anyone, without
// scripts.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Services } from '#app/platform/services/services.server.ts';
import { readConfig } from '#app/platform/process/config.server.ts';
import { openMetrics } from '#app/platform/process/metrics.server.ts';
import { createTestServices, type TestServices } from '#test/services.ts';

const BUILD = path.resolve(import.meta.dirname, '../build');
type Built = { createListener: (services: Services, assets: Hono) => RequestListener };
let services: TestServices;
let built: Built;
const servers: Server[] = [];
beforeAll(async () => {
  services = await createTestServices();
  built = await import(pathToFileURL(path.join(BUILD, 'server/index.js')).href);
});
afterAll(async () => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
  await services.stop();
});

async function open(settings: Record<string, string>): Promise<(to: string) => Promise<string>> {
  const config = { ...services.config, ...readConfig({ ...settings, DATA_DIR: services.config.dataDir }) };
  const server = createServer(built.createListener({ ...services, config, metrics: openMetrics() }, new Hono()));
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  const port = bound !== null && typeof bound === 'object' ? bound.port : 0;
  return async (to) => {
    const answer = await fetch(`http://127.0.0.1:${port}${to}`);
    expect([to, answer.status]).toEqual([to, 200]);
    return answer.text();
  };
}

test('Contact names who runs it, the address and the source; Privacy says what is kept and how long', async () => {
  const read = await open({
    CONTACT_EMAIL: 'help@registry.example',
    OPERATOR_NAME: 'Example & Registry Pty Ltd',
    SOURCE_URL: 'https://source.example/scales',
  });
  const page = await read('/contact');
  for (const words of [
    'Example &amp; Registry Pty Ltd',
    'href="mailto:help@registry.example"',
    'href="https://source.example/scales"',
    'id="privacy"',
    'You, searching',
    'Until a minute after you stop the emails; of a truck that is removed, 90 days more. Not confirmed: 3 days.',
    'The session: 2 hours unused, 12 hours in all.',
  ])
    expect(page).toContain(words);
  expect(page).not.toContain('Another service of the operator');
  for (const to of ['/', '/search', '/about', '/log', '/check', '/login', '/tech-register', '/references']) {
    const other = await read(to);
    expect(other, to).toMatch(/href="\/contact"[^>]*>Contact</);
    expect(other, to).toMatch(/href="\/contact#privacy"[^>]*>Privacy</);
  }
});

test('without the settings the page says so, and a told sign-in is named', async () => {
  const read = await open({ AUTH_TOKEN_SYNC_URL: 'https://others.example/tokens' });
  const page = await read('/contact');
  expect(page).toContain('No address is given here.');
  expect(page).not.toContain('mailto:');
  expect(page).toContain('Another service of the operator is told of each sign-in');
});

test('the log offers the verifier as one file, and names the source', async () => {
  const page = await (await open({ SOURCE_URL: 'https://source.example/scales' }))('/log');
  expect(page).toMatch(/<a href="\/verify\.mjs" download=""/);
  expect(page).toContain('https://source.example/scales');
  expect(page).toContain('node verify.mjs audit');
  const file = await readFile(path.join(BUILD, 'client/verify.mjs'), 'utf8');
  expect(file).not.toMatch(/^import .* from "(?!node:)/m);
});
