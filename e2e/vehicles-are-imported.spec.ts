// An admin imports a fleet from a CSV file: a file with every kind of line, and a large one that is cut off in the middle.
import { readFile } from 'node:fs/promises';
import { expect, hydrated, test } from './registry.ts';
import { newPerson, signInAs } from './people.ts';
import { newRego } from './vehicles.ts';

test('every kind of line is said before and done so', async ({ browser, registry }) => {
  const [added, changed, same, other] = [newRego(), newRego(), newRego(), newRego()];
  await registry.db
    .insertInto('vehicle')
    .values([
      { rego: changed, make: 'Volvo' },
      { rego: same, make: 'Volvo' },
      { rego: other, vin: `VIN${other}` },
    ])
    .execute();
  const csv = [
    'rego,make,vin,next_calibration_due',
    `${added},Mack,,`,
    `${changed},Mack,,`,
    `${same},Volvo,,`,
    `${other}X,Volvo,VIN${other},`,
    `${newRego()},Volvo,,2030-01-01`,
    'NOT%A%REGO,Volvo,,',
  ].join('\r\n');
  const page = await browser.newPage({
    baseURL: registry.url,
    viewport: { width: 390, height: 844 },
  });
  await signInAs(page, await newPerson(registry, 'admin'));
  // Phones have the page, and no link to it.
  await page.goto('/vehicles/import');
  await hydrated(page);
  await page.getByLabel('or its lines').fill('rego,colour\nA1,red');
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(page.getByText('There is no column “colour”.')).toBeVisible();
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'fleet.csv', mimeType: 'text/csv', buffer: Buffer.from(`\uFEFF${csv}`) });
  await page.getByRole('button', { name: 'Preview' }).click();
  const rows = page.getByRole('table', { name: 'What is done with each line' }).getByRole('row');
  await expect(rows).toHaveCount(6);
  await expect(rows.filter({ hasText: added })).toContainText('New');
  await expect(rows.filter({ hasText: changed })).toContainText('Make: “Volvo” becomes “Mack”');
  await expect(rows.filter({ hasText: `${other}X` })).toContainText(`It is the VIN of ${other}.`);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '3 left out (CSV)' }).click(),
  ]);
  expect(await readFile(await file.path(), 'utf8')).toContain(`${other}X,Volvo,VIN${other},,vin: It is the VIN of`);
  await page.getByRole('button', { name: 'Import 2 lines' }).click();
  await expect(page.getByText('Imported: 1 added, 1 changed.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Left out: 3 lines' })).toBeVisible();
  await page.goto(`/vehicles/view/${added}`);
  await expect(page.getByText('Mack').first()).toBeVisible();
  await page.close();
});

test('an import of many lines goes on by itself, and after a lost connection by its button', async ({
  page,
  registry,
  quiet,
}) => {
  test.setTimeout(120_000);
  quiet.allow(/Failed to load resource|net::ERR/);
  const lines = Array.from({ length: 501 }, () => `${newRego()},Volvo`);
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto('/vehicles');
  await page.getByRole('link', { name: 'Import', exact: true }).click();
  await hydrated(page);
  await page.getByLabel('or its lines').fill(['rego,make', ...lines].join('\n'));
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(page.getByRole('button', { name: 'Import 501 lines' })).toBeVisible();
  let posts = 0;
  await page.route('**/vehicles/import.data*', (route) =>
    route.request().method() === 'POST' && (posts += 1) === 2 ? route.abort() : route.continue(),
  );
  await page.getByRole('button', { name: 'Import 501 lines' }).click();
  await expect(page.getByText('500 of 501 lines')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('Error importing vehicles:')).toBeVisible();
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect(page.getByText('Imported: 501 added, 0 changed.')).toBeVisible({ timeout: 60_000 });
});
