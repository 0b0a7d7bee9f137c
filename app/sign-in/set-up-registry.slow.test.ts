import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '#app/platform/process/config.server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { addPerson, PASSWORD } from '#test/people.ts';
import { createAdmin, isSetupOpen, offerSetup, setUpRegistry } from './set-up-registry.server.ts';

let database: TestDatabase;
let given: Parameters<typeof createAdmin>[0];
beforeEach(async () => {
  database = await createTestDatabase();
  given = { db: database.db, config: readConfig({}) };
});
afterEach(() => database.drop());

const first = { email: 'first@registry.example', name: 'First', password: PASSWORD };
const admins = () => database.db.selectFrom('admin').select('email').where('deletedAt', 'is', null).execute();
const kinds = async () =>
  (await database.db.selectFrom('activityLog').select('kind').execute()).map(({ kind }) => kind);

test('the link makes the first administrator, once', async () => {
  const { db } = database;
  const token = (await offerSetup(db)) ?? '';
  expect(await isSetupOpen(db, token)).toBe(true);
  expect(await setUpRegistry(given, { ...first, token: `${token.slice(0, -1)}_` })).toMatchObject({
    reason: 'link-used',
  });
  expect(await setUpRegistry(given, { ...first, password: 'qwertyuiop', token })).toMatchObject({ reason: 'password' });
  expect(await setUpRegistry(given, { ...first, token })).toEqual({ done: true });
  expect(await isSetupOpen(db, token)).toBe(false);
  expect(await setUpRegistry(given, { ...first, email: 'eve@x.example', token })).toMatchObject({
    reason: 'link-used',
  });
  expect(await offerSetup(db)).toBeUndefined();
  expect(await admins()).toEqual([{ email: first.email }]);
  expect(await kinds()).toEqual(['admin.added']);
});

test('of ten at once with the links of two nodes, one becomes the first administrator', async () => {
  const { db } = database;
  const tokens = [(await offerSetup(db)) ?? '', (await offerSetup(db)) ?? ''];
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      setUpRegistry(given, { ...first, email: `a${index}@registry.example`, token: tokens[index % 2] ?? '' }),
    ),
  );
  expect(answers.filter(({ done }) => done)).toHaveLength(1);
  expect(await admins()).toHaveLength(1);
});

test('imported admins have no password: the link stays open, and gives one of them theirs', async () => {
  const { db } = database;
  await addPerson(db, 'admin', first.email, { password: null, name: 'As imported' });
  const token = (await offerSetup(db)) ?? '';
  expect(await setUpRegistry(given, { ...first, token })).toEqual({ done: true });
  expect(await admins()).toEqual([{ email: first.email }]);
  expect(await kinds()).toEqual(['password.set']);
});

test('a link dies when an admin comes by another way', async () => {
  const { db } = database;
  const token = (await offerSetup(db)) ?? '';
  expect(await createAdmin(given, { ...first, mustChange: false })).toEqual({ created: true });
  expect(await isSetupOpen(db, token)).toBe(false);
  expect(await setUpRegistry(given, { ...first, email: 'eve@x.example', token })).toMatchObject({
    reason: 'link-used',
  });
});

test('create-admin never changes a password or a role in silence', async () => {
  const { db } = database;
  await addPerson(db, 'admin', 'mia@registry.example');
  await addPerson(db, 'technician', 'tech@scales.example');
  expect(await createAdmin(given, { ...first, email: 'mia@registry.example', mustChange: false })).toMatchObject({
    created: false,
    message: expect.stringContaining('already has a password'),
  });
  expect(await createAdmin(given, { ...first, email: 'tech@scales.example', mustChange: false })).toMatchObject({
    created: false,
  });
  expect(await kinds()).toEqual([]);
});
