import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseEmailKey } from '#app/people/email.ts';
import { emailKey, emailSegment } from '#app/people/email-key.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { addPerson } from '#test/people.ts';
import { foldName } from '#app/platform/process/typed-text.ts';
import { listStaff } from './queries.server.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const PARTS = ['ana', 'BEN', 'o’hara', 'Élodie', 'x_y', '100%', 'li', '李', 'a-b'];
const SEARCHES = [
  ...PARTS,
  '',
  ' ',
  'ANA',
  'élodie',
  '@site.example',
  '@site,example',
  'a.b@',
  'a,b@',
  '_',
  '%',
  '\\',
  "'",
  'zzz',
  '7',
  '0491',
  'inspector',
];

test('the list is what looking through every admin finds, page by page', async () => {
  const { db } = database;
  const admins: { email: string; name: string }[] = [];
  for (let index = 0; index < 83; index += 1) {
    const name = index % 7 === 0 ? '' : `${PARTS[index % PARTS.length]} ${PARTS[(index * 5) % PARTS.length]} ${index}`;
    const email = `a.b${index}${index % 3 === 0 ? '.ana' : ''}@site.example`;
    await addPerson(db, 'admin', email, { name, password: null });
    admins.push({ email, name });
  }
  // Other fields are not searched, and a removed admin is never found.
  await db.updateTable('admin').set({ phone: '0491 570 156', roleLabel: 'Inspector' }).execute();
  await db.updateTable('admin').set({ deletedAt: new Date() }).where('email', 'like', 'a.b8_@%').execute();
  const live = admins.filter(({ email }) => !/^a\.b8.@/.test(email));
  expect(live.length).toBeLessThan(admins.length);

  for (const text of SEARCHES) {
    const needle = foldName(text);
    const expected = live
      .filter(({ email, name }) =>
        [email, email.replaceAll('.', ','), name].some((field) => foldName(field).includes(needle)),
      )
      .map(({ email }) => email);
    const found: string[] = [];
    const { pages, total } = await listStaff(db, 'admin', { text, page: 1 });
    expect([text, total, pages]).toEqual([text, expected.length, Math.max(1, Math.ceil(expected.length / 5))]);
    for (let page = 1; page <= pages; page += 1) {
      const { items } = await listStaff(db, 'admin', { text, page });
      expect(items.length).toBeLessThanOrEqual(5);
      found.push(...items.map(({ email }) => email));
    }
    expect([text, found.toSorted()]).toEqual([text, expected.toSorted()]);
    expect(await listStaff(db, 'admin', { text, page: pages + 3 })).toMatchObject({ page: pages });
  }
});

test('a key reads as an address and back, and stays one part of a path', () => {
  for (const address of [
    'name@site.com',
    "d.o'brien@site.com.au",
    'a+b@site.com',
    'x_y-z@site.com',
    'a#b/c?d%@site.com',
    'jörg@site.com',
  ]) {
    expect(parseEmailKey(emailKey(address))).toBe(address);
    expect(parseEmailKey(decodeURIComponent(emailSegment(address)))).toBe(address);
    expect(emailSegment(address)).not.toMatch(/[/?#]/);
  }
  expect(emailSegment('name@site.com')).toBe('name@site,com');
  for (const none of ['', 'nobody', '..', '%', '@', 'a@b@c,de', 'a\0@site,com', 'a\u202e@site,com'])
    expect(parseEmailKey(none)).toBeUndefined();
});

test('10,000 admins: how long the first page, the last page and searches take', async () => {
  const { db } = database;
  await sql`with p as (
    insert into person (email) select 'load' || n || '@site.example' from generate_series(1, 10000) n returning id, email)
    insert into admin (person_id, email, name) select id, email, 'Name ' || email from p`.execute(db);
  await sql`analyze admin`.execute(db);
  for (const [what, asked] of [
    ['first page', { text: '', page: 1 }],
    ['last page', { text: '', page: 9_999_999 }],
    ['search, rare', { text: 'load9999@', page: 1 }],
    ['search, frequent, last page', { text: 'name', page: 9_999_999 }],
    ['search, nothing', { text: 'nobody at all', page: 1 }],
  ] as const) {
    const times: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      const begun = performance.now();
      await listStaff(db, 'admin', asked);
      times.push(performance.now() - begun);
    }
    process.stdout.write(`${what}: ${times.toSorted((a, b) => a - b)[3]?.toFixed(1)} ms\n`);
  }
});
