// Somebody finds anything by the keyboard alone, goes along a list from a record, and sees the keys; without scripts,
// and on a phone, by the page.
import { tooWide } from './fits.ts';
import { newPerson, signInAs } from './people.ts';
import { expect, hydrated, test } from './registry.ts';
import { recordSet, truck } from './visits.ts';

test('the palette opens on any page, leads to what it finds, and gives the focus back', async ({ page, registry }) => {
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto('/settings');
  await hydrated(page);
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Find anything' });
  const box = palette.getByRole('textbox', { name: 'Find anything' });
  await expect(box).toBeFocused();
  await box.pressSequentially('xv0');
  const row = palette.getByRole('link', { name: 'XV04KL' });
  await expect(row).toBeVisible();
  // The arrows go along the rows, and a letter goes on in the box.
  await page.keyboard.press('ArrowDown');
  await expect(palette.getByRole('link').first()).toBeFocused();
  await page.keyboard.press('4');
  await expect(box).toBeFocused();
  await expect(box).toHaveValue('xv04');
  await expect(palette.getByRole('region', { name: 'Trucks' }).getByRole('link')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/vehicles/view/XV04KL');
  await expect(palette).toBeHidden();

  // Esc gives the focus back. Another dialog is not covered: somebody may have typed in it.
  const profile = page.getByRole('banner').getByRole('link').last();
  await profile.focus();
  await page.keyboard.press('Control+k');
  await expect(box).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();
  await expect(profile).toBeFocused();
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await expect(keys.getByText('Back to the list')).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(palette).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(keys).toBeHidden();
});

test('nothing found asks what was meant', async ({ page, registry }) => {
  await signInAs(page, await newPerson(registry, 'technician'));
  await page.goto('/settings');
  await hydrated(page);
  await page.keyboard.press('/');
  const palette = page.getByRole('dialog', { name: 'Find anything' });
  await palette.getByRole('textbox').fill('XV04KI');
  await expect(palette.getByText('Nothing found for “XV04KI”')).toBeVisible();
  await expect(palette.getByRole('link', { name: 'XV04KL' })).toBeVisible();
  await palette.getByRole('textbox').fill('no such thing');
  await expect(palette.getByText('Nothing found for “no such thing”')).toBeVisible();
});

test('a record leads along the list it was opened from, by J, K and U', async ({ page, registry }) => {
  const prefix = `WAY${process.pid % 1000}`;
  for (const nth of [1, 2, 3]) await truck(registry, `${prefix}X${nth}`);
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto(`/vehicles?q=${prefix}`);
  await hydrated(page);
  const bar = page.getByRole('navigation', { name: 'In the list' });
  await expect(bar).toHaveCount(0);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(bar).toContainText('1 of 3');
  await page.keyboard.press('j');
  await expect(bar).toContainText('2 of 3');
  await expect(page).toHaveURL(new RegExp(`/vehicles/view/${prefix}X2\\?from=`));
  await page.keyboard.press('j');
  await expect(bar).toContainText('3 of 3');
  await expect(bar.getByRole('link', { name: 'Next in the list' })).toHaveCount(0);
  await page.reload();
  await hydrated(page);
  await page.keyboard.press('k');
  await expect(bar).toContainText('2 of 3');
  await page.keyboard.press('u');
  await expect(page).toHaveURL(`/vehicles?q=${prefix}`);
  await expect(bar).toHaveCount(0);
});

test('the queue leads from visit to visit', async ({ page, registry }) => {
  const technician = await newPerson(registry, 'technician');
  for (const _ of [1, 2]) {
    const rego = await truck(registry);
    // Without a list of axle groups a first visit waits.
    await registry.db.updateTable('vehicle').set({ axleGroups: '' }).where('rego', '=', rego).execute();
    await recordSet(registry, technician, rego, 1);
  }
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto('/visits');
  await page.getByRole('rowheader').getByRole('link').first().click();
  const bar = page.getByRole('navigation', { name: 'In the list' });
  await expect(bar.getByRole('link', { name: 'Visits' })).toBeVisible();
  await expect(bar).toContainText(/1 of \d+/);
  await hydrated(page);
  await page.keyboard.press('j');
  await expect(bar).toContainText(/2 of \d+/);
});

for (const width of [390, 1280])
  test(`without scripts, ${width} px wide`, async ({ browser, registry }) => {
    const context = await browser.newContext({
      baseURL: registry.url,
      javaScriptEnabled: false,
      viewport: { width, height: 850 },
    });
    const page = await context.newPage();
    await signInAs(page, await newPerson(registry, 'admin'));
    await page.goto('/dashboard');
    if (width < 992) await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('navigation', { name: 'Back office' }).getByRole('link', { name: 'Find' }).click();
    const box = page.getByRole('main').getByRole('searchbox');
    await box.fill('XV');
    await box.press('Enter');
    await expect(page.getByRole('region', { name: 'Trucks' }).getByRole('link').first()).toBeVisible();
    await expect(page.getByText('Only what your role may open.')).toBeVisible();
    await page.goto('/vehicles?q=XV');
    await page.getByRole('rowheader').getByRole('link').first().click();
    const bar = page.getByRole('navigation', { name: 'In the list' });
    await expect(bar).toContainText(/^Vehicles1 of \d+/);
    await bar.getByRole('link', { name: 'Next in the list' }).click();
    await expect(bar).toContainText('2 of ');
    await bar.getByRole('link', { name: 'Vehicles' }).click();
    await expect(page).toHaveURL('/vehicles?q=XV');
    await context.close();
  });

test('the palette and the page fit a phone', async ({ page, registry }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto('/find?q=XV');
  await hydrated(page);
  expect(await tooWide(page)).toEqual([]);
  await page.goto('/settings');
  await hydrated(page);
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Find anything' });
  await palette.getByRole('textbox').fill('XV');
  await expect(palette.getByRole('region', { name: 'Trucks' }).getByRole('link').first()).toBeVisible();
  const { x = -1, width = 0, height = 0 } = (await palette.boundingBox()) ?? {};
  expect([x >= 0, x + width <= 390, height <= 844]).toEqual([true, true, true]);
  expect(await tooWide(page)).toEqual([]);
});
