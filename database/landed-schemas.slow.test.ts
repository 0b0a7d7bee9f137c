// Every schema that has been on the main branch, once upgraded, has the same functions as a new database.
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { functionsOf } from '#test/database-functions.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '#test/database.ts';
import { applyFunctions, readFunctions } from './apply-functions.ts';
import { applyWithin, createRecord, type Migration, readMigrations } from './migrate.ts';

// The order in which they landed, not always that of their numbers; commas separate landings. From 0030 on each landed
// alone.
const LANDED =
  '0001 0002 0003, 0004, 0005, 0007, 0006, 0008, 0009, 0010, 0012 0013, 0016, 0011 0014 0015, 0018, 0017, 0019, 0020, 0021, 0022, 0023, 0024, 0027, 0029, 0028';
const numberOf = ({ name }: Migration) => name.slice(0, '0000'.length);

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createEmptyDatabase();
  client = new pg.Client(database.address);
  await client.connect();
  await createRecord(client);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

test('each landed schema gets the functions of a new database, and keeps every form of one that it had', async () => {
  const [migrations, functions] = [await readMigrations(), await readFunctions()];
  const steps = LANDED.split(', ').map((numbers) => migrations.filter((one) => numbers.includes(numberOf(one))));
  steps.push(...migrations.filter((one) => numberOf(one) > '0029').map((one) => [one]));
  expect(new Set(steps.flat())).toEqual(new Set(migrations));
  const fresh = await createTestDatabase();
  const expected = await functionsOf(fresh.pool);
  await fresh.drop();
  const landed = new Set<string>();
  for (const step of steps) {
    for (const migration of step) {
      await applyWithin(client, migration);
      landed.add(migration.name);
    }
    await client.query('begin');
    for (const migration of migrations) if (!landed.has(migration.name)) await applyWithin(client, migration);
    const before = await functionsOf(client);
    await applyFunctions(client, functions);
    expect(await functionsOf(client)).toEqual(expected);
    expect(Object.keys(expected)).toEqual(expect.arrayContaining(Object.keys(before)));
    await client.query('rollback');
  }
}, 120_000);

test('what the migrations leave of a function is in its file, unless the file has changed since', async () => {
  const unchanged = (await readFunctions()).filter(({ landed }) => landed.length === 1).map(({ file }) => file);
  const isUnchanged = (signature: string) => unchanged.includes(`${signature.split('(')[0]}.sql`);
  const bare = (functions: Record<string, string>) =>
    Object.entries(functions)
      .filter(([signature]) => isUnchanged(signature))
      .map(([signature, text]) => [signature, text.replaceAll(/^ *--.*\n/gm, '')]);
  const left = bare(await functionsOf(client));
  const fresh = await createTestDatabase();
  // A function that no migration made comes from its file alone.
  const made = left.map(([signature]) => signature);
  const inFiles = bare(await functionsOf(fresh.pool)).filter(([signature]) => made.includes(signature));
  expect(left.length).toBeGreaterThan(20);
  expect(left).toEqual(inFiles);
  await fresh.drop();
});
