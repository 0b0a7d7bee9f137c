import { chromium } from '@playwright/test';
const [base, ...pages] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
for (const width of [390, 1280]) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, baseURL: base });
  const page = await context.newPage();
  if (pages.some((p) => p.startsWith('+'))) {
    await page.goto('/login');
    await page.getByLabel('Email').fill('mia.kowalski@registry.example');
    await page.getByLabel('Password', { exact: true }).fill('gravel weighs more wet');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.waitForURL('**/dashboard');
  }
  for (const [i, p] of pages.entries()) {
    await page.goto(p.replace(/^\+/, ''));
    await page.waitForTimeout(400);
    await page.screenshot({ path: `/tmp/paper-shot-${i}-${width}.png`, fullPage: true });
  }
  await context.close();
}
await browser.close();
