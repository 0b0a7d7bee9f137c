// Every axle and visit of the demo with four unambiguous readings has its line on its vehicle's page, however its
// technician was named, and no other has. Found by brute force in the export itself, by another way than the product's.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { USUAL_DETAILS } from '#test/usual-details.ts';
import { FIRST_POLICY } from '#app/policy/policy.ts';
import { demoExport } from '#commands/demo/export.ts';
import { openImportBench, type ImportBench } from '#test/import-run.ts';
import { findVehicle } from '#app/vehicles/queries.server.ts';
import { parseRego } from '#app/vehicles/vehicle.ts';
import { listCalibrations, listSets } from './queries.server.ts';
import { vehicleSeries } from './vehicle-lines.server.ts';

type Entry = Record<'axle_type' | 'calibrating_technician' | 'calibration_attribute' | 'calibration_value', string>;
type Export = {
  Vehicles: Record<string, { rego: string; calibrations?: Record<string, Entry> }>;
  Technicians: Record<string, { rep_name: string; email: string }>;
};

const FOUR_HOURS = 14_400_000;
let bench: ImportBench;
const whole: Export = JSON.parse(JSON.stringify(demoExport('2026-11-21')));

beforeAll(async () => {
  bench = await openImportBench();
  await bench.run(whole);
});
afterAll(() => bench.close());

const emailOf = new Map(Object.values(whole.Technicians).map(({ rep_name, email }) => [rep_name, email]));
/** The keys of the readings of each axle and visit that has all four and can be grouped in one way only. */
function expectedSets(calibrations: Record<string, Entry>): { keys: string; named: Set<string> }[] {
  const entries = Object.entries(calibrations).map(([key, entry]) => ({
    at: Number(key),
    axle: entry.axle_type,
    who: emailOf.get(entry.calibrating_technician) ?? entry.calibrating_technician,
    named: entry.calibrating_technician,
    attribute: entry.calibration_attribute,
    value: entry.calibration_value,
  }));
  return entries.flatMap((first) => {
    const same = entries.filter((other) => other.axle === first.axle && other.who === first.who);
    const visit = same.filter(({ at }) => at >= first.at && at - first.at <= FOUR_HOURS);
    const others = same.filter((other) => !visit.includes(other));
    const isApart = others.every(({ at }) => visit.every((own) => Math.abs(own.at - at) > FOUR_HOURS));
    const isFour = visit.length === 4 && new Set(visit.map(({ attribute }) => attribute)).size === 4;
    return isApart && isFour && visit.every(({ value }) => value !== '')
      ? [
          {
            keys: visit
              .map(({ at }) => at)
              .toSorted((a, b) => a - b)
              .join(' '),
            named: new Set(visit.map(({ named }) => named)),
          },
        ]
      : [];
  });
}

test('each has its line, and none that should not', async () => {
  const { db } = bench.database;
  let [lines, namedTwice, single] = [0, 0, 0];
  for (const { rego, calibrations = {} } of Object.values(whole.Vehicles)) {
    const parsed = parseRego(rego);
    const found = await findVehicle(db, parsed.ok ? parsed.rego : '');
    if (found.state !== 'live') throw new Error(`${rego} was not imported`);
    const { id } = found.vehicle;
    const readings = await listCalibrations(db, id);
    const sets = [
      ...vehicleSeries(readings, await listSets(db, id), { tolerance: FIRST_POLICY, details: USUAL_DETAILS }).values(),
    ].flat();
    const drawn = sets.flatMap(({ line, group }) =>
      line === undefined
        ? []
        : [
            group.counting
              .map((reading) => reading.id)
              .toSorted((a, b) => a - b)
              .join(' '),
          ],
    );
    const expected = expectedSets(calibrations);
    expect([rego, drawn.toSorted()]).toEqual([rego, expected.map(({ keys }) => keys).toSorted()]);
    lines += drawn.length;
    namedTwice += expected.filter(({ named }) => named.size > 1).length;
    single += readings.length - 4 * drawn.length;
  }
  expect(lines).toBeGreaterThan(600);
  expect(namedTwice).toBeGreaterThan(0);
  expect(single).toBeGreaterThan(0);
  process.stdout.write(`${lines} lines, ${namedTwice} of them named by name and address; ${single} readings without\n`);
});
