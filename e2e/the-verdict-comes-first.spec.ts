import { enterLeaves } from '#test/leaves.ts';
import { newPerson } from './people.ts';
import { expect, hydrated, runEffectsLate, test } from './registry.ts';
import { newRego } from './vehicles.ts';
import { recordSet, truck } from './visits.ts';

for (const [rego, word, sentence] of [
  ['XV04KL', 'Valid', /^Next calibration due on /],
  ['XV23GH', 'Due soon', /^Valid today\. Next calibration due today\.$/],
  ['XV31PC', 'Due soon', /^Valid today\. Next calibration due tomorrow\.$/],
  ['XV27BD', 'Overdue', /^Not valid today\. Calibration was due on .* days? ago\.$/],
  ['XV38MN', 'Not validated', /^Not valid today\. Calibrations are recorded, but none has been validated\.$/],
  ['XV52TR', 'Never calibrated', /^Not valid today\. No calibration has been recorded for this vehicle\.$/],
] as const)
  test(`${rego} is ${word}`, async ({ page }) => {
    await page.goto(`/vehicles/view/${rego}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Scale calibration of ${rego}: ${word}`);
    await expect(page.getByText(sentence)).toBeVisible();
  });

test('a verdict that is opened has the focus, with the keyboard and with the mouse', async ({ page }) => {
  const heading = page.getByRole('heading', { level: 1 });
  for (const open of ['press', 'click'] as const) {
    await page.goto('/?q=XV04KL');
    await hydrated(page);
    const link = page.getByRole('link', { name: 'View XV04KL' });
    await (open === 'press' ? link.press('Enter') : link.click());
    await expect(heading).toHaveText('Scale calibration of XV04KL: Valid');
    await expect(heading).toBeFocused();
  }
  // Back, and on by a link that both pages have.
  await page.goBack();
  await expect(heading).toBeFocused();
  await page.getByRole('link', { name: 'How verdicts work' }).first().click();
  await expect(page).toHaveURL(/\/about/);
  await expect(heading).toBeFocused();
  // Anybody who types goes on typing.
  await page.goto('/');
  await page.getByRole('searchbox').pressSequentially('XV04KL');
  await expect(page.getByRole('link', { name: 'View XV04KL' })).toBeVisible();
  await expect(page.getByRole('searchbox')).toBeFocused();
});

test('private fields never reach a public page', async ({ page, registry }) => {
  await registry.db
    .insertInto('vehicle')
    .values({ rego: 'PRIV01', driverName: 'PRIVATE-DRIVER', notes: 'PRIVATE-NOTES' })
    .execute();
  await enterLeaves(registry.db);
  for (const address of [
    '/vehicles/view/PRIV01',
    '/?q=PRIV01',
    '/vehicles/view/PRIV01.data',
    '/api/v1/vehicles/PRIV01',
  ]) {
    const text = await (await page.request.get(address)).text();
    expect(text).toContain('PRIV01');
    expect(text).not.toMatch(/PRIVATE-|driverName|driver_name/);
  }
});

test('an unknown, a removed and an unreadable rego each say so, and offer the search', async ({
  page,
  registry,
  quiet,
}) => {
  quiet.allow(/status of 4(04|10)/);
  expect((await page.goto('/vehicles/view/NOPE99'))?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('No vehicle with rego NOPE99 is in this registry');
  await page.locator('main').getByRole('searchbox').fill('XV04');
  await page.locator('main').getByRole('button', { name: 'Search' }).click();
  await expect(page).toHaveURL('/search?q=XV04');
  await registry.db
    .updateTable('vehicle')
    .set({ deletedAt: new Date('2026-03-01T00:00:00Z') })
    .where('rego', '=', 'XV19RS')
    .execute();
  expect((await page.goto('/vehicles/view/XV19RS'))?.status()).toBe(410);
  await expect(page.getByText('It was removed on 1 March 2026.', { exact: false })).toBeVisible();
  await registry.db.updateTable('vehicle').set({ deletedAt: null }).where('rego', '=', 'XV19RS').execute();
  expect((await page.goto('/vehicles/view/%3Cscript%3E'))?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This is not a rego');
  expect((await page.goto('/calibrations/XV04KL/1'))?.status()).toBe(404);
  await expect(page.getByRole('link', { name: 'See the vehicle XV04KL' })).toBeVisible();
});

test('any spelling of a rego leads to the one address', async ({ page }) => {
  await page.goto('/vehicles/view/xv-04%20kl');
  await expect(page).toHaveURL('/vehicles/view/XV04KL');
});

test('an address that is no page says Unexpected Application Error!', async ({ page, quiet }) => {
  quiet.allow(/status of 404/);
  expect((await page.goto('/no/such/page'))?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unexpected Application Error!');
  await expect(page.getByText('404 Not Found')).toBeVisible();
  await expect(page.getByText(/^Request [0-9a-f-]{36}$/)).toBeVisible();
});

test('the gallery opens, steps and closes by mouse and by keyboard', async ({ page }) => {
  await page.goto('/vehicles/view/XV04KL');
  await hydrated(page);
  await page.getByText('Hide images').click();
  await expect(page.getByRole('img', { name: 'XV04KL, 1 of 4' })).toBeHidden();
  await page.getByText('Show images').click();
  await page.getByRole('link', { name: 'XV04KL, 1 of 4' }).click();
  const dialog = page.getByRole('dialog', { name: /Image \d of 4/ });
  await expect(dialog).toContainText('Image 1 of 4');
  await expect(dialog.getByRole('link', { name: 'Previous' })).toHaveAttribute('aria-disabled', 'true');
  expect(await dialog.evaluate((element) => element.matches(':modal'))).toBe(true);
  await dialog.getByRole('link', { name: 'Next' }).click();
  await expect(dialog).toContainText('Image 2 of 4');
  await page.keyboard.press('ArrowRight');
  await expect(dialog).toContainText('Image 3 of 4');
  await page.keyboard.press('ArrowRight');
  await expect(dialog).toContainText('Image 4 of 4');
  await page.keyboard.press('ArrowRight');
  await expect(dialog).toContainText('Image 4 of 4');
  await expect(dialog.getByRole('link', { name: 'Next' })).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('ArrowLeft');
  await expect(dialog).toContainText('Image 3 of 4');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL('/vehicles/view/XV04KL');
  await expect(page.getByRole('link', { name: 'XV04KL, 3 of 4' })).toBeFocused();
  // Opened by its address, it is modal at once: `hydrated` asks it.
  await runEffectsLate(page);
  await page.goto('/vehicles/view/XV04KL?image=2', { waitUntil: 'commit' });
  await hydrated(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('link', { name: 'XV04KL, 2 of 4' })).toBeFocused();
});

test('a vehicle prints on both sides of one sheet with its lines, its entry in the log, and a code that leads back', async ({
  page,
  registry,
}) => {
  const axles = ['STEER', 'DRIVE', 'TRAILERA', 'TRAILERB'] as const;
  const rego = await truck(registry, newRego(), axles.join(' '));
  const who = await newPerson(registry, 'technician');
  for (const daysAgo of [200, 20]) await recordSet(registry, who, rego, daysAgo, { axles });
  for (const printed of ['XV04KL', rego]) {
    await page.emulateMedia({ media: null });
    await page.goto(`/vehicles/view/${printed}`);
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(2);
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('img', { name: 'QR code of this page' })).toBeVisible();
    await expect(page.getByText('In the public log', { exact: true })).toBeVisible();
    await expect(page.getByText(`${registry.url}/log/entries/`)).toBeVisible();
    await expect(page.getByRole('searchbox')).toBeHidden();
  }
});
