// Anybody asks what the registry said of a truck on a day that is over. The registry has a clock that is two days
// ahead, so that the demo’s first day is over.
import { expect, hydrated, test } from './registry.ts';

const AHEAD = `const D = Date; const by = 2 * 864e5; globalThis.Date = class extends D {
  constructor(...given) { given.length === 0 ? super(D.now() + by) : super(...given); }
  static now() { return D.now() + by; } };`;
test.use({ settings: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(AHEAD)}` } });
test.describe.configure({ mode: 'default' });

const DAY = new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney' }).format(new Date());

for (const scripts of ['with scripts', 'without scripts'] as const)
  test.describe(scripts, () => {
    test.use({ viewport: { width: 390, height: 844 }, javaScriptEnabled: scripts === 'with scripts' });
    test(`on a phone ${scripts}, it is marked as of the past, and leads back to today`, async ({ page, quiet }) => {
      quiet.allow(/404/);
      await page.goto('/vehicles/view/XV04KL');
      if (scripts === 'with scripts') await hydrated(page);
      await page.getByLabel('What did the registry say on').fill(DAY);
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      await page.waitForURL(`**/vehicles/on/${DAY}/XV04KL`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('It said “Valid”');
      await expect(page.getByText('The past: what the registry said on')).toBeVisible();
      await expect(page.getByText('This is not today’s answer.')).toBeVisible();
      await expect(page.getByText('At the end of that day the registry said: next calibration due')).toBeVisible();
      await expect(page.locator('.verdict-valid, .verdict-overdue, .verdict-due-soon')).toHaveCount(0);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
      await page.getByLabel('Another day').fill('2020-01-01');
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('No answer for that day');
      await page.getByRole('link', { name: 'First day:' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('It said “Valid”');
      await page.getByRole('link', { name: 'See today’s answer' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Scale calibration of XV04KL: Valid');
    });

    test(`${scripts}, a list and a combination take the day`, async ({ page }) => {
      await page.goto('/check');
      if (scripts === 'with scripts') await hydrated(page);
      await page.getByLabel('Regos or VINs').fill('XV04KL\nXV27BD');
      await page.getByLabel('On a day that is over').fill(DAY);
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      await expect(page.getByText('the past, not today’s answer')).toBeVisible();
      await expect(page.getByText('It said “Valid”').first()).toBeVisible();
      await page.goto(`/combination?unit=XV04KL&on=${DAY}`);
      await expect(page.getByRole('heading', { level: 1 })).toContainText('It said “Valid”');
    });
  });

test('the proof and the PDF are files', async ({ request }) => {
  const proof = await request.get(`/api/v1/vehicles/XV04KL/on/${DAY}/proof`);
  // Until an entry of a later day is signed it is not there yet.
  expect([200, 503]).toContain(proof.status());
  const pdf = await request.get(`/vehicles/report/XV04KL-on-${DAY}.pdf`);
  expect([pdf.status(), pdf.headers()['content-type']]).toEqual([200, 'application/pdf']);
});
