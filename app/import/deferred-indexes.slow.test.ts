import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { demoExport } from '#commands/demo/export.ts';
import type { TestDatabase } from '#test/database.ts';
import { openImportBench, type ImportBench } from '#test/import-run.ts';
import { completeIndexes, deferIndexes } from './deferred-indexes.server.ts';
import { aloneInImporting } from './import-lock.server.ts';

let bench: ImportBench;
let database: TestDatabase;
let all: string[];
let settings: unknown[];
beforeEach(async () => {
  bench = await openImportBench();
  ({ database } = bench);
  all = await indexes();
  settings = await tableSettings();
});
afterEach(() => bench.close());

async function indexes(): Promise<string[]> {
  const { rows } = await sql<{ definition: string }>`
    select indexdef as definition from pg_indexes where schemaname = 'public' order by 1`.execute(database.db);
  return rows.map(({ definition }) => definition);
}

async function tableSettings(): Promise<unknown[]> {
  const { rows } = await sql`
    select relname, reloptions from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`.execute(
    database.db,
  );
  return rows;
}

test('what an import leaves out it makes at its end, as it was', async () => {
  await deferIndexes(database.db);
  const meanwhile = await indexes();
  expect(all.filter((one) => !meanwhile.includes(one)).join('\n')).toMatch(/vehicle_live_search.*gin/);
  expect(JSON.stringify(await tableSettings())).toContain('"calibration","reloptions":["autovacuum_enabled=off"]');
  expect(meanwhile.filter((one) => one.includes('UNIQUE'))).toEqual(all.filter((one) => one.includes('UNIQUE')));

  const { report } = await bench.run(demoExport('2026-11-21'));
  expect(report.of('Vehicles', 'added')).toBe(60);
  expect(await indexes()).toEqual(all);
  expect(await tableSettings()).toEqual(settings);
  expect(await database.db.selectFrom('deferredIndex').selectAll().execute()).toEqual([]);
});

test('what a killed import left out is made by whoever comes next, once no import is at work', async () => {
  await deferIndexes(database.db);
  await aloneInImporting(database.db, () => completeIndexes(database.db));
  expect((await indexes()).length).toBeLessThan(all.length);
  await completeIndexes(database.db);
  expect(await indexes()).toEqual(all);
  expect(await tableSettings()).toEqual(settings);
});

test('a registry that has vehicles keeps its indexes', async () => {
  await bench.run({ Vehicles: { A1: { make: 'Volvo' } } });
  await deferIndexes(database.db);
  expect(await indexes()).toEqual(all);
});

test('nobody is waited for who is in the way', async () => {
  await database.db.transaction().execute(async (tx) => {
    await tx.selectFrom('calibration').select('id').execute();
    await deferIndexes(database.db);
  });
  expect(await indexes()).toEqual(all);
  expect(await database.db.selectFrom('deferredIndex').selectAll().execute()).toEqual([]);
});
