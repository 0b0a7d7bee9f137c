import { newFinding } from '#test/findings.ts';
import { newPerson, signInAs } from './people.ts';
import { expect, hydrated, test } from './registry.ts';
import { recordSet, truck } from './visits.ts';

test('an administrator sees what a pattern found, the technician answers, and it is decided', async ({
  browser,
  registry,
}) => {
  const technician = await newPerson(registry, 'technician', { name: 'Pat Tern' });
  const admin = await newPerson(registry, 'admin', { name: 'Mia Looks' });
  const visitIds: string[] = [];
  for (const daysAgo of [100, 2]) {
    const recorded = await recordSet(registry, technician, await truck(registry), daysAgo, { nudge: 119 + daysAgo });
    if (recorded.recorded) visitIds.push(recorded.setId);
  }
  const id = await newFinding(registry.db, technician.personId, { visitIds, pattern: 'copied-axle-sets' });
  const office = await (await browser.newContext({ baseURL: registry.url })).newPage();
  await signInAs(office, admin);
  await office.goto('/patterns?q=pat+tern');
  await hydrated(office);
  await office.getByRole('link', { name: 'Copied axle sets' }).click();
  await expect(office.getByRole('heading', { name: 'Copied axle sets' })).toBeVisible();
  await expect(office.getByRole('img', { name: /^The lines of / })).toBeVisible();
  if (process.env['SHOTS']) await office.screenshot({ path: '/tmp/finding-1280.png', fullPage: true });
  await expect(office.getByRole('table')).toContainText('Pat Tern');
  await office.getByLabel('What comes of it').selectOption('Explained');
  await expect(office.getByRole('option', { name: 'Technician suspended' })).toHaveCount(0);
  await office.getByRole('button', { name: 'Ask', exact: true }).click();
  await expect(office.getByText('An answer is waited for until')).toBeVisible();

  const phone = await (
    await browser.newContext({ baseURL: registry.url, viewport: { width: 390, height: 844 } })
  ).newPage();
  await signInAs(phone, technician);
  await phone.goto('/my-patterns');
  await hydrated(phone);
  await phone.getByRole('link', { name: 'Copied axle sets' }).click();
  await expect(phone.getByRole('heading', { name: 'Copied axle sets' })).toBeVisible();
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await phone.getByRole('button', { name: 'Send the answer' }).click();
  await expect(phone.getByText('Write your answer.')).toBeVisible();
  await phone.getByLabel('What explains it').fill('Two identical trucks, one after the other.');
  await phone.getByRole('button', { name: 'Send the answer' }).click();
  await expect(phone.getByText('Your answer is sent.')).toBeVisible();
  if (process.env['SHOTS']) await phone.screenshot({ path: '/tmp/my-finding-390.png', fullPage: true });

  // It is on the open page of the office at once.
  await expect(office.getByText('Two identical trucks, one after the other.')).toBeVisible();
  await office.getByLabel('What comes of it').selectOption('Technician suspended');
  await office.getByLabel('Why').fill('The trucks are of different makes.');
  await office.getByRole('button', { name: 'Decide' }).click();
  await expect(office.getByRole('link', { name: 'Suspend the technician' })).toBeVisible();
  await office.goto('/patterns');
  await hydrated(office);
  if (process.env['SHOTS']) await office.screenshot({ path: '/tmp/findings-1280.png', fullPage: true });
  const opened = await registry.db
    .selectFrom('activityLog')
    .select('kind')
    .where('subjectId', '=', id)
    .orderBy('index')
    .execute();
  expect(opened.map(({ kind }) => kind)).toEqual([
    'pattern.opened',
    'pattern.asked',
    'pattern.answered',
    'pattern.decided',
  ]);
});

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
