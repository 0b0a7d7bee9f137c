// A vehicle to record readings for, and where its page shows them.
import type { Page } from '@playwright/test';
import { enterLeaves } from '#test/leaves.ts';
import type { StartedRegistry } from '#test/start-registry.ts';

let made = 0;
/** Adds a vehicle for this test to the database. */
export async function newVehicle(registry: StartedRegistry): Promise<string> {
  const rego = `E2E${process.pid % 10_000}${(made += 1)}`;
  await registry.db.insertInto('vehicle').values({ rego, vin: '6T9HZ8KW7RB200731' }).execute();
  await enterLeaves(registry.db);
  return rego;
}

/** The calibration history on a vehicle's page. */
export const history = (page: Page) => page.getByRole('table', { name: /Calibrations of/ });
