// A registry in which nobody can sign in yet, and which requires a second factor of admins.
import { execFile } from 'node:child_process';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { offerSetup } from '#app/sign-in/set-up-registry.server.ts';
import { codeFor } from '#test/one-time-codes.ts';
import { fillSignIn, PASSWORD } from './people.ts';
import { expect, hydrated, test } from './registry.ts';

test.use({ settings: { REQUIRE_ADMIN_2FA: 'on' } });
// One after the other, on one registry.
test.describe.configure({ mode: 'default' });
const EMAIL = 'first@registry.example';

test('the printed link makes the first administrator, once, who sets up the required second factor and signs in with it', async ({
  page,
  registry,
  quiet,
}) => {
  quiet.allow(/400|401|410/);
  const link = `/setup?link=${await offerSetup(registry.db)}`;
  await page.goto(link);
  await hydrated(page);
  await page.getByLabel('Email').fill(EMAIL);
  await page.getByLabel('Name').fill('Robin First');
  await fillNewPassword(page, PASSWORD, 'not the same one');
  await page.getByRole('button', { name: 'Set up' }).click();
  await expect(page.getByText('The two passwords differ.')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(EMAIL);
  await fillNewPassword(page, PASSWORD, PASSWORD);
  await page.getByRole('button', { name: 'Set up' }).click();

  await expect(page.getByText('This registry requires a second factor of every admin.')).toBeVisible();
  await page.goto('/my-profile');
  await expect(page).toHaveURL(/\/settings\/second-factor\?to=/);
  await page.getByLabel('Current password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Begin' }).click();
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  const key = ((await page.getByText('Or type the key:').locator('span').textContent()) ?? '').replaceAll(' ', '');
  await page.getByRole('textbox', { name: 'Code' }).fill('000000');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('This code does not match.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Code' }).fill(await codeFor(key));
  await page.getByRole('button', { name: 'Confirm' }).click();
  const codes = page.getByRole('region', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const recovery = (await codes.first().textContent()) ?? '';
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
  await page.getByRole('button', { name: 'Logout' }).click();

  await page.waitForURL('**/login');
  await page.goto('/login?to=%2Fsettings');
  await fillSignIn(page, EMAIL);
  await expect(page).toHaveURL(/\/second-factor\?to=%2Fsettings$/);
  await page.getByRole('textbox', { name: 'Code' }).fill('123456');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('This code does not match.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Code' }).fill(recovery);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page).toHaveURL(/\/settings$/);

  // The password alone is not enough, and a recovery code that was used to sign in is spent.
  await page.goto('/settings/second-factor');
  for (const [code, answer] of [
    [recovery, page.getByText('This code does not match.')],
    [await codeFor(key, 1), page.getByRole('heading', { name: 'Recovery codes' })],
  ] as const) {
    await page.getByLabel('Current password', { exact: true }).fill(PASSWORD);
    await page.getByRole('textbox', { name: 'Code' }).fill(code);
    await page.getByRole('button', { name: 'Make new recovery codes' }).click();
    await expect(answer).toBeVisible();
  }
  await expect(page.getByText(recovery)).toBeHidden();

  await page.goto(link);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link no longer works');
});

test('create-admin works beside the running server', async ({ page, registry }) => {
  const run = (env: Record<string, string>, ...args: string[]) =>
    new Promise<{ code: number; said: string }>((resolve) => {
      execFile(
        process.execPath,
        [path.resolve(import.meta.dirname, '../commands/create-admin.ts'), ...args],
        { env: { ...process.env, DATABASE_URL: '', DATA_DIR: registry.dataDir, ...env } },
        (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), said: stdout + stderr }),
      );
    });
  const args = ['--email', 'Ops@Registry.example', '--name', 'Ops'];
  expect(await run({ ADMIN_PASSWORD: 'short' }, ...args)).toMatchObject({
    code: 1,
    said: expect.stringContaining('Use at least 8 characters.'),
  });
  expect(await run({ ADMIN_PASSWORD: 'password123' }, ...args)).toMatchObject({
    code: 1,
    said: expect.stringContaining('easy to guess'),
  });
  expect(await run({ ADMIN_PASSWORD: '' }, ...args)).toMatchObject({
    code: 1,
    said: expect.stringContaining('ADMIN_PASSWORD'),
  });
  expect(await run({ ADMIN_PASSWORD: PASSWORD }, '--name', 'Ops')).toMatchObject({ code: 1 });
  expect(await run({ ADMIN_PASSWORD: PASSWORD }, ...args)).toMatchObject({
    code: 0,
    said: expect.stringContaining('ops@registry.example can now sign in at'),
  });
  expect(await run({ ADMIN_PASSWORD: PASSWORD }, ...args)).toMatchObject({
    code: 1,
    said: expect.stringContaining('already has a password'),
  });
  await page.goto('/login');
  await fillSignIn(page, 'ops@registry.example');
  await expect(page).toHaveURL(/\/settings\/second-factor|\/dashboard/);
});

async function fillNewPassword(page: Page, password: string, again: string): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('New password again', { exact: true }).fill(again);
}
