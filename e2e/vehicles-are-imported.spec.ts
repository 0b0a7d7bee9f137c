// An admin imports a fleet: a large one that is cut off in the middle, and a workbook in which Excel has changed lines.
import { expect, hydrated, test } from './registry.ts';
import { EXCEL, xlsxOf } from '#test/tables/workbooks.ts';
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

test('a line that a spreadsheet may have changed is imported when it is ticked; the others are saved with their reason', async ({
  page,
  registry,
}) => {
  const regos = [newRego(), newRego()];
  const buffer = xlsxOf(
    [
      ['Rego No.', 'Scale S/N', 'Fitted date'],
      [regos[0] ?? '', '000123', { day: '2024-04-03' }],
      [regos[1] ?? '', 1.23457e19],
      [46_082],
    ],
    EXCEL,
  );
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto('/vehicles/import');
  await hydrated(page);
  const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  await page.getByLabel('Excel, LibreOffice or CSV file').setInputFiles({ name: 'fleet.xlsx', mimeType, buffer });
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(page.getByText('Sheet “Fleet”, one of 2; the others are not read. 3 lines.')).toBeVisible();
  await expect(page.getByText('Dates are read day first: 03/04/2024 is 3 April 2024.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Import 1 line' })).toBeVisible();
  await page.getByLabel('Take line 3').check();
  await expect(page.getByText('1 ticked, 1 left out')).toBeVisible();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: '1 left out (CSV)' }).first().click();
  const saved = (await (await saving).createReadStream()).setEncoding('utf8');
  let csv = '';
  for await (const piece of saved) csv += String(piece);
  expect(csv).toContain('46082,,,A spreadsheet may have changed this. rego: A sheet keeps a date as such a number.');
  await page.getByRole('button', { name: 'Import 2 lines' }).click();
  await expect(page.getByText('Imported: 2 added, 0 changed.')).toBeVisible();
  await expect(page.getByText('Line 4, 46082')).toBeVisible();
});
