import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { addPerson } from '#test/people.ts';
import { idempotent } from './idempotency-key.server.ts';

type Outcome = { n: number } | { n: number; reason: string };
const WRITE = { kind: 'thing.added', values: { n: 1 } } as const;
let database: TestDatabase;
let me: string;
let other: string;
let effects = 0;
beforeAll(async () => {
  database = await createTestDatabase();
  me = (await addPerson(database.db, 'admin', 'mia@registry.example')).personId;
  other = (await addPerson(database.db, 'admin', 'dan@registry.example')).personId;
});
afterAll(() => database.drop());

const send = (key: unknown, personId = me, refusal?: string, write: object = {}) =>
  idempotent<Outcome>(database.db, { who: { personId }, ...WRITE, ...write, key }, async () => {
    effects += 1;
    return refusal === undefined ? { n: effects } : { n: effects, reason: refusal };
  });

test('sent again it has no effect and the same answer', async () => {
  const key = randomUUID();
  const first = await send(key);
  expect(await send(key)).toEqual(first);
  expect((await send(randomUUID())).n).toBe(first.n + 1);
});

test('eight at once have one effect', async () => {
  const before = effects;
  const key = randomUUID();
  const answers = await Promise.all(Array.from({ length: 8 }, () => send(key)));
  expect(effects).toBe(before + 1);
  expect(new Set(answers.map(({ n }) => n)).size).toBe(1);
});

test('after a refusal the same form may be sent again', async () => {
  const key = randomUUID();
  const refused = await send(key, me, 'not yet');
  expect((await send(key)).n).toBe(refused.n + 1);
});

test('another person’s key answers nothing of theirs', async () => {
  const key = randomUUID();
  const mine = await send(key);
  expect((await send(key, other)).n).not.toBe(mine.n);
});

test.each([undefined, '', 'x', "'; drop table form_submission", 7])(
  'without a proper key the write runs: %s',
  async (key) => {
    const before = effects;
    await send(key);
    expect(effects).toBe(before + 1);
  },
);

test('in another kind of form, or with other values, the same key is another one', async () => {
  const key = randomUUID();
  const first = await send(key);
  expect((await send(key, me, undefined, { kind: 'thing.removed' })).n).toBe(first.n + 1);
  expect((await send(key, me, undefined, { values: { n: 2 } })).n).toBe(first.n + 2);
  expect(await send(key)).toEqual(first);
});
