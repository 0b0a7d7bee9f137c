// The page that calibrates all axles of a truck: a vehicle to go with it, its fields, and what came of them.
import type { Locator, Page } from '@playwright/test';
import { enterLeaves } from '#test/leaves.ts';
import type { StartedRegistry } from '#test/start-registry.ts';

const VIN = '6T9HZ8KW7RB200731';
let made = 0;

/** Adds a vehicle for this test to the database. Returns its rego. */
export async function newVehicle(registry: StartedRegistry): Promise<string> {
  const rego = `ALL${process.pid % 10_000}${(made += 1)}`;
  await registry.db.insertInto('vehicle').values({ rego, vin: VIN }).execute();
  await enterLeaves(registry.db);
  return rego;
}

/** What is recorded of it. */
export const stored = async ({ db }: StartedRegistry, rego: string) => {
  const readings = await db
    .selectFrom('calibration')
    .select(['axle', 'attribute', 'value', 'setId'])
    .where('rego', '=', rego)
    .orderBy('id')
    .execute();
  return { readings, sets: new Set(readings.map(({ setId }) => setId)).size };
};

export const field = (page: Page, axle: string, label: string): Locator =>
  page.getByLabel(new RegExp(`^${axle}: ${label}(?!, (left|right))`));
export const fieldsOf = (page: Page, axle: string) =>
  ['Empty Volt', 'Empty Weight', 'Loaded Volt', 'Loaded Weight'].map((label) => field(page, axle, label));

/** The time is asked, never offered. */
export const fillTime = (page: Page): Promise<void> => page.getByLabel('Time of the visit').fill('00:05');

/** What says that the truck has the axle. */
export const tick = (page: Page, axle: string): Locator => page.getByRole('checkbox', { name: axle, exact: true });
