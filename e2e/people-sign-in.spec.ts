import type { Page } from '@playwright/test';
import { expect, hydrated, test, toast } from './registry.ts';
import { linkFor } from './mails.ts';
import { fillSignIn, newPerson, PASSWORD, signInAs } from './people.ts';

for (const [where, role] of [
  ['/login', 'admin'],
  ['/tech-login', 'technician'],
  ['/login', 'technician'],
  ['/tech-login', 'admin'],
] as const)
  test(`a ${role} signs in at ${where}, sees their own sidebar, and logs out`, async ({ page, registry }) => {
    const person = await newPerson(registry, role);
    await page.goto(where);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(where === '/login' ? 'Admin Login' : 'Tech Login');
    await expect(page.getByRole('link', { name: 'Go Back' })).toHaveAttribute('href', '/');
    await expect(page.getByRole('link', { name: 'Forgot password?' })).toHaveAttribute('href', '/reset');
    await hydrated(page);
    await fillSignIn(page, person.email);
    await page.waitForURL('**/dashboard');
    await expect(toast(page, 'login success')).toBeVisible();
    const links = page.getByRole('navigation', { name: 'Back office' }).getByRole('link');
    await expect(links.filter({ hasText: 'Dashboard' })).toHaveAttribute('aria-current', 'page');
    await expect(page.getByRole('link', { name: person.name })).toBeVisible();
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL('**/login');
    await expect(toast(page, 'Logged out successfully!')).toBeVisible();
    await page.goto('/dashboard');
    await expect(page).toHaveURL(/\/login\?to=%2Fdashboard$/);
  });

test('a wrong password is told in an info toast, and the email is kept', async ({ page, registry, quiet }) => {
  quiet.allow(/401/);
  const person = await newPerson(registry, 'admin');
  await page.goto('/login');
  await hydrated(page);
  await fillSignIn(page, person.email, 'not my password');
  await expect(toast(page, 'Email and password does not match.')).toHaveClass(/toast-info/);
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(person.email);
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dashboard');
});

for (const width of [320, 390, 768, 1280])
  test(`a toast takes the place of another of its kind, covers no heading and moves nothing, ${width} px wide`, async ({
    page,
    registry,
    quiet,
  }) => {
    quiet.allow(/401/);
    const person = await newPerson(registry, 'admin');
    await page.setViewportSize({ width, height: 844 });
    await page.clock.install();
    await page.goto('/login');
    await hydrated(page);
    // However long the tries take, no toast goes by itself meanwhile.
    await page.clock.pauseAt(Date.now() + 60_000);
    const heading = page.getByRole('heading', { level: 1 });
    const placed = await heading.boundingBox();
    for (let time = 0; time < 3; time += 1) {
      const answered = page.waitForResponse((response) => response.request().method() === 'POST');
      await fillSignIn(page, person.email, 'not the password');
      await answered;
    }
    await expect(page.locator('.toast:visible')).toHaveCount(1);
    await page.waitForTimeout(500);
    await expect(page.locator('.toast')).toHaveCount(1);
    expect(await coveredHeadings(page)).toEqual([]);
    expect(await heading.boundingBox()).toEqual(placed);
    await page.clock.resume();
    await fillSignIn(page, person.email);
    await page.waitForURL('**/dashboard');
    await expect(toast(page, 'login success')).toBeVisible();
    await expect(page.locator('.toast')).toHaveCount(1);
    expect(await coveredHeadings(page)).toEqual([]);
    await expect(page.locator('.toast')).toHaveCount(0, { timeout: 15_000 });
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
  });

/** The headings whose words lie under a toast. */
function coveredHeadings(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const wordsOf = (element: Element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return range.getBoundingClientRect();
    };
    const toasts = [...document.querySelectorAll('.toast')].map((element) => element.getBoundingClientRect());
    return [...document.querySelectorAll('h1, h2')]
      .filter((heading) => {
        const words = wordsOf(heading);
        return toasts.some(
          (box) => words.left < box.right && box.left < words.right && words.top < box.bottom && box.top < words.bottom,
        );
      })
      .map((heading) => heading.textContent);
  });
}

test('a toast stays five seconds, and longer while it is pointed at', async ({ page, registry }) => {
  await page.clock.install();
  await page.goto('/login');
  await hydrated(page);
  await fillSignIn(page, (await newPerson(registry, 'admin')).email);
  const message = toast(page, 'login success');
  await expect(message).toBeVisible();
  await page.clock.runFor(4000);
  await expect(message).toBeVisible();
  await message.hover();
  await page.clock.runFor(20_000);
  await expect(message).toBeVisible();
  await page.mouse.move(10, 700);
  await page.clock.runFor(5500);
  await expect(message).toBeHidden();
});

test('one comes back to the page that asked for the sign-in', async ({ page, registry }) => {
  const person = await newPerson(registry, 'technician');
  await page.goto('/settings');
  await expect(page).toHaveURL(/\/login\?to=%2Fsettings$/);
  await fillSignIn(page, person.email);
  await page.waitForURL('**/settings');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings');
});

test('a password that somebody else typed is replaced before anything opens', async ({ page, registry, quiet }) => {
  quiet.allow(/400/);
  const person = await newPerson(registry, 'technician', { mustChange: true });
  await page.goto('/tech-login?to=%2Fmy-profile');
  await fillSignIn(page, person.email);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Choose your own password');
  await page.goto('/settings');
  await expect(page).toHaveURL(/\/new-password\?to=%2Fsettings$/);
  await hydrated(page);
  await page.getByLabel('Current password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('New password', { exact: true }).fill('iloveyou1');
  await page.getByLabel('New password again', { exact: true }).fill('iloveyou1');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('This password is easy to guess.')).toBeVisible();
  await page.getByLabel('Current password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('New password', { exact: true }).fill('only mine from now on');
  await page.getByLabel('New password again', { exact: true }).fill('only mine from now on');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.waitForURL('**/settings');
});

test('a forgotten password is set again by the link in the mail, and all sessions end', async ({
  page,
  browser,
  registry,
  quiet,
}) => {
  quiet.allow(/410/);
  const person = await newPerson(registry, 'admin');
  const elsewhere = await browser.newContext({ baseURL: registry.url });
  await signInAs(await elsewhere.newPage(), person);
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await hydrated(page);
  await page.getByLabel('Email').fill(person.email.toUpperCase());
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await expect(
    page.getByText('An email has been sent to your email address with instructions to reset your password.'),
  ).toBeVisible();
  await expect(page.getByRole('link', { name: 'Back to login' })).toHaveAttribute('href', '/login');
  const link = await linkFor(registry.dataDir, person.email);
  await page.goto(new URL(link).pathname);
  await page.getByLabel('New password', { exact: true }).fill('quite another phrase');
  await page.getByLabel('New password again', { exact: true }).fill('quite another phrase');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.waitForURL('**/login');
  await fillSignIn(page, person.email, 'quite another phrase');
  await page.waitForURL('**/dashboard');
  await page.goto(new URL(link).pathname);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link no longer works');
  const other = elsewhere.pages()[0];
  await other?.goto('/dashboard');
  expect(other?.url()).toContain('/login');
  await elsewhere.close();
});

test('an open page of a session that ends elsewhere is led to the sign-in within a second or so', async ({
  page,
  registry,
}) => {
  const person = await newPerson(registry, 'admin');
  await signInAs(page, person);
  await page.goto('/my-profile');
  await hydrated(page);
  await page.waitForTimeout(500);
  await registry.db.deleteFrom('session').where('userId', '=', person.personId).execute();
  await page.waitForURL(/\/login\?to=%2Fmy-profile/);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the drawer of the back office opens on a phone', async ({ page, registry }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await signInAs(page, await newPerson(registry, 'admin'));
    await page.goto('/dashboard');
    const link = page.locator('#sidebar').getByRole('link', { name: 'My Profile' });
    await expect(link).toBeHidden();
    await page.getByRole('button', { name: 'Menu' }).click();
    await link.click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Profile');
  });
});
