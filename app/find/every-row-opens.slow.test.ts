// Nothing is found that the reader may not open, and nothing of others: every role asks for everything there is, and
// follows each link.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountRole } from '#app/access/permissions.ts';
import { newPerson, newVehicle, newWaitingVisit, removeVehicle, signIn } from '#test/forms/ground.ts';
import type { Person } from '#test/people.ts';
import { newReference } from '#test/references.ts';
import { startRegistry, type StartedRegistry } from '#test/start-registry.ts';

let registry: StartedRegistry;
const readers: { role: AccountRole; cookie: string; person: Person }[] = [];
let texts: string[];
let removed: string;

beforeAll(async () => {
  registry = await startRegistry();
  const { db } = registry;
  for (const role of ['admin', 'auditor', 'technician'] as const) {
    const person = await newPerson(db, role);
    readers.push({ role, person, cookie: await signIn(registry, person) });
  }
  const visit = await newWaitingVisit(db);
  const admin = readers[0]?.person.personId ?? '';
  const { name } = await newReference(db, admin, 'Found weighbridge');
  removed = (await newVehicle(db)).rego;
  await removeVehicle(db, removed)();
  const { rego } = await db
    .selectFrom('visit')
    .innerJoin('vehicle', 'vehicle.id', 'visit.vehicleId')
    .select('rego')
    .where('visit.id', '=', visit.id)
    .executeTakeFirstOrThrow();
  await db.updateTable('vehicle').set({ scaleSerialNumber: 'FOUND-1', companyName: 'Found Haulage' }).execute();
  const people = readers.flatMap(({ person }) => [person.email, person.name]);
  texts = [rego, removed, name, 'found', 'FOUND-1', 'VIN1', 'X', 'XV', 'an', 'scales', '0', '35', ...people];
}, 180_000);
afterAll(() => registry.stop());

const ask = (path: string, cookie: string) =>
  fetch(`${registry.url}${path}`, { redirect: 'manual', headers: { cookie } });

const mainOf = (html: string) => /<main.*<\/main>/s.exec(html)?.[0] ?? '';
const linksOf = (html: string) =>
  [...html.matchAll(/href="([^"]*)"/g)].map(([, to = '']) => to.replaceAll('&amp;', '&'));

test('every row opens for the role that finds it', { timeout: 300_000 }, async () => {
  for (const { role, cookie } of readers) {
    const found = new Set<string>();
    for (const text of texts) {
      const answer = await ask(`/find?q=${encodeURIComponent(text)}`, cookie);
      expect([role, text, answer.status]).toEqual([role, text, 200]);
      for (const to of linksOf(mainOf(await answer.text()))) found.add(to);
    }
    expect([role, found.size]).not.toEqual([role, 0]);
    for (const to of found) expect([role, to, (await ask(to, cookie)).status]).toEqual([role, to, 200]);
    expect([...found].filter((to) => to.includes(removed))).toEqual([]);
    if (role === 'technician')
      expect([...found].filter((to) => /^\/(visits|admins|technicians|applications|logs)/.test(to))).toEqual([]);
  }
});

test('a technician finds nobody, by address, name or company', async () => {
  const { cookie = '', person } = readers.find(({ role }) => role === 'technician') ?? {};
  for (const { person: other } of readers)
    for (const text of [other.email, other.name]) {
      const main = mainOf(await (await ask(`/find?q=${encodeURIComponent(text)}`, cookie)).text());
      expect([text, linksOf(main).filter((to) => to.includes('/view/') && !to.startsWith('/vehicles/'))]).toEqual([
        text,
        [],
      ]);
    }
  expect(person).toBeDefined();
});

test('a stranger is asked to sign in, and hostile texts are only texts', async () => {
  expect((await ask('/find?q=XV', '')).headers.get('location')).toMatch(/^\/login/);
  for (const { cookie } of readers)
    for (const text of ['%25', '%', '_', '%00', '%FF', "'", '<b>', 'x'.repeat(10_000), `/vehicles/view/X?from=`])
      expect(
        (await ask(`/find?q=${text === '%' || text.startsWith('%') ? text : encodeURIComponent(text)}`, cookie)).status,
      ).toBeLessThan(500);
});
