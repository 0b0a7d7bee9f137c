import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '#app/platform/database/database.server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { findOrAddActor } from './actor.server.ts';
import { appendActivities, type ActivityEntry } from './append-activity.server.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const entry = (details: string): ActivityEntry => ({
  kind: 'vehicle.updated',
  actorId: null,
  subject: 'vehicle',
  subjectId: 'x',
  details,
});

const PATIENT = { statementMs: 60_000, silenceMs: 60_000, connectMs: 60_000 };

test('400 concurrent appends, a third of them rolled back, leave an index without gap, in commit order, with time never stepping back', async () => {
  // 400 transactions wait for ten connections, without a time limit.
  const { db } = openDatabase(database.address, { patience: PATIENT });
  await Promise.all(
    Array.from({ length: 400 }, (_, index) =>
      db
        .transaction()
        .execute(async (tx) => {
          await sql`select pg_sleep(random() * 0.002)`.execute(tx);
          await appendActivities(tx, index % 5 === 0 ? [entry(`${index}a`), entry(`${index}b`)] : [entry(`${index}`)]);
          if (index % 3 === 0) throw new Error('rolled back');
        })
        .catch((error: unknown) => {
          if (index % 3 !== 0) throw error;
        }),
    ),
  );
  const rows = await db
    .selectFrom('activityLog')
    .select(['index', 'at', sql<string>`xmin::text`.as('xmin')])
    .orderBy('index')
    .execute();
  expect(rows.map(({ index }) => index)).toEqual(rows.map((_, index) => index));
  expect((await db.selectFrom('activityState').select('size').executeTakeFirstOrThrow()).size).toBe(rows.length);
  await db.destroy();
  expect(rows.length).toBeGreaterThan(266);
  for (let index = 1; index < rows.length; index += 1)
    expect(rows[index]!.at.getTime()).toBeGreaterThanOrEqual(rows[index - 1]!.at.getTime());
});

test('an entry can be neither changed, removed nor truncated away', async () => {
  const { db } = database;
  await expect(sql`update activity_log set kind = 'a.b'`.execute(db)).rejects.toThrow(/never changed/);
  await expect(sql`delete from activity_log`.execute(db)).rejects.toThrow(/never changed/);
  await expect(sql`truncate activity_log cascade`.execute(db)).rejects.toThrow(/never changed/);
  await expect(sql`truncate vehicle cascade`.execute(db)).rejects.toThrow(/never changed/);
});

test('the words of an entry can be erased, once, with the moment of it; and nothing else happens to them', async () => {
  const { db } = database;
  const [first, second] = await db.transaction().execute(async (tx) => {
    const index = await appendActivities(tx, [
      { ...entry('mia@x.example updated'), changes: [{ field: 'phone', from: '1', to: '2' }] },
      entry('stays'),
    ]);
    return [index, index + 1];
  });
  const wordsOf = (index: number) =>
    db.selectFrom('activityDetail').selectAll().where('index', '=', index).executeTakeFirstOrThrow();
  const before = await wordsOf(first);
  for (const change of [
    sql`details = 'other words'`,
    sql`action = 'Profile updated'`,
    sql`changes = null`,
    sql`details = ''`,
    sql`erased_at = now()`,
    sql`details = '', changes = null`,
    sql`details = '', erased_at = now()`,
    sql`details = 'other words', changes = null, erased_at = now()`,
    sql`details = '', changes = '[]', erased_at = now()`,
    sql`details = '', changes = null, erased_at = now(), index = 4000`,
  ])
    await expect(sql`update activity_detail set ${change} where index = ${first}`.execute(db)).rejects.toThrow(
      /can be erased, once, and never changed/,
    );
  await expect(sql`delete from activity_detail where index = ${first}`.execute(db)).rejects.toThrow(/never changed/);
  await expect(sql`truncate activity_detail`.execute(db)).rejects.toThrow(/never changed/);
  expect(await wordsOf(first)).toEqual(before);

  const erase = sql`update activity_detail set action = '', details = '', changes = null, erased_at = '2001-01-01'
    where index = ${first}`;
  const begun = Date.now();
  await erase.execute(db);
  const after = await wordsOf(first);
  expect(after).toMatchObject({ action: '', details: '', changes: null });
  expect(after.erasedAt?.getTime()).toBeGreaterThan(begun - 5000);
  await expect(erase.execute(db)).rejects.toThrow(/can be erased, once/);
  expect(await wordsOf(second)).toMatchObject({ details: 'stays', erasedAt: null });
});

test('the same naming is one actor, a rename another, and the same address stays one person', async () => {
  await database.db.transaction().execute(async (tx) => {
    const first = await findOrAddActor(tx, { name: 'J. Nguyen', email: 'j@x.example' });
    expect(await findOrAddActor(tx, { name: 'J. Nguyen', email: 'j@x.example' })).toBe(first);
    const renamed = await findOrAddActor(tx, { name: 'Jo Nguyen', email: 'j@x.example' });
    expect(renamed).not.toBe(first);
    const nameless = await findOrAddActor(tx, { name: 'J. Nguyen' });
    const people = await tx
      .selectFrom('actor')
      .select(['id', 'personId'])
      .where('id', 'in', [first, renamed, nameless])
      .execute();
    const personOf = (id: number) => people.find((row) => row.id === id)?.personId;
    expect(personOf(renamed)).toBe(personOf(first));
    expect(personOf(nameless)).not.toBe(personOf(first));
    expect(await findOrAddActor(tx, { name: 'J. Nguyen' })).toBe(nameless);
  });
});
