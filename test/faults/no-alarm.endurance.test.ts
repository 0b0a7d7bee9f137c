// Anybody who breaks off what he sends raises no alarm: a 4xx at level info, no error in the log. And while the
// database is away, what is no page answers 503 with a sentence.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startRegistry, type StartedRegistry } from '#test/start-registry.ts';
import { post, signedInAdmin, type Sender } from './registry.ts';

let registry: StartedRegistry;
let admin: Sender;
beforeAll(async () => {
  registry = await startRegistry();
  admin = await signedInAdmin(registry);
  // Its line may come after its answer, and is none of what is looked at below.
  const isLogged = async () => expect((await logged()).some(({ route }) => route === '/login')).toBe(true);
  await vi.waitFor(isLogged, { timeout: 10_000 });
}, 180_000);
afterAll(() => registry.stop());

type Line = { level: number; route?: string; status?: number; msg: string };
async function logged(): Promise<Line[]> {
  const text = await readFile(path.join(registry.dataDir, 'server.log'), 'utf8');
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): Line => JSON.parse(line));
}

/** Sends the head of a request and a part of its body, and closes or resets the connection. */
async function breakOff(to: string, type: string, how: 'end' | 'reset'): Promise<void> {
  const { hostname, port } = new URL(registry.url);
  const socket = connect(Number(port), hostname);
  const part = `--b\r\nContent-Disposition: form-data; name="image_file"; filename="a.jpg"\r\n\r\n${'x'.repeat(100_000)}`;
  const head = [
    `POST ${to} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Origin: ${registry.url}`,
    `Cookie: ${admin.cookie}`,
  ];
  socket.write(`${[...head, `Content-Type: ${type}`, 'Content-Length: 900000'].join('\r\n')}\r\n\r\n${part}`);
  await new Promise((resolve) => setTimeout(resolve, 300));
  socket.on('error', () => {});
  if (how === 'reset') socket.resetAndDestroy();
  else socket.end();
}

const MULTIPART = 'multipart/form-data; boundary=b';
const ENCODED = 'application/x-www-form-urlencoded';
test.each([
  ['/uploads', MULTIPART],
  ['/vehicles/new', MULTIPART],
  ['/check', MULTIPART],
  ['/check', ENCODED],
  ['/login', ENCODED],
  ['/field/visits', MULTIPART],
  ['/field/visits', ENCODED],
  ['/api/v1/check', 'application/json'],
  ['/api/v1/check', 'text/csv'],
])('%s as %s, broken off', async (to, type) => {
  for (const how of ['end', 'reset'] as const) {
    const before = (await logged()).length;
    await breakOff(to, type, how);
    const since = async () => (await logged()).slice(before).filter(({ msg }) => msg !== 'checking');
    await expect.poll(async () => (await since()).some(({ msg }) => msg === 'request'), { timeout: 10_000 }).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const alarms = (await since()).filter(({ level, status = 400 }) => level > 30 || status >= 500 || status < 400);
    expect(alarms).toEqual([]);
  }
});

test('while the database is away, what is no page says so in a sentence', async () => {
  await registry.cutDatabase();
  for (const to of ['/field/visits', '/uploads']) {
    const answer = await post(registry, to, new URLSearchParams({ visit_id: randomUUID() }), admin.cookie);
    expect([to, answer.status, answer.headers.has('retry-after'), await answer.json()]).toEqual([
      to,
      503,
      true,
      expect.objectContaining({
        code: 'registry-unavailable',
        detail: expect.stringMatching(/Try again in a moment\.$/),
      }),
    ]);
  }
  await registry.restoreDatabase();
});
