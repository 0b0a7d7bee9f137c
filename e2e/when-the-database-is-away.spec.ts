// A registry of its own, whose database is taken away and given back.
import { startRegistry, type StartedRegistry } from '#test/start-registry.ts';
import { expect, hydrated, test as base } from './registry.ts';
import { newPerson, signInAs } from './people.ts';

const test = base.extend<object, { registry: StartedRegistry }>({
  registry: [
    // The runner reads a fixture's needs from its first parameter, which must be a pattern.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const registry = await startRegistry();
      await use(registry);
      await registry.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

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
  await expect(page.getByRole('alert')).toContainText('database-unavailable');
  await expect(page.getByLabel('Email')).toHaveValue('mia@registry.example');
  await expect(page.getByRole('link', { name: 'Back to login' })).toHaveAttribute('href', '/login');
  await own.restoreDatabase();
  await expect.poll(async () => (await page.request.get('/readyz')).status(), { timeout: 15_000 }).toBe(200);
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await expect(page.getByText('An email has been sent to your email address')).toBeVisible();
});
