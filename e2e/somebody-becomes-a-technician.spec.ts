// From the request to the technician's first calibration, with the mails in between, and the other endings.
import type { Page } from '@playwright/test';
import { mailTo } from './mails.ts';
import { expect, hydrated, test, toast } from './registry.ts';
import { fillSignIn, newPerson, signInAs } from './people.ts';

let made = 0;
const newEmail = () => `office${(made += 1)}.${process.pid}@northside.example`;
const keyOf = (email: string) => email.replaceAll('.', ',');

async function fillRegistration(page: Page, email: string, abn = '51 824 753 556'): Promise<void> {
  await page.getByLabel('Company name').fill('Northside Scale Services');
  await page.getByLabel('ABN').fill(abn);
  await page.getByLabel('Trade licence number').fill('SL-20418');
  await page.getByLabel('Full address').fill('14 Gaffney Street, Coburg VIC 3058');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Representative name').fill('Priya Raman');
  await page.getByLabel('Representative contact').fill('0491 570 156');
}

test('from the request to the first own calibration, with every mail', async ({ page, browser, registry, quiet }) => {
  quiet.allow(/400/);
  const email = newEmail();
  const rego = `TR${process.pid % 10_000}A`;
  await registry.db.insertInto('vehicle').values({ rego }).execute();
  const admin = await newPerson(registry, 'admin');
  const office = await (await browser.newContext({ baseURL: registry.url })).newPage();
  await signInAs(office, admin);
  await office.goto('/applications');
  await hydrated(office);
  await office.waitForTimeout(500);

  await page.goto('/');
  await page.getByRole('link', { name: 'Tech Register' }).click();
  await hydrated(page);
  await fillRegistration(page, email);
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(toast(page, 'Tech registration requested successfully.')).toBeVisible();
  await page.waitForURL(new URL('/', registry.url).href);
  expect(await mailTo(registry.dataDir, email, 'has received the request')).toContain('Northside Scale Services');
  // The digest goes within a minute, where no other has just gone.
  await registry.db.updateTable('digest').set({ mailedAt: null }).execute();
  const waiting = await mailTo(registry.dataDir, admin.email, `${email} asks to be listed`, 60_000);
  expect(waiting).toContain(`/applications/view/${keyOf(email)}`);

  // The open list of the admin shows it by itself.
  await office.getByRole('link', { name: `View ${email}` }).click();
  await expect(office.getByRole('heading', { level: 1 })).toHaveText('Northside Scale Services');
  for (const value of [
    '51 824 753 556',
    'SL-20418',
    '14 Gaffney Street, Coburg VIC 3058',
    'Priya Raman',
    '0491 570 156',
  ])
    await expect(office.getByRole('definition').filter({ hasText: value })).toBeVisible();
  await expect(office.getByText('Probably mistyped')).toBeHidden();
  await office.getByRole('link', { name: 'Approve' }).click();
  const dialog = office.getByRole('dialog', { name: 'Password Setup' });
  await expect(dialog.getByLabel('Email')).toHaveValue(email);
  await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused();
  await office.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toHaveText('Password is mandatory field!');
  await dialog.getByLabel('Password', { exact: true }).fill('short');
  await office.keyboard.press('Enter');
  await expect(dialog.getByText('Use at least 8 characters.')).toBeVisible();
  await expect(dialog.getByLabel('Password', { exact: true })).toHaveValue('short');
  await office.keyboard.press('Escape');
  await office
    .getByRole('dialog', { name: 'Discard what you typed?' })
    .getByRole('button', { name: 'Discard' })
    .click();
  await expect(dialog).toBeHidden();
  await expect(office.getByRole('link', { name: 'Approve' })).toBeFocused();
  await office.keyboard.press('Enter');
  await dialog.getByLabel('Password', { exact: true }).fill('first words of the yard');
  await dialog.getByRole('button', { name: 'Register Technician' }).click();
  await expect(toast(office, 'Technician Added successfully.')).toBeVisible();
  await office.waitForURL('**/applications');
  await expect(office.getByText(email)).toBeHidden();
  const approved = await mailTo(registry.dataDir, email, 'Your request was approved');
  expect(approved).toContain('/tech-login');
  expect(approved).toContain('An administrator will give you a temporary password.');
  expect(approved).not.toContain('first words of the yard');

  await page.goto('/tech-login');
  await hydrated(page);
  await fillSignIn(page, email, 'first words of the yard');
  await expect(page).toHaveURL(/\/new-password/);
  await page.getByLabel('Current password', { exact: true }).fill('first words of the yard');
  await page.getByLabel('New password', { exact: true }).fill('own words of the yard');
  await page.getByLabel('New password again', { exact: true }).fill('own words of the yard');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.waitForURL('**/dashboard');
  await page.goto(`/vehicles/view/${rego}?calibrate`);
  await hydrated(page);
  const calibrate = page.getByRole('dialog', { name: 'Calibrate', exact: true });
  await calibrate.getByRole('radio', { name: 'steer' }).check();
  await calibrate.getByRole('radio', { name: 'Empty Weight' }).check();
  await calibrate.getByLabel('Value').fill('5890');
  await calibrate.getByRole('button', { name: 'Add entry' }).click();
  await expect(toast(page, 'Entry added successfully.')).toBeVisible();
  await page.goto(`/vehicles/view/${rego}`);
  await expect(page.getByText(/ by Priya Raman$/)).toBeVisible();

  // The admin sees what they recorded; removed, they are out at once, and their record says so.
  await office.goto('/technicians');
  await office.getByRole('link', { name: `View ${email}` }).click();
  await expect(office.getByRole('link', { name: new RegExp(`${rego}.*Empty Weight.*5,890 kg`) })).toBeVisible();
  await office.getByRole('link', { name: 'Delete' }).click();
  await hydrated(office);
  await expect(office.getByText('Are you sure that you wanted to delete this record.')).toBeVisible();
  await office.getByRole('button', { name: 'Delete' }).click();
  await expect(toast(office, 'Record Deleted successfully.')).toBeVisible();
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/login/);
  await page.goto(`/vehicles/view/${rego}`);
  await expect(page.getByText(/ by Priya Raman, removed from this registry on /)).toBeVisible();
  await office.context().close();
});
