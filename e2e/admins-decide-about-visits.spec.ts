import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import { newPerson, signInAs } from './people.ts';
import { expect, hydrated, runEffectsLate, test } from './registry.ts';
import { DAY_MS, recordSet as record, truck, ZONE } from './visits.ts';

// In sequence, because all share one queue.
test.describe.configure({ mode: 'serial' });

test('a visit that a check holds back waits in the queue, with why, until an admin decides, by keys alone', async ({
  page,
  browser,
  registry,
  quiet,
}) => {
  quiet.allow(/status of 400/);
  const technician = await newPerson(registry, 'technician');
  const rego = await truck(registry);
  expect(await record(registry, technician, rego, 200)).toMatchObject({ state: 'counts' });
  const readings = { DRIVE: { loaded_weight: '9000' } };
  expect(await record(registry, technician, rego, 1, { readings })).toMatchObject({ state: 'waits' });

  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto('/visits');
  await hydrated(page);
  const row = page.getByRole('row').filter({ hasText: rego });
  await expect(row).toContainText('Agrees');
  await expect(row).toContainText('Overdue');
  await expect(page.getByRole('link', { name: /Visits \d+ waiting/ })).toBeVisible();
  await page.getByPlaceholder('Search visits...').fill(rego.toLowerCase());
  // The list may have had one row before.
  await expect(page).toHaveURL(/q=/);
  await expect(page.getByRole('rowheader')).toHaveCount(1);
  await page.locator('h1').click();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Visit of');
  await expect(page.getByRole('heading', { name: '1 of 11 checks failed' })).toBeVisible();
  await expect(page.getByText('If accepted')).toBeVisible();
  // All of it is on one screen, above the strip.
  await page.setViewportSize({ width: 1280, height: 900 });
  const strip = (await page.locator('.decision-strip').boundingBox())?.y ?? 0;
  for (const part of [
    page.getByRole('img', { name: /^Drive, / }),
    page.getByRole('table', { name: 'Readings of Drive' }),
    page.getByRole('table', { name: 'Readings of this visit' }),
    page.getByRole('region', { name: 'Weighbridge and papers' }),
    page.getByRole('region', { name: 'Share of visits that waited' }),
  ]) {
    const box = await part.boundingBox();
    expect((box?.y ?? 900) + (box?.height ?? 0)).toBeLessThan(strip);
  }

  // Without a reason nothing is decided. The key works from the moment the page is shown.
  await runEffectsLate(page);
  await page.goto(page.url(), { waitUntil: 'commit' });
  await hydrated(page);
  await page.keyboard.press('a');
  await expect(page.getByText('Choose a public reason.')).toBeVisible();

  // Another admin looks at the same visit, and decides first.
  const other = await browser.newContext({ baseURL: registry.url });
  const second = await other.newPage();
  await signInAs(second, await newPerson(registry, 'admin'));
  await second.goto(page.url());
  await hydrated(second);
  await second.getByLabel('Public reason (required)').selectOption('Weighed again with the same result');
  await second.getByLabel('Note for administrators').fill('Rang them.');
  await second.getByRole('button', { name: 'Accept' }).click();
  await expect(second.getByText('The visit counts.').first()).toBeVisible();
  await expect(page.getByText(/Accepted by Mia Kowalski/)).toBeVisible();
  const due = addDays(todayIn(ZONE, new Date(Date.now() - DAY_MS)), 182);
  const vehicle = registry.db.selectFrom('vehicle').select('nextCalibrationDueOn').where('rego', '=', rego);
  expect((await vehicle.executeTakeFirstOrThrow()).nextCalibrationDueOn).toBe(due);
  await other.close();

  // The first can still set it aside: S opens the sheet, also without a pointer.
  await page.locator('h1').click();
  await page.keyboard.press('s');
  const sheet = page.getByRole('dialog', { name: 'Set the visit aside' });
  await sheet.getByRole('button', { name: 'Set aside' }).click();
  await expect(sheet.getByText('Choose a public reason.')).toBeVisible();
  await sheet.getByLabel('Recorded on the wrong truck').check();
  await sheet.getByRole('button', { name: 'Set aside' }).click();
  await expect(page.getByText('The visit is set aside.').first()).toBeVisible();
  expect((await vehicle.executeTakeFirstOrThrow()).nextCalibrationDueOn).not.toBe(due);
});

test('an admin is not asked about a visit that they recorded', async ({ page, registry }) => {
  const admin = await newPerson(registry, 'admin');
  const rego = await truck(registry);
  // Without a list of axle groups a first visit waits.
  await registry.db.updateTable('vehicle').set({ axleGroups: '' }).where('rego', '=', rego).execute();
  await record(registry, admin, rego, 0);
  await signInAs(page, admin);
  await page.goto(`/visits?q=${rego}`);
  await expect(page.getByText('Not yours')).toBeVisible();
  await page.getByRole('rowheader').getByRole('link').click();
  await expect(page.getByText('Another administrator decides about it.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Accept' })).toHaveCount(0);
});
