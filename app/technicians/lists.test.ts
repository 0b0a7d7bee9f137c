// Lists of people at 10,000 rows against brute force. The measured times are printed, not asserted.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listApplications } from '#app/applications/queries.server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { listTechnicians } from './queries.server.ts';

const ROWS = 10_000;
let database: TestDatabase;
const rows = Array.from({ length: ROWS }, (_, index) => ({
  email: `office${index}@${['northside', 'merri', 'yarra'][index % 3]}.example.com`,
  companyName: ['Northside Scale Services', 'MERRI 100% _Scales_', 'Yarra, Weighing'][index % 3] ?? '',
  at: new Date(Date.UTC(2026, 0, 1) + ((index * 7919) % ROWS) * 60_000),
}));

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const people = await db
    .insertInto('person')
    .values(rows.map(({ email }) => ({ email })))
    .returning(['id', 'email'])
    .execute();
  const idOf = new Map(people.map(({ id, email }) => [email, id]));
  for (let from = 0; from < ROWS; from += 2000) {
    const block = rows.slice(from, from + 2000);
    await db
      .insertInto('technician')
      .values(
        block.map(({ email, companyName, at }) => ({
          personId: idOf.get(email) ?? '',
          email,
          companyName,
          addedAt: at,
        })),
      )
      .execute();
    await db
      .insertInto('application')
      .values(block.map(({ email, companyName, at }) => ({ email, companyName, requestedAt: at })))
      .execute();
  }
}, 60_000);
afterAll(() => database.drop());

const newestFirst = rows.toSorted((a, b) => b.at.getTime() - a.at.getTime());
const bruteForce = (needle: string) =>
  newestFirst.filter(({ email, companyName }) =>
    [email, email.replaceAll('.', ','), companyName.toLowerCase()].some((text) => text.includes(needle.toLowerCase())),
  );

for (const [name, list] of [
  ['applications', listApplications],
  ['technicians', listTechnicians],
] as const)
  test(`${name}: first page, last page and search find what brute force finds`, async () => {
    const asks: [string, number][] = [
      ['', 1],
      ['', 99_999],
      ['office77@', 1],
      ['OFFICE77@', 1],
      ['merri,example,com', 3],
      ['100% _scales', 2],
      ['yarra, w', 99_999],
      ['%', 1],
      ['_', 1],
      ['nobody at all', 1],
    ];
    let slowest = 0;
    for (const [text, page] of asks) {
      const begun = performance.now();
      const found = await list(database.db, { text, page });
      slowest = Math.max(slowest, performance.now() - begun);
      const expected = bruteForce(text);
      const pages = Math.max(1, Math.ceil(expected.length / 5));
      const present = Math.min(page, pages);
      expect([text, found.total, found.pages, found.page]).toEqual([text, expected.length, pages, present]);
      expect(found.items.map(({ email }) => email)).toEqual(
        expected.slice((present - 1) * 5, present * 5).map(({ email }) => email),
      );
    }
    console.info(`${name}, ${ROWS} rows: the slowest answer took ${slowest.toFixed(0)} ms`);
  });
