import { writeFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { isUnavailable, Unavailable } from './unavailable.server.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
const raise = (sqlstate: string) =>
  failureOf(sql.raw(`do $$ begin raise exception 'x' using errcode = '${sqlstate}'; end $$`).execute(database.db));

test.each([
  ['53100', 'disk full'],
  ['53300', 'too many connections'],
  ['57P01', 'shutting down'],
  ['57014', 'statement ended'],
  ['25006', 'a standby'],
  ['25P03', 'ended while it rested'],
  ['08006', 'connection failure'],
  ['58030', 'input or output error'],
  ['40P01', 'a deadlock'],
])('%s (%s) passes by itself', async (sqlstate) => {
  expect(isUnavailable(await raise(sqlstate))).toBe(true);
});

test.each(['23505', '22001', '42P01', 'P0001', 'XX000'])(
  '%s is a mistake, or for the code that asked',
  async (sqlstate) => {
    const error = await raise(sqlstate);
    expect([error instanceof Error, isUnavailable(error)]).toEqual([true, false]);
  },
);

test('a database that lets nobody in is one, in whatever language it says so', () => {
  const words = 'Datenbank »registry« akzeptiert gegenwärtig keine Verbindungen';
  expect(isUnavailable(Object.assign(new Error(words), { code: '55000', routine: 'CheckMyDatabase' }))).toBe(true);
  const plan = Object.assign(new Error('…'), { code: '0A000', routine: 'RevalidateCachedQuery' });
  expect(isUnavailable(plan)).toBe(true);
  expect(isUnavailable(Object.assign(new Error('…'), { code: '0A000', routine: 'Another' }))).toBe(false);
});

test('a full disk is one, also as the cause of another error', async () => {
  const full = await failureOf(writeFile('/dev/full', 'x'));
  expect(isUnavailable(full)).toBe(true);
  expect(isUnavailable(new Error('the file was not stored', { cause: full }))).toBe(true);
  expect(isUnavailable(new AggregateError([full], 'both addresses'))).toBe(true);
  expect(isUnavailable(new Unavailable('somebody else swallowed it'))).toBe(true);
});

test.each([
  [new Error('a bug')],
  [new TypeError('x is not a function')],
  ['ENOSPC'],
  [undefined],
  [new Response(null)],
])('nothing else is: %s', (error) => {
  expect(isUnavailable(error)).toBe(false);
});
