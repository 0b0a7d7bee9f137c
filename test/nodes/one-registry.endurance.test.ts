// Three nodes are one registry to anybody who signs in: sessions, their end, limits and challenges hold on each of
// them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPerson, cookieOf, PASSWORD, type Person } from '#test/people.ts';
import { startRegistry, type StartedRegistry } from '#test/start-registry.ts';

const NEW_ADMIN = {
  email: 'new.admin@registry.example',
  name: 'New Admin',
  role: '',
  password: PASSWORD,
};

let registry: StartedRegistry;
let urls: [string, string, string];
beforeAll(async () => {
  registry = await startRegistry({ RATE_LIMITS: 'on' });
  urls = [registry.url, (await registry.addNode()).url, (await registry.addNode()).url];
}, 120_000);
afterAll(() => registry.stop());

const post = (url: string, path: string, fields: Record<string, string> | FormData, cookie = '') =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { origin: url, cookie },
    body: fields instanceof FormData ? fields : new URLSearchParams(fields),
    redirect: 'manual',
  });
const dashboard = async (url: string, cookie: string) =>
  (await fetch(`${url}/dashboard`, { headers: { cookie }, redirect: 'manual' })).status;
const signInOn = async (url: string, { email }: Person) => {
  const answer = await post(url, '/login', { email, password: PASSWORD });
  expect(answer.status).toBe(303);
  return cookieOf(answer.headers.getSetCookie().filter((line) => line.includes('session_token')));
};

test('a session begun on one holds on each, and ended on one it is ended on each, open streams within a second', async () => {
  const admin = await addPerson(registry.db, 'admin', 'everywhere@registry.example');
  const cookie = await signInOn(urls[0], admin);
  for (const url of urls) expect(await dashboard(url, cookie)).toBe(200);
  const ends = urls.map(async (url) => {
    const stream = await fetch(`${url}/live?topic=logs`, { headers: { cookie } });
    expect(stream.status).toBe(200);
    return { text: stream.text() };
  });
  const streams = await Promise.all(ends);
  const began = performance.now();
  expect((await post(urls[2], '/logout', {}, cookie)).status).toBe(303);
  for (const url of urls) expect(await dashboard(url, cookie)).toBe(302);
  // Each minute a stream asks for itself; this is about being told.
  const late = new Promise<string>((resolve) => setTimeout(() => resolve('late'), 5_000).unref());
  for (const { text } of streams) expect(await Promise.race([text, late])).toContain('event: signed-out');
  process.stdout.write(`ended everywhere within ${(performance.now() - began).toFixed(0)} ms\n`);
});

test('tries count together, whichever node they go to', async () => {
  const { email } = await addPerson(registry.db, 'admin', 'guessed@registry.example');
  const answers: number[] = [];
  for (let number = 0; number < 6; number += 1)
    answers.push((await post(urls[number % 3] ?? '', '/login', { email, password: `wrong ${number}` })).status);
  expect(answers).toEqual([401, 401, 401, 401, 401, 429]);
  expect((await post(urls[1], '/login', { email, password: PASSWORD })).status).toBe(429);
});

test('a form sent to two nodes at once has one effect', async () => {
  const admin = await addPerson(registry.db, 'admin', 'twice@registry.example');
  const cookie = await signInOn(urls[0], admin);
  const page = await (await fetch(`${urls[0]}/admins/new`, { headers: { cookie } })).text();
  const key = /name="form_key"[^>]*value="([^"]+)"/.exec(page)?.[1] ?? '';
  const fields = new FormData();
  for (const [name, value] of Object.entries({ form_key: key, ...NEW_ADMIN })) fields.set(name, value);
  const answers = await Promise.all(urls.map((url) => post(url, '/admins/new', fields, cookie)));
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
  const added = await registry.db.selectFrom('activityLog').select('index').where('kind', '=', 'admin.added').execute();
  expect(added).toHaveLength(1);
});
