// The first page after an import is planned with the statistics of what was imported, however little that was.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { todayIn } from '#app/platform/time/calendar.ts';
import { demoExport } from '#commands/demo/export.ts';
import { DEMO_BUCKET, openImportBench } from '#test/import-run.ts';

test('every table that an import filled has statistics', async () => {
  const bench = await openImportBench();
  await bench.run(demoExport(todayIn('Australia/Sydney')), { bucket: DEMO_BUCKET });
  const { rows } = await sql<{ name: string }>`select distinct tablename as name from pg_stats`.execute(
    bench.database.db,
  );
  const analysed = new Set(rows.map(({ name }) => name));
  const filled = Object.entries(await bench.tableCounts()).flatMap(([name, count]) => (count > 0 ? [name] : []));
  expect(filled.length).toBeGreaterThan(10);
  expect(filled.filter((name) => !analysed.has(name))).toEqual([]);
  await bench.close();
});
