// Public pages are cached. Nobody ever gets one from before a change.
import { randomUUID } from 'node:crypto';
import { decideValidation, newPerson, sessionOf } from './people.ts';
import { expect, test } from './registry.ts';

const VEHICLE = '/vehicles/view/XV04KL';

test('whoever has a page already is told that it is still true, and whoever is signed in gets their own', async ({
  registry,
}) => {
  const first = await fetch(`${registry.url}${VEHICLE}`);
  const etag = first.headers.get('etag') ?? '';
  expect(etag).toMatch(/^W\/".{10,}"$/);
  expect(first.headers.get('cache-control')).toBe('no-cache');
  expect(first.headers.get('vary')?.split(', ')).toEqual(expect.arrayContaining(['Cookie', 'Accept-Encoding']));
  const html = await first.text();
  // The page states its minute, so the next minute has another page.
  const asAt = (text: string) => /As at [^<]*/.exec(text)?.[0];
  await expect(async () => {
    const fresh = await fetch(`${registry.url}${VEHICLE}`);
    const again = await fetch(`${registry.url}${VEHICLE}`, {
      headers: { 'if-none-match': fresh.headers.get('etag') ?? '' },
    });
    expect([fresh.status, again.status, await again.text()]).toEqual([200, 304, '']);
    if (asAt(await fresh.text()) === asAt(html)) expect(fresh.headers.get('etag')).toBe(etag);
  }).toPass();
  const { cookie } = await sessionOf(registry, await newPerson(registry, 'admin'));
  const signedIn = await fetch(`${registry.url}${VEHICLE}`, { headers: { cookie, 'if-none-match': etag } });
  expect([signedIn.status, signedIn.headers.get('etag')]).toEqual([200, null]);
  expect(await signedIn.text()).toContain('Update');
  expect(await (await fetch(`${registry.url}${VEHICLE}`)).text()).not.toContain('Update');
});

test('a decision is on the public page when the one who made it is answered', async ({ registry }) => {
  const { cookie } = await sessionOf(registry, await newPerson(registry, 'admin'));
  const word = async () =>
    /<title>XV04KL: ([^·]*) ·/.exec(await (await fetch(`${registry.url}${VEHICLE}`)).text())?.[1];
  const found = async () => (await fetch(`${registry.url}/?q=XV04`)).text();
  for (let round = 0; round < 6; round += 1) {
    const validated = round % 2 === 1 ? 'yes' : 'no';
    await word();
    await found();
    await decideValidation(registry.url, cookie, 'XV04KL', validated);
    expect(await word()).toBe(validated === 'yes' ? 'Valid' : 'Not validated');
    const page = await (await fetch(`${registry.url}${VEHICLE}`)).text();
    expect(page.includes('The validation was withdrawn on')).toBe(validated === 'no');
    expect(page).not.toContain('none has been validated');
    expect(await found()).toContain(validated === 'yes' ? 'Yes: ' : 'No: ');
  }
});

test('a suggestion goes with the vehicle it names, and comes with a new one', async ({ registry }) => {
  const { cookie } = await sessionOf(registry, await newPerson(registry, 'admin'));
  const suggested = async () =>
    /Did you mean.*?\?/
      .exec(await (await fetch(`${registry.url}/search?q=KEPTOO1`)).text())?.[0]
      .replaceAll(/<[^>]*>/g, '');
  const post = async (path: string, fields: Record<string, string>) => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ form_key: randomUUID(), ...fields })) body.append(name, value);
    const headers = { origin: registry.url, cookie };
    const answer = await fetch(`${registry.url}${path}`, { method: 'POST', headers, body, redirect: 'manual' });
    expect(answer.status).toBe(303);
  };
  expect(await suggested()).toBeUndefined();
  await post('/vehicles/new', { rego: 'KEPT001' });
  expect(await suggested()).toBe('Did you mean KEPT001?');
  await post('/vehicles/delete/KEPT001', {});
  expect(await suggested()).toBeUndefined();
});
