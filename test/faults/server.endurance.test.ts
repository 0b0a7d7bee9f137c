// The built server, from outside, while the network between it and its database goes wrong: what can be done is done,
// what cannot is said, nothing that was acknowledged is lost, and it is never restarted.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { post, readingOf, signedInAdmin, startFaultyRegistry, type FaultyRegistry, type Sender } from './registry.ts';

// Of a connection that fell silent the server hears after 20 s.
const LONG = { timeout: 45_000, interval: 200 };

let registry: FaultyRegistry;
let admin: Sender;
beforeAll(async () => {
  registry = await startFaultyRegistry();
  admin = await signedInAdmin(registry);
});
afterAll(() => registry.stop());

const get = (path: string, cookie = '') =>
  fetch(`${registry.url}${path}`, cookie === '' ? {} : { headers: { cookie } });
const head = async (answer: Response) => [answer.status, Number(answer.headers.get('retry-after')) > 0];
const readings = (rego: string) =>
  registry.db.selectFrom('calibration').select('value').where('rego', '=', rego).orderBy('value').execute();

test.each(['refuse', 'reset', 'silence'] as const)(
  'the network does %s',
  async (kind) => {
    const rego = `AWAY${kind.slice(0, 3).toUpperCase()}`;
    await registry.db.insertInto('vehicle').values({ rego }).execute();
    const page = `/vehicles/view/${rego}`;
    const heard = listen(rego);
    expect((await admin.send(page, readingOf(rego, '100'))).status).toBe(303);
    await expect.poll(() => heard.changes, LONG).toBe(1);

    await registry.database.set({ kind });
    const form = readingOf(rego, '200', 1);
    const [ready, alive, home, vehicle, data, api, write, signIn] = await Promise.all([
      get('/readyz'),
      get('/healthz'),
      get('/'),
      get(page, admin.cookie),
      get(`${page}.data`),
      get(`/api/v1/vehicles/${rego}`),
      admin.send(page, form),
      post(registry, '/login', new URLSearchParams({ email: 'mia@site.example', password: 'long enough' })),
    ]);
    expect([ready.status, await ready.text()]).toEqual([503, expect.stringMatching(/^the database /)]);
    expect(alive.status).toBe(200);
    for (const answer of [home, vehicle, data, api, write, signIn]) expect(await head(answer)).toEqual([503, true]);
    expect(await home.text()).toContain('503 Service Unavailable');
    expect(await api.json()).toMatchObject({ code: 'registry-unavailable' });
    const words = await signIn.text();
    expect(words).toContain('registry-unavailable');
    expect(words).toContain('value="mia@site.example"');

    await registry.database.set({ kind: 'none' });
    await expect.poll(async () => (await get('/readyz')).status, LONG).toBe(200);
    await expect.poll(async () => (await admin.send(page, form)).status, LONG).toBe(303);
    // Sent again as after a lost answer.
    expect((await admin.send(page, form)).status).toBe(303);
    expect(await readings(rego)).toEqual([{ value: '100' }, { value: '200' }]);
    await expect.poll(() => heard.changes, LONG).toBe(2);
    expect((await get(page)).status).toBe(200);
    expect((await get(`/api/v1/vehicles/${rego}`)).status).toBe(200);
    heard.stop();
  },
  120_000,
);

test('writes while connections break at random: what was acknowledged is there once, what was refused is not doubled', async () => {
  const regoOf = (writer: number) => `AWAYRANDOM${writer}`;
  const writers = [0, 1, 2, 3];
  await registry.db
    .insertInto('vehicle')
    .values(writers.map((writer) => ({ rego: regoOf(writer) })))
    .execute();
  const acknowledged: string[] = [];
  let refused = 0;
  const write = async (writer: number) => {
    for (let count = 0; count < 8; count += 1) {
      const value = String(1000 * (writer + 1) + count);
      const form = readingOf(regoOf(writer), value, count);
      await expect
        .poll(async () => {
          const { status } = await admin.send(`/vehicles/view/${regoOf(writer)}`, form);
          if (status === 503) refused += 1;
          else expect(status).toBe(303);
          return status;
        }, LONG)
        .toBe(303);
      acknowledged.push(value);
    }
  };
  let isOver = false;
  const trouble = (async () => {
    while (!isOver) {
      await registry.database.set({ kind: 'lose-answer', to: 'commit' });
      await new Promise((resolve) => setTimeout(resolve, 40));
      await registry.database.set({ kind: 'reset' });
      await registry.database.set({ kind: 'none' });
      // On a busy machine a write may take longer than any fixed pause.
      const before = acknowledged.length;
      await expect.poll(() => isOver || acknowledged.length > before, LONG).toBe(true);
    }
  })();
  await Promise.all(writers.map(write));
  isOver = true;
  await trouble;
  expect(refused).toBeGreaterThan(0);
  const there = (await Promise.all(writers.map((writer) => readings(regoOf(writer))))).flat();
  expect(there.map(({ value }) => value).toSorted()).toEqual(acknowledged.toSorted());
}, 120_000);

// Counts the changes that an open page of the vehicle hears, over one connection that is never made again.
function listen(rego: string): { changes: number; stop: () => void } {
  const ending = new AbortController();
  const heard = { changes: 0, stop: () => ending.abort() };
  void (async () => {
    const { body } = await fetch(`${registry.url}/live?topic=vehicle:${rego}`, { signal: ending.signal });
    if (body === null) return;
    for await (const chunk of body.pipeThrough(new TextDecoderStream()))
      heard.changes += [...chunk.matchAll(/^event: change$/gm)].length;
  })().catch(() => {});
  return heard;
}
