// The page asks about a likely slip before it is recorded, and a wrong entry can be corrected.
import { history, openDialog, stored } from './calibrating.ts';
import { expect, test, toast } from './registry.ts';

test('a slip is recorded only once somebody says that it is correct', async ({ page, registry, quiet }) => {
  quiet.allow(/400/);
  const { rego, dialog } = await openDialog(page, registry);
  const value = dialog.getByLabel('Value');
  const confirm = dialog.getByLabel('This reading is correct: record it');
  await dialog.locator('label').filter({ hasText: 'Empty Volt' }).click();
  await value.fill('318');
  await page.keyboard.press('Enter');
  await expect(value).toHaveAccessibleDescription('318 V is not between 0 and 12 V. Check the decimal point.');
  await expect(value).toBeFocused();
  await expect(confirm).not.toBeChecked();
  expect(await stored(registry, rego)).toEqual([]);
  // Until the button asks again, Enter sends nothing.
  await expect(dialog.getByRole('button', { name: 'Add entry' })).toBeVisible();
  // Corrected, nothing is said any more. On a slow line the page behind learns of an entry later than its form.
  await page.route(/\.data/, async (route) => {
    if (route.request().method() === 'GET') await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue().catch(() => {});
  });
  await value.fill('3.18');
  await expect(confirm).toBeHidden();
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('radio', { name: 'Empty Weight' })).toBeChecked();
  // The warning appears on blur. It compares the reading with the other readings of the axle.
  await dialog.locator('label').filter({ hasText: 'Loaded Volt' }).click();
  await value.fill('3.180');
  await dialog.getByLabel('Calibration due date').focus();
  await expect(value).toHaveAccessibleDescription(/equal the empty volts.* Recorded before: Empty Volt 3.18\sV\.$/);
  await confirm.check();
  await dialog.getByRole('button', { name: 'Add entry' }).click();
  await expect(value).toHaveValue('');
  await expect(confirm).toBeHidden();
  expect(await stored(registry, rego)).toEqual(['3.18', '3.180']);
});

test('a wrong entry is corrected: struck through, with a link both ways', async ({ page, registry, quiet }) => {
  quiet.allow(/400/);
  const { rego, dialog } = await openDialog(page, registry);
  await dialog.getByText('Loaded Weight', { exact: true }).first().click();
  await dialog.getByLabel('Value').fill('156400');
  await page.keyboard.press('Enter');
  await dialog.getByLabel('This reading is correct').check();
  await expect(dialog.getByRole('button', { name: 'Add entry' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Entry added successfully.')).toBeVisible();
  await page.keyboard.press('Escape');
  await history(page).getByRole('link', { name: '156,400 kg' }).click();
  await page.getByRole('link', { name: 'Correct this entry' }).click();
  await page.getByLabel('Value').fill('15.640');
  await page.getByLabel('Reason').fill('x');
  const refused = page.waitForResponse((answer) => answer.request().method() === 'POST');
  await page.getByRole('button', { name: 'Correct entry' }).click();
  await (await refused).finished();
  await expect(page.getByLabel('Value')).toHaveAccessibleDescription(/looks like tonnes/);
  await page.getByLabel('Reason').fill('');
  await page.getByLabel('Value').fill('15,640');
  await page.getByRole('button', { name: 'Correct entry' }).click();
  await expect(page.getByText('Give a reason for the correction.').last()).toBeVisible();
  await page.getByLabel('Reason').fill('A zero too many');
  await page.getByLabel('Calibration due date').fill('2090-01-01');
  await page.getByRole('button', { name: 'Correct entry' }).click();
  await expect(page.getByLabel('Calibration due date')).toHaveAccessibleDescription(/more than 366 days after/);
  await page.getByLabel('Calibration due date').fill('');
  await page.getByRole('button', { name: 'Correct entry' }).click();
  await expect(page.getByText('This corrects an earlier entry: A zero too many')).toBeVisible();
  await page.getByRole('link', { name: 'See the wrong entry' }).click();
  await expect(page.locator('s').filter({ hasText: '156,400 kg' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Correct this entry' })).toBeHidden();
  await page.getByRole('link', { name: 'See its correction' }).click();
  await expect(page.getByText('15,640 kg')).toBeVisible();
  await page.goto(`/vehicles/view/${rego}`);
  await expect(history(page).getByRole('link', { name: '156,400 kg, corrected since' }).locator('s')).toBeVisible();
});
