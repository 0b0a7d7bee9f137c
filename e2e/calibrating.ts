// Adds a vehicle for the test, and opens the dialog in which a technician records its readings.
import type { Locator, Page } from '@playwright/test';
import { enterLeaves } from '#test/leaves.ts';
import type { StartedRegistry } from '#test/start-registry.ts';
import { newPerson, signInAs } from './people.ts';
import { hydrated } from './registry.ts';

let made = 0;
/** Adds a vehicle for this test to the database. */
export async function newVehicle(registry: StartedRegistry): Promise<string> {
  const rego = `E2E${process.pid % 10_000}${(made += 1)}`;
  await registry.db.insertInto('vehicle').values({ rego, vin: '6T9HZ8KW7RB200731' }).execute();
  await enterLeaves(registry.db);
  return rego;
}

/** The values recorded for it, in their order. */
export const stored = async ({ db }: StartedRegistry, rego: string) =>
  (await db.selectFrom('calibration').select('value').where('rego', '=', rego).orderBy('id').execute()).map(
    ({ value }) => value,
  );

/** The calibration history on a vehicle's page. */
export const history = (page: Page) => page.getByRole('table', { name: /Calibrations of/ });

/** The modal of a new vehicle, opened by a new technician, with the drive axle chosen. */
export async function openDialog(page: Page, registry: StartedRegistry): Promise<{ rego: string; dialog: Locator }> {
  const rego = await newVehicle(registry);
  await signInAs(page, await newPerson(registry, 'technician'));
  await page.goto(`/vehicles/view/${rego}?calibrate`);
  await hydrated(page);
  const dialog = page.getByRole('dialog', { name: 'Calibrate', exact: true });
  await dialog.getByText('drive', { exact: true }).click();
  return { rego, dialog };
}
