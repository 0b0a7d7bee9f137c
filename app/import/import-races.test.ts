// What others do while an import runs: it waits for them, then decides on what it finds.
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findCalibration } from '#app/readings/queries.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { openImportBench, type ImportBench } from '#test/import-run.ts';

let bench: ImportBench;
beforeEach(async () => {
  bench = await openImportBench();
});
afterEach(() => bench.close());

const data = (make: string, readings: number) => ({
  Vehicles: {
    A1: {
      make,
      calibrations: Object.fromEntries(
        Array.from({ length: readings }, (_, index) => [
          index + 1,
          { axle_type: 'STEER', calibration_attribute: 'Empty Volt', calibration_value: '1' },
        ]),
      ),
    },
  },
});

// Runs `write` in a transaction that commits only once the import waits for it.
async function importDuring(write: (tx: Tx) => Promise<unknown>) {
  const { db } = bench.database;
  const running = await db.transaction().execute(async (tx) => {
    await write(tx);
    const run = bench.run(data('Mack', 2));
    await expect
      .poll(async () => {
        const { rows } =
          await sql`select 1 from pg_locks where not granted and locktype in ('transactionid', 'tuple')`.execute(db);
        return rows.length;
      })
      .toBeGreaterThan(0);
    return { run };
  });
  return running.run;
}

test('a vehicle that is being deleted is not written to', async () => {
  await bench.run(data('Volvo', 1));
  const { lines, report } = await importDuring((tx) =>
    tx.updateTable('vehicle').set({ deletedAt: new Date() }).execute(),
  );
  expect(lines).toContain('Vehicles/A1: kept: the vehicle was deleted here, and stays so');
  expect(report.of('Calibrations', 'added')).toBe(0);
  expect(await findCalibration(bench.database.db, 'A1', 2)).toBeUndefined();
});

test('an edit that is being made stays, and the calibrations still come', async () => {
  await bench.run(data('Volvo', 1));
  const { lines, report } = await importDuring((tx) =>
    tx.updateTable('vehicle').set({ make: 'edited here', version: 2 }).execute(),
  );
  expect(lines.join('\n')).toContain('edited here; the changed record');
  expect(report.of('Calibrations', 'added')).toBe(1);
  expect(await bench.database.db.selectFrom('vehicle').select('make').execute()).toEqual([{ make: 'edited here' }]);
});
