// An admin imports a fleet from a CSV file: a file with every kind of line, and a large one that is cut off in the
// middle.
import { expect, hydrated, test } from './registry.ts';
import { newPerson, signInAs } from './people.ts';
import { newRego } from './vehicles.ts';

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
