import { readFile } from 'node:fs/promises';
import { expect, hydrated, test } from './registry.ts';
import { tooWide } from './fits.ts';

// As they come from a spreadsheet: with a heading, other columns, an empty line and what people type.
const PASTED = [
  'Rego\tDriver',
  'XV04KL\tAnn',
  'xv-11 qt\tBo',
  '6T9HZ8FM2PA100418\tCy',
  '\tnobody',
  'xvo4kl\tDi',
  'ABC-12#4\tEd',
  'XV04K\tFay',
  'NT88QZ\tGus',
  ...Array.from({ length: 21 }, () => 'XV27BD\tHal'),
].join('\n');

test.use({ viewport: { width: 390, height: 844 } });

test('thirty lines pasted on a phone: each answered, counted, filtered, and taken along', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Check many trucks at once' }).click();
  await expect(page.getByRole('heading', { name: 'Check many trucks' })).toBeVisible();
  await hydrated(page);
  await page.getByLabel('Regos or VINs').fill(PASTED);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('29 lines checked');
  await expect(page.getByRole('status').filter({ hasText: '29 lines checked' })).toHaveText(
    '29 lines checked: 1 due soon, 21 overdue, 5 without an answer',
  );
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  const rows = page.getByRole('row');
  await expect(rows).toHaveCount(31);
  await expect(rows.nth(1)).toContainText('Heading');
  await expect(rows.nth(2)).toContainText('Valid');
  await expect(rows.nth(3)).toContainText('Due soon');
  await expect(rows.nth(4)).toContainText('Rego XV04KL. Same truck as line 2');
  await expect(rows.nth(5)).toContainText('Line 5 is empty');
  await expect(rows.nth(6)).toContainText('Did you mean XV04KL?');
  await expect(rows.nth(7)).toContainText('“#” cannot be in a rego or a VIN');
  await expect(rows.nth(8)).toContainText('1 match');
  await expect(rows.nth(9)).toContainText('Not in this registry');
  await expect(rows.nth(10)).toContainText('Overdue');
  await expect(page.getByText('29 lines asked, 29 answered, none skipped.')).toBeVisible();
  expect(await tooWide(page)).toEqual([]);

  await page.getByRole('button', { name: 'Overdue 21' }).click();
  await expect(rows).toHaveCount(22);
  await expect(rows.nth(2)).toContainText('Same truck as line 10');

  const [csv] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
  expect((await readFile(await csv.path(), 'utf8')).trimEnd().split('\r\n')).toHaveLength(31);
  const receipt = page.getByRole('button', { name: 'Receipt (PDF)' });
  const [pdf] = await Promise.all([page.waitForEvent('download'), receipt.click()]);
  expect((await readFile(await pdf.path())).subarray(0, 5).toString()).toBe('%PDF-');

  await page.getByText('Change the list').click();
  await expect(page.getByLabel('Regos or VINs')).toHaveValue(PASTED);
  await page.getByLabel('Regos or VINs').fill('XV04KL');
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('1 line checked');
});

test('a file from a spreadsheet, and one that is none', async ({ page, quiet }) => {
  quiet.allow(/status of 400/);
  await page.goto('/check');
  await hydrated(page);
  const choose = (name: string, text: string | Buffer) =>
    page
      .getByLabel('or a file of Excel, LibreOffice or CSV')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  await choose('fleet.xlsx', Buffer.from([0x50, 0x4b, 3, 4, 20, 0]));
  await page.getByLabel('Regos or VINs').fill('XV04KL');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.getByText('This workbook cannot be read.')).toBeVisible();
  await expect(page.getByLabel('Regos or VINs')).toHaveValue('XV04KL');
  await choose('fleet.csv', '\uFEFFMake;Registration\r\nVolvo;="XV04KL"\r\nMack;XV11QT\r\n');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('2 lines checked');
  await expect(page.getByRole('row').nth(2)).toContainText('Valid');
});

test('more than a page of lines', async ({ page }) => {
  await page.goto('/check');
  await hydrated(page);
  await page
    .getByLabel('Regos or VINs')
    .fill(['XV04KL', ...Array.from({ length: 249 }, (_, nth) => `Q${nth}Q`), 'XV04KL'].join('\n'));
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.getByText('Page 1 of 2')).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('Page 2 of 2')).toBeVisible();
  await expect(page.getByRole('row').last()).toContainText('Same truck as line 1');
});
