import type { Page } from '@playwright/test';
import { emailKey } from '#app/people/email-key.ts';
import { GIVEN, newEmail, otherBrowser, picture } from './admins.ts';
import { mailTo } from './mails.ts';
import { fillSignIn, newPerson, signInAs } from './people.ts';
import { expect, hydrated, test, toast } from './registry.ts';

const rowOf = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email });

test('an admin is added with a picture, appears in another browser at once, gets a mail, and signs in', async ({
  page,
  registry,
}) => {
  const email = newEmail();
  const watching = await otherBrowser(page, registry);
  await signInAs(watching, await newPerson(registry, 'admin'));
  await watching.goto(`/admins?q=${email}`);
  await hydrated(watching);
  await expect(watching.getByText(`No admin matches “${email}”`)).toBeVisible();

  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto('/dashboard');
  await page.getByRole('navigation', { name: 'Back office' }).getByRole('link', { name: 'Admins' }).click();
  await page.getByRole('link', { name: 'Add New' }).click();
  await hydrated(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Add new Admin');
  await expect(page.getByLabel('Email')).toHaveAttribute('type', 'text');
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'off');
  const password = page.getByLabel('Password', { exact: true });
  await page.getByLabel('Email').fill(` ${email.toUpperCase()} `);
  await password.fill(GIVEN);
  await expect(password).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Show password' }).click();
  await page.getByLabel('Name').fill('Ana Silva');
  await page.getByLabel('Phone').fill('0491 570 156');
  await page.getByLabel('Address').fill('1 Yard Street, Newcastle');
  await page.getByLabel('Role').fill('Inspector');
  await page.getByLabel('Date of birth').fill('1984-03-19');
  await page.getByLabel('Notes').fill('Works on Mondays.');
  await page
    .getByLabel('Image', { exact: true })
    .setInputFiles({ name: 'ana.jpg', mimeType: 'image/jpeg', buffer: await picture() });
  await expect(page.getByText('Done')).toBeVisible();
  await page.getByRole('button', { name: 'Add Admin' }).click();
  await expect(rowOf(watching, email)).toBeVisible();
  await expect(toast(page, 'Admin Added successfully.')).toBeVisible();
  await page.waitForURL('**/admins');
  await watching.context().close();

  await page.getByRole('searchbox', { name: 'Search Admin...' }).fill(emailKey(email));
  // With the heading.
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(2);
  const cells = rowOf(page, email).getByRole('cell');
  await expect(rowOf(page, email).getByRole('rowheader')).toHaveText('Ana Silva');
  await expect(cells).toHaveText([email, 'Inspector', '0491 570 156', '1 Yard Street, Newcastle', '']);
  expect(await page.content()).not.toContain('1984');
  await rowOf(page, email)
    .getByRole('link', { name: `View ${email}` })
    .click();
  await expect(page).toHaveURL(new RegExp(`/admins/view/${emailKey(email)}\\?from=/admins`));
  for (const text of ['19 March 1984', 'Works on Mondays.', 'Inspector', '1 Yard Street, Newcastle', 'Mia Kowalski'])
    await expect(page.getByRole('definition').filter({ hasText: text })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Last Transactions' })).toBeVisible();
  expect(
    await page.locator('main img').evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth),
  ).toBe(300);

  const signInPage = `${registry.url.replace('127.0.0.1', 'localhost')}/login`;
  const letter = await mailTo(registry.dataDir, email, signInPage);
  expect(letter).toContain('An administrator will give you a temporary password.');
  expect(letter).toContain('Mia Kowalski added you as an admin');
  expect(letter).not.toContain(GIVEN);

  const theirs = await otherBrowser(page, registry);
  await theirs.goto('/login');
  await fillSignIn(theirs, email, GIVEN);
  await theirs.waitForURL('**/new-password**');
  await theirs.goto('/admins');
  await expect(theirs).toHaveURL(/\/new-password/);
  await hydrated(theirs);
  await theirs.getByLabel('New password', { exact: true }).fill('my own green yard');
  await theirs.getByLabel('New password again', { exact: true }).fill('my own green yard');
  await theirs.getByLabel('Current password', { exact: true }).fill(GIVEN);
  await theirs.getByRole('button', { name: 'Change password' }).click();
  await theirs.waitForURL('**/admins');
  await theirs.context().close();
});
