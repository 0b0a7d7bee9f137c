// The office's part of an imported vehicle's page: what is known by its day has no time, and nobody is named who was
// not.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { importExport } from '#app/import/import-export.server.ts';
import { FIRST_POLICY } from '#app/policy/policy.ts';
import { addSignedIn } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { decideValidation } from '#app/vehicles/decide-validation.server.ts';
import { officePart, type OfficePart } from './office-part.server.ts';
import { findVehicle } from '#app/vehicles/queries.server.ts';

// Days as exports have them, in winter, in summer, and as the clock is put forward and back.
const DAYS = [
  ['2025-06-12', '12 June 2025'],
  ['15/01/2025', '15 January 2025'],
  ['2025-10-05', '5 October 2025'],
  ['2025-04-06', '6 April 2025'],
  ['14/05/2026, 9:41:00 am', '14 May 2026'],
] as const;
const NAMES = ['Declan Papadopoulos', '', 'Anonymous', undefined];
const CASES = DAYS.flatMap(([stated, shown], day) =>
  NAMES.map((name, index) => ({ rego: `DAY${day}${index}`, stated, shown, name })),
);

let services: TestServices;
let who: SignedIn;
beforeAll(async () => {
  services = await createTestServices();
  who = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia Kowalski');
  const file = path.join(services.config.dataDir, 'export.json');
  const vehicles = CASES.map(({ rego, stated, name }) => [
    rego,
    {
      rego,
      added_at: stated,
      added_by: name,
      updated_at: stated,
      updated_by: name,
      calibration_validated: true,
      next_calibration_due: '2027-06-30',
    },
  ]);
  await writeFile(file, JSON.stringify({ Vehicles: Object.fromEntries(vehicles) }));
  const { db, files, config } = services;
  const { timeZone } = config;
  const print = () => {};
  await importExport({
    db,
    files,
    file,
    bucket: undefined,
    timeZone,
    dryRun: false,
    now: () => new Date(),
    print,
    progress: print,
  });
});
afterAll(() => services.stop());

async function officeOf(rego: string): Promise<OfficePart> {
  const found = await findVehicle(services.db, rego);
  if (found.state !== 'live') throw new Error(`${rego} is there`);
  return officePart(services, found.vehicle, { readings: [], who, policy: FIRST_POLICY });
}

test.each(CASES)('$rego: added on $stated by $name', async ({ rego, shown, name }) => {
  const office = await officeOf(rego);
  const stated = name === 'Declan Papadopoulos' ? `${shown} by ${name}` : `${shown} (imported)`;
  expect([office.added, office.updated]).toEqual([stated, stated]);
  // The former database does not say who validated.
  expect(office.validation?.words).toBe(`Validated: ${shown} (imported)`);
  // When it was imported is told with its time, which may be noon.
  expect(JSON.stringify({ ...office, changes: [] })).not.toMatch(/12:00|Anonymous/);
});

test('what is done here has its time and its name', async () => {
  await decideValidation(services.db, who, { rego: 'DAY01', validated: false, reason: '' });
  const office = await officeOf('DAY01');
  expect(office.added).toBe('12 June 2025 (imported)');
  expect(office.updated).toMatch(/, \d+:\d\d [ap]m by Mia Kowalski$/);
  expect(office.validation?.words).toMatch(/^Not validated: .*, \d+:\d\d [ap]m by Mia Kowalski$/);
});
