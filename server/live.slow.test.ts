import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from 'kysely';
import { addPerson, signedIn } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { createApp } from './app.ts';

let services: TestServices;
let app: ReturnType<typeof createApp>;
const open: AbortController[] = [];
beforeEach(async () => {
  services = await createTestServices({ REQUIRE_ADMIN_2FA: 'on' });
  app = createApp(services);
});
afterEach(async () => {
  for (const each of open.splice(0)) each.abort();
  await services.stop();
});

async function follow(topic: string, { cookie = '', from = '192.0.2.7', method = 'GET' } = {}): Promise<Response> {
  const ended = new AbortController();
  open.push(ended);
  const request = new Request(`http://localhost/live?topic=${topic}`, {
    method,
    headers: { cookie, host: 'localhost' },
    signal: ended.signal,
  });
  return app.request(request, {}, { incoming: { socket: { remoteAddress: from } } });
}
/** Closes the stream, as a browser does that leaves the page. */
async function leave(answer: Response): Promise<void> {
  await answer.body?.cancel();
}

test('who must still change the password or set up the second factor follows what the public does', async () => {
  const { db } = services;
  await addPerson(db, 'admin', 'new@registry.example', { mustChange: true });
  const { cookie } = await signedIn(services, 'new@registry.example');
  const asked = async (topic: string) => {
    const answer = await follow(topic, { cookie });
    const { status } = answer;
    await leave(answer);
    return status;
  };
  for (const topic of ['admins', 'technicians', 'applications', 'logs']) expect(await asked(topic)).toBe(401);
  expect(await asked('vehicles')).toBe(200);
  await sql`update "user" set must_change_password = false`.execute(db);
  for (const topic of ['admins', 'logs']) expect(await asked(topic)).toBe(401);
  await sql`update "user" set two_factor_enabled = true`.execute(db);
  for (const topic of ['admins', 'logs']) expect(await asked(topic)).toBe(200);
});

test('a client has at most 100 streams at once, and a closed one counts no more', async () => {
  const streams = await Promise.all(
    Array.from({ length: 100 }, (_, index) => follow('vehicles', { from: `2001:db8:1:2::${index + 1}` })),
  );
  expect(streams.every(({ status }) => status === 200)).toBe(true);
  const refused = await follow('vehicles', { from: '2001:db8:1:2:ffff::1' });
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
  expect((await follow('vehicles', { from: '2001:db8:1:3::1' })).status).toBe(200);
  await leave(streams[0] ?? refused);
  await pause(50);
  expect((await follow('vehicles', { from: '2001:db8:1:2::1' })).status).toBe(200);
});

test('asked for its head alone, no stream is left behind', async () => {
  for (let index = 0; index < 150; index += 1) expect((await follow('vehicles', { method: 'HEAD' })).status).toBe(200);
  expect(services.live.size()).toBe(0);
});
