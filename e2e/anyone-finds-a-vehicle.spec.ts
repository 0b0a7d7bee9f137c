import { expect, hydrated, runEffectsLate, test } from './registry.ts';

test('by part of a rego, as one types, with the text in the address', async ({ page }) => {
  await page.goto('/');
  await hydrated(page);
  await page.getByLabel('Search by Rego/VIN...').pressSequentially('xv-04');
  await expect(page.getByRole('heading', { name: '1 vehicle matches “xv-04”' })).toBeVisible();
  await expect(page).toHaveURL('/?q=xv-04');
  await expect(page.getByRole('columnheader')).toHaveText([
    'Rego',
    'VIN',
    'Warranty Expiry',
    'Scale Serial Number',
    'Valid Calibration',
    'Certificate',
    'Action',
  ]);
  await expect(page.getByRole('row', { name: /XV04KL/ })).toContainText('Valid');
  await page.getByLabel('Search by Rego/VIN...').press('Enter');
  await expect(page.getByLabel('Search by Rego/VIN...')).toBeFocused();
  await expect(page).toHaveURL('/?q=xv-04');
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Is this truck’s scale calibration valid?' })).toBeVisible();
  await expect(page.getByLabel('Search by Rego/VIN...')).toHaveValue('');
});

test('by the middle of its VIN, and then reads the verdict, the evidence and one reading', async ({ page }) => {
  await page.goto('/?q=FM2PA10');
  await page.getByRole('link', { name: 'View XV04KL' }).click();
  await expect(page).toHaveURL('/vehicles/view/XV04KL');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Scale calibration of XV04KL: Valid');
  await expect(page.getByText(/^As at \w+day \d{1,2} \w+ 20\d\d, \d{1,2}:\d\d [ap]m AE[DS]T$/)).toBeVisible();
  await expect(page.getByText(/^Next calibration due on .*, in \d+ days\.$/)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Calibration History' })).toBeVisible();
  await page.getByRole('link', { name: 'Steer, Empty Volt: 0.84 V' }).first().click();
  await expect(page.getByRole('heading', { name: 'Calibration entry' })).toBeVisible();
  await expect(page.getByText('0.84 V')).toBeVisible();
  await page.getByRole('link', { name: 'Go Back' }).click();
  await expect(page).toHaveURL('/vehicles/view/XV04KL');
});

test('or is told what was searched when nothing is found, or nothing can be searched', async ({ page }) => {
  await page.goto('/?q=ZZ0I9Q');
  await expect(page.getByRole('heading', { name: 'No vehicle matches “ZZ0I9Q”' })).toBeVisible();
  await expect(page.getByText('Check for O and 0, or I and 1.')).toBeVisible();
  await page.goto('/?q=%25%5F');
  await expect(page.getByText('“%_” has no letters or digits.', { exact: false })).toBeVisible();
  await page.getByRole('link', { name: 'Clear search' }).click();
  await expect(page).toHaveURL('/');
});

test('or is asked whether a rego that looks like it was meant, with and without scripts', async ({ page, browser }) => {
  await page.goto('/');
  await hydrated(page);
  await page.getByLabel('Search by Rego/VIN...').fill('xvo4kl');
  await expect(page.getByRole('heading', { name: 'No vehicle matches “xvo4kl”' })).toBeVisible();
  await expect(page.getByText('Did you mean XV04KL?')).toBeVisible();
  await expect(page.getByRole('table')).toHaveCount(0);
  await page.getByRole('link', { name: 'XV04KL' }).click();
  await expect(page).toHaveURL('/vehicles/view/XV04KL');
  const plain = await browser.newContext({ javaScriptEnabled: false });
  const without = await plain.newPage();
  for (const address of ['/search?q=XV0K4L', '/vehicles/view/XVO4KL']) {
    await without.goto(new URL(address, page.url()).href);
    await expect(without.getByText('Did you mean XV04KL?')).toBeVisible();
    await expect(without.getByRole('link', { name: 'XV04KL' })).toHaveAttribute('href', '/vehicles/view/XV04KL');
  }
  await plain.close();
});

test('page by page to the end', async ({ page }) => {
  await page.goto('/?q=XV');
  await expect(page.getByText('Page 1 of 2')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Previous' })).toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page.getByText('Page 2 of 2')).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(4);
  await expect(page.getByRole('link', { name: 'Next' })).toHaveAttribute('aria-disabled', 'true');
  await page.goto('/?q=XV&page=99');
  await expect(page.getByText('Page 2 of 2')).toBeVisible();
});

test('through the search header of any other page', async ({ page }) => {
  await page.goto('/vehicles/view/XV04KL');
  await hydrated(page);
  const box = page.getByRole('searchbox', { name: 'Search by Rego...' });
  await expect(box).toHaveAttribute('placeholder', 'Search by Rego...');
  await box.fill('xv1');
  await box.press('Enter');
  await expect(page).toHaveURL('/search?q=xv1');
  await expect(page.getByRole('searchbox', { name: 'Search by Rego...' })).toHaveValue('xv1');
  expect(await page.evaluate(() => JSON.stringify(window.history.state))).toContain('"q":"xv1"');
  await page.getByRole('searchbox', { name: 'Search by Rego...' }).fill('xv27');
  await expect(page.getByRole('heading', { name: '1 vehicle matches “xv27”' })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search by Rego...' }).press('Enter');
  await expect(page).toHaveURL('/search?q=xv27');
  await expect(page.getByRole('searchbox', { name: 'Search by Rego...' })).toBeFocused();
});

test('what is typed while the results load goes on in their search box', async ({ page }) => {
  await page.goto('/vehicles/view/XV04KL');
  await hydrated(page);
  await page.route('**/search.data?**', async (route) => {
    if (new URL(route.request().url()).searchParams.get('q') === 'xv1') await page.keyboard.type('1qt');
    await route.continue();
  });
  const box = page.getByRole('searchbox', { name: 'Search by Rego...' });
  await box.fill('xv1');
  await box.press('Enter');
  await expect(page.getByRole('heading', { name: '1 vehicle matches “xv11qt”' })).toBeVisible();
  await expect(box).toBeFocused();
  await expect(box).toHaveValue('xv11qt');
});

test('an empty /search shows a hint and no rows', async ({ page }) => {
  await page.goto('/search');
  await expect(page.getByRole('heading', { name: 'Type a rego or a VIN, or part of one' })).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(0);
});

test('by keyboard alone', async ({ page }) => {
  await page.goto('/');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Search by Rego/VIN...')).toBeFocused();
  await page.keyboard.type('XV27BD');
  await expect(page.getByRole('heading', { name: '1 vehicle matches “XV27BD”' })).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'XV27BD', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Scale calibration of XV27BD: Overdue');
});

test('text typed before React has arrived stays, and is searched', async ({ page, registry }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/entry.client*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(registry.url);
  await page.getByLabel('Search by Rego/VIN...').pressSequentially('XV38');
  await expect(page).toHaveURL('/');
  release();
  await expect(page.getByRole('heading', { name: '1 vehicle matches “XV38”' })).toBeVisible();
  await expect(page.getByLabel('Search by Rego/VIN...')).toBeFocused();
  await expect(page.getByLabel('Search by Rego/VIN...')).toHaveValue('XV38');
});

test('a link that is clicked just after typing wins over the search', async ({ page }) => {
  await runEffectsLate(page);
  await page.goto('/?q=XV');
  await hydrated(page);
  await page.route('**/*.data*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 400));
    await route.continue();
  });
  const box = page.getByRole('searchbox');
  for (const ms of [0, 40, 80, 120, 145]) {
    await box.press('End');
    await page.keyboard.type('0');
    await page.waitForTimeout(ms);
    await page
      .getByRole('link', { name: /^View XV/ })
      .first()
      .dispatchEvent('click');
    await page.waitForURL('**/vehicles/view/*');
    // Longer than the search would have waited.
    await page.waitForTimeout(300);
    expect(page.url(), `${ms} ms`).toContain('/vehicles/view/');
    await page.goBack();
    await expect(page.getByRole('heading', { name: /match “XV”/ })).toBeVisible();
  }
  await box.press('End');
  await page.keyboard.type('0');
  await page.getByRole('link', { name: 'Next' }).dispatchEvent('click');
  await expect(page.getByText(/^Page 2 of/)).toBeVisible();
  await expect(box).toHaveValue('XV');
  await box.press('End');
  await page.keyboard.type('04');
  await expect(page.getByRole('heading', { name: /“XV04”/ })).toBeVisible();
});
