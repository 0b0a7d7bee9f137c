import { newFinding } from '#test/findings.ts';
import { newPerson } from './people.ts';
import { expect, test } from './registry.ts';

test('anybody reads how patterns are looked for, and never who was found', async ({ page, registry }) => {
  const technician = await newPerson(registry, 'technician', { name: 'Not Named' });
  await newFinding(registry.db, technician.personId);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/patterns/method');
  await expect(page.getByRole('heading', { name: 'Never found one out' })).toBeVisible();
  await expect(page.getByText('Not Named')).toHaveCount(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  if (process.env['SHOTS']) await page.screenshot({ path: '/tmp/method-390.png' });
  expect((await page.request.get('/patterns', { maxRedirects: 0 })).status()).toBe(302);
});
