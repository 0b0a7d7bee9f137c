// A weighbridge is withdrawn for some days: one admin proposes, another confirms, and open pages of the trucks follow.
import { recordCalibrationSet } from '#app/recording/record-calibration-set.server.ts';
import { openFileStore } from '#app/platform/storage/file-store.server.ts';
import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import { newReference } from '#test/references.ts';
import type { StartedRegistry } from '#test/start-registry.ts';
import { honestSet } from '#test/visits.ts';
import { tooWide } from './fits.ts';
import { newPerson, signInAs } from './people.ts';
import { expect, hydrated, test } from './registry.ts';
import { newRego } from './vehicles.ts';
import { actingAs } from '#test/people.ts';
import { ZONE } from './visits.ts';

const today = todayIn(ZONE);

/** A truck with an honest set of today that names a weighbridge: by its id, or in free text. */
async function weighed(registry: StartedRegistry, named: { weighbridge: string; reference_id?: string }) {
  const rego = newRego();
  const values = { rego, vin: `VIN${rego}`, axleGroups: 'STEER DRIVE', calibrationValidated: true, make: 'Volvo' };
  await registry.db.insertInto('vehicle').values(values).execute();
  const files = await openFileStore({ directory: `${registry.dataDir}/files` });
  const services = { db: registry.db, files, now: () => new Date(), config: { timeZone: ZONE } };
  const who = actingAs(await newPerson(registry, 'technician'));
  const input = honestSet(`VIN${rego}`, 'STEER DRIVE', new Date(), named);
  const answer = await recordCalibrationSet(services, who, { rego, input, photos: [], key: undefined });
  if (!answer.recorded) throw new Error(answer.reason);
  return { rego, id: answer.setId };
}

test('a second admin confirms a withdrawal and its lift; the page of a truck weighed there follows', async ({
  page,
  browser,
  registry,
  quiet,
}) => {
  quiet.allow(/status of 400/);
  const [proposer, confirmer] = [await newPerson(registry, 'admin'), await newPerson(registry, 'admin')];
  const { id, name } = await newReference(registry.db, proposer.personId, `Pindari Flat ${process.pid}`);
  const line = `${name}, Example Creek VIC`;
  const { rego } = await weighed(registry, { weighbridge: line, reference_id: id });
  const anybody = await browser.newContext({ baseURL: registry.url });
  const publicPage = await anybody.newPage();
  await publicPage.goto(`/vehicles/view/${rego}`);
  await hydrated(publicPage);
  await expect(publicPage.getByText('Valid', { exact: true }).first()).toBeVisible();

  await signInAs(page, proposer);
  await page.goto(`/references/${id}`);
  await page.getByRole('link', { name: 'Withdraw', exact: true }).click();
  await page.getByLabel('From').fill(addDays(today, -3));
  await page.getByLabel('To', { exact: true }).fill(today);
  await page.getByRole('button', { name: 'Show what changes' }).click();
  await expect(page.getByRole('row', { name: new RegExp(rego) })).toContainText('Not validated');
  await hydrated(page);
  await page.getByRole('button', { name: 'Ask for confirmation' }).click();
  await expect(page.getByText('Choose a reason of the list.')).toBeVisible();
  await page.getByLabel('Reason').selectOption('Out of tolerance');
  await page.getByRole('button', { name: 'Ask for confirmation' }).click();
  await expect(page.getByText('Another administrator has to confirm what you proposed.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Confirm the withdrawal' })).toHaveCount(0);
  await expect(publicPage.getByText('Valid', { exact: true }).first()).toBeVisible();

  const second = await browser.newContext({ baseURL: registry.url });
  const confirming = await second.newPage();
  await signInAs(confirming, confirmer);
  await confirming.goto(new URL(page.url()).pathname);
  await hydrated(confirming);
  expect(await tooWide(confirming)).toEqual([]);
  await confirming.getByRole('button', { name: 'Confirm the withdrawal' }).click();
  // The form's own answer: the page may show what it did before that has come, and the next press would be for nothing.
  await expect(confirming.getByText('The weighbridge is withdrawn for these days.')).toBeVisible();
  await expect(confirming.getByText('Applied: 1 of 1')).toBeVisible();
  await expect(publicPage.getByText('Not validated', { exact: true }).first()).toBeVisible();
  await publicPage.goto(`/references/${id}`);
  await expect(publicPage.getByText(/^Withdrawn for .*: out of tolerance\.$/)).toBeVisible();
  await publicPage.goto(`/vehicles/view/${rego}`);
  await hydrated(publicPage);

  await confirming.getByRole('button', { name: 'Propose to lift it' }).click();
  await expect(confirming.getByText('Another administrator has to confirm what you proposed.')).toBeVisible();
  await page.reload();
  await hydrated(page);
  await page.getByRole('button', { name: 'Confirm the lift' }).click();
  await expect(page.getByText('Restored: 1 of 1')).toBeVisible();
  await expect(publicPage.getByText('Valid', { exact: true }).first()).toBeVisible();
  await anybody.close();
  await second.close();
});

test('an admin finds the weighbridge of a visit in the register', async ({ page, registry, quiet }) => {
  quiet.allow(/status of 400/);
  const admin = await newPerson(registry, 'admin');
  const { name } = await newReference(registry.db, admin.personId, `Hollow Ridge ${process.pid}`);
  const { id } = await weighed(registry, { weighbridge: 'the bridge at the ridge' });
  await signInAs(page, admin);
  await page.goto(`/visits/${id}`);
  await page.getByRole('link', { name: 'Find the weighbridge in the register' }).click();
  await hydrated(page);
  await page.getByRole('button', { name: 'It is this weighbridge' }).click();
  await expect(page.getByText('Choose a weighbridge of the register').first()).toBeVisible();
  await page.getByLabel('Weighbridge').fill(name);
  await page.getByRole('button', { name: 'It is this weighbridge' }).click();
  await expect(page.getByText(`${name}, Example Creek VIC`)).toBeVisible();
});
