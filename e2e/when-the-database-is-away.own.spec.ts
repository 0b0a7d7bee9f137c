// Uses a registry of its own, and takes its database away and gives it back.
import { expect, hydrated, test } from './registry.ts';
import { fillSignIn, newPerson, signInAs } from './people.ts';

test.use({ settings: {} });
// One after the other, on one registry.
test.describe.configure({ mode: 'default' });

test('what cannot be done is said with its cause, and works again without a restart', async ({
  page,
  registry: own,
  quiet,
}) => {
  quiet.allow(/50[03]|ERR_|live/);
  const person = await newPerson(own, 'admin');
  await signInAs(page, person);
  await page.goto('/settings');
  await hydrated(page);
  await own.cutDatabase();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.locator('.toast-error')).toContainText('Logout error:');
  await own.restoreDatabase();
  await expect.poll(async () => (await page.request.get('/readyz')).status(), { timeout: 15_000 }).toBe(200);
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL('**/login');

  await page.goto('/reset');
  await hydrated(page);
  await own.cutDatabase();
  await page.getByLabel('Email').fill('mia@registry.example');
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await expect(page.getByRole('alert')).toContainText('Error while reseting the password!');
  await expect(page.getByRole('alert')).toContainText('registry-unavailable');
  await expect(page.getByLabel('Email')).toHaveValue('mia@registry.example');
  await expect(page.getByRole('link', { name: 'Back to login' })).toHaveAttribute('href', '/login');
  await own.restoreDatabase();
  await expect.poll(async () => (await page.request.get('/readyz')).status(), { timeout: 15_000 }).toBe(200);
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await expect(page.getByText('An email has been sent to your email address')).toBeVisible();
});

test('a sign-in and a page while the database is away say so, and blame no password', async ({
  page,
  registry: own,
  quiet,
}) => {
  quiet.allow(/503|ERR_|live/);
  const person = await newPerson(own, 'admin');
  await page.goto('/login');
  await hydrated(page);
  await own.cutDatabase();
  await fillSignIn(page, person.email);
  await expect(page.locator('.toast-error')).toContainText('registry-unavailable.');
  await expect(page.getByLabel('Email')).toHaveValue(person.email);
  await page.getByRole('link', { name: 'Back' }).click();
  await expect(page.getByText('503 Service Unavailable')).toBeVisible();
  await own.restoreDatabase();
  await expect.poll(async () => (await page.request.get('/readyz')).status(), { timeout: 15_000 }).toBe(200);
  await page.goto('/login');
  await fillSignIn(page, person.email);
  await page.waitForURL('**/dashboard');
});

test('a form that does not arrive stays as it was typed, and can be sent again', async ({
  page,
  context,
  registry: own,
  quiet,
}) => {
  quiet.allow(/50[03]|ERR_|live/);
  const person = await newPerson(own, 'admin');
  await own.db
    .insertInto('vehicle')
    .values([{ rego: 'AWAY1', make: 'Volvo' }])
    .execute();
  await signInAs(page, person);
  await page.goto('/vehicles/update/AWAY1');
  await hydrated(page);
  await page.getByLabel('Make', { exact: true }).fill('Scania');
  await own.cutDatabase();
  await page.getByRole('button', { name: 'Update Vehicle' }).click();
  await expect(page.getByRole('alert')).toContainText('Error updating vehicle: registry-unavailable.');
  await expect(page.getByLabel('Make', { exact: true })).toHaveValue('Scania');
  await own.restoreDatabase();
  await expect.poll(async () => (await page.request.get('/readyz')).status(), { timeout: 15_000 }).toBe(200);

  await context.setOffline(true);
  await page.getByRole('button', { name: 'Update Vehicle' }).click();
  await expect(page.getByRole('alert')).toContainText('no-network.');
  await context.setOffline(false);

  await own.db.deleteFrom('session').where('userId', '=', person.personId).execute();
  await page.getByRole('button', { name: 'Update Vehicle' }).click();
  await expect(page.getByRole('alert')).toContainText('signed-out. Your session has ended');
  await expect(page.getByLabel('Make', { exact: true })).toHaveValue('Scania');
  const [other] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Sign in' }).click(),
  ]);
  await fillSignIn(other, person.email);
  await other.waitForURL('**/dashboard');
  await page.getByRole('button', { name: 'Update Vehicle' }).click();
  await page.waitForURL('**/vehicles/view/AWAY1');
  await expect(page.getByRole('definition').filter({ hasText: 'Scania' })).toBeVisible();

  await page.getByRole('link', { name: 'Calibrate', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'steer' }).check();
  await dialog.getByRole('radio', { name: 'Empty Weight' }).check();
  await dialog.getByLabel('Value').fill('5890');
  await own.cutDatabase();
  await dialog.getByRole('button', { name: 'Add entry' }).click();
  await expect(page.locator('.toast-error')).toContainText('Error added item: registry-unavailable.');
  await expect(dialog.getByLabel('Value')).toHaveValue('5890');
  await own.restoreDatabase();
  await expect.poll(async () => (await page.request.get('/readyz')).status(), { timeout: 15_000 }).toBe(200);
  await dialog.getByRole('button', { name: 'Add entry' }).click();
  await expect(page.locator('.toast').filter({ hasText: 'Entry added successfully.' })).toBeVisible();
});
