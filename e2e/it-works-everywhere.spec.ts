import { newPerson, signInAs } from './people.ts';
import { expect, hydrated, test } from './registry.ts';

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('one searches, reads a vehicle, looks at its images and a reading', async ({ page }) => {
    await page.goto('/');
    for (const name of ['Admin Login', 'Tech Login', 'Tech Register'])
      await expect(page.getByRole('link', { name })).toBeVisible();
    await page.getByLabel('Search by Rego/VIN...').fill('fm2pa1');
    await page.getByRole('button', { name: 'Search' }).click();
    await expect(page).toHaveURL('/?q=fm2pa1');
    await page.getByRole('link', { name: 'View XV04KL' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Scale calibration of XV04KL: Valid');
    await page.getByRole('link', { name: 'XV04KL, 2 of 4' }).click();
    await expect(page.getByRole('dialog')).toContainText('Image 2 of 4');
    await page.getByRole('dialog').getByRole('link', { name: 'Next' }).click();
    await expect(page.getByRole('dialog')).toContainText('Image 3 of 4');
    await page.getByRole('dialog').getByRole('link', { name: 'Close' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page
      .getByRole('link', { name: /^Drive, Loaded Weight/ })
      .first()
      .click();
    await expect(page.getByRole('heading', { name: 'Calibration entry' })).toBeVisible();
    await page.getByRole('searchbox', { name: 'Search by Rego...' }).fill('XV27');
    await page.getByRole('searchbox', { name: 'Search by Rego...' }).press('Enter');
    await expect(page).toHaveURL('/search?q=XV27');
    await page.getByRole('link', { name: 'How verdicts work' }).click();
    await expect(page.getByRole('heading', { name: 'How verdicts work' })).toBeVisible();
  });
});

for (const width of [320, 390, 825, 1280])
  test(`no page scrolls sideways at ${width} px`, async ({ page, quiet }) => {
    quiet.allow(/status of 404/);
    await page.setViewportSize({ width, height: 844 });
    for (const address of [
      '/',
      '/?q=XV',
      '/?q=ZZZZ9',
      '/search',
      '/about',
      '/contact',
      '/vehicles/view/XV04KL',
      '/vehicles/view/XV04KL?image=1',
      '/vehicles/view/XV52TR',
      '/vehicles/view/NOPE99',
      '/none',
    ]) {
      await page.goto(address);
      expect([address, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([address, width]);
    }
  });

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('a row has the verdict beside the rego and the hidden columns under it, and every target is large enough', async ({
    page,
  }) => {
    await page.goto('/?q=XV04');
    await expect(page.getByRole('columnheader')).toHaveText(['Rego', 'Action']);
    const row = page.getByRole('rowheader', { name: /XV04KL/ });
    for (const text of [
      'Valid',
      'VIN 6T9HZ8FM2PA100418',
      'Serial LC-40 221907',
      // 587 days after the day on which the demo was made.
      /^Warranty \d{1,2} [A-Z][a-z]{2} \d{4}$/,
      'View certificate',
    ])
      await expect(row.getByText(text, { exact: true })).toBeVisible();
    for (const address of ['/', '/?q=XV04', '/vehicles/view/XV04KL']) {
      await page.goto(address);
      const small = await page
        .locator('a:visible, button:visible, input:visible')
        .evaluateAll((elements) =>
          elements
            .filter((element) => element.getBoundingClientRect().height < 44 && !element.matches('.sr-only, p a, dd a'))
            .map((element) => element.outerHTML.slice(0, 90)),
        );
      expect([address, small]).toEqual([address, []]);
    }
  });
});

test('React arrives late and whole: nothing is preloaded, the bundle wakes at the first touch', async ({ page }) => {
  const html = await (await page.request.get('/vehicles/view/XV04KL')).text();
  expect(html).not.toContain('modulepreload');
  expect(html).not.toMatch(/<script[^>]*type="module"/);
  expect(
    html.match(
      /<script[^>]*id="late-module"[^>]*type="text\/plain"|<script[^>]*type="text\/plain"[^>]*id="late-module"/g,
    ),
  ).toHaveLength(1);
  expect(html).toContain('<script src="/late.js" defer=""></script>');
  await page.goto('/vehicles/view/XV04KL');
  await hydrated(page);
});

test('no page tries what the Content-Security-Policy forbids', async ({ page, registry }) => {
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      document.documentElement.dataset['forbidden'] = `${violatedDirective} ${blockedURI}`;
    });
  });
  await signInAs(page, await newPerson(registry, 'admin'));
  for (const address of [
    '/',
    '/vehicles/view/XV04KL?calibrate',
    '/vehicles/new',
    '/settings/policy',
    '/field',
    '/settings',
  ]) {
    await page.goto(address);
    await hydrated(page);
    expect([address, await page.locator('html').getAttribute('data-forbidden')]).toEqual([address, null]);
  }
});
