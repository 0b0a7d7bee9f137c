// The cheat that visits counter: an overdue truck turns green by typing.
import { addDays, formatDay, todayIn } from '#app/platform/time/calendar.ts';
import { honestReadings } from '#test/visits.ts';
import { field, fieldsOf, fillTime } from './all-axles.ts';
import { newPerson, signInAs } from './people.ts';
import { expect, hydrated, test, toast } from './registry.ts';
import { recordSet, truck, ZONE } from './visits.ts';

test('neither one junk reading nor figures that disagree make an overdue truck valid; an admin’s decision does', async ({
  page,
  browser,
  registry,
}) => {
  const technician = await newPerson(registry, 'technician');
  const rego = await truck(registry);
  expect(await recordSet(registry, technician, rego, 200)).toMatchObject({ state: 'counts' });
  const anybody = await (await browser.newContext({ baseURL: registry.url })).newPage();
  await anybody.goto(`/vehicles/view/${rego}`);
  await hydrated(anybody);
  const verdict = anybody.getByRole('heading', { level: 1 });
  await expect(verdict).toContainText('Overdue');

  // One reading, with a due date a year ahead.
  await signInAs(page, technician);
  await page.goto(`/vehicles/view/${rego}?calibrate`);
  await hydrated(page);
  const dialog = page.getByRole('dialog', { name: 'Calibrate', exact: true });
  await dialog.getByLabel('I read this rego and VIN on the truck').check();
  await dialog.getByText('steer', { exact: true }).click();
  await dialog.locator('label').filter({ hasText: 'Empty Volt' }).click();
  await dialog.getByLabel('Value').fill('0.1');
  const today = todayIn(ZONE);
  await dialog.getByLabel('Calibration due date').fill(addDays(today, 366));
  await dialog.getByRole('button', { name: 'Add entry' }).click();
  await expect(dialog.getByText(/Open since .*: Steer 1 of 4, Drive 0 of 4\./)).toBeVisible();
  await expect(
    dialog.getByText('If you finish now, it will not count: Steer has 1 of its 4 readings, Drive 0.'),
  ).toBeVisible();
  await expect(anybody.getByRole('link', { name: '0.1 V' })).toBeVisible();
  await expect(verdict).toContainText('Overdue');
  await dialog.getByRole('button', { name: 'Finish' }).click();
  await expect(dialog.getByText('Recorded. It does not count: Steer has 1 of its 4 readings, Drive 0.')).toBeVisible();

  // A whole set that disagrees with the one before.
  await page.goto(`/vehicles/calibrate/${rego}`);
  await hydrated(page);
  await page.getByLabel('I have read rego').check();
  await fillTime(page);
  for (const [axle, label] of [
    ['STEER', 'Steer'],
    ['DRIVE', 'Drive'],
  ] as const) {
    const { empty_volt, empty_weight, loaded_volt, loaded_weight } = honestReadings(axle, 51);
    for (const [place, box] of fieldsOf(page, label).entries())
      await box.fill([empty_volt, empty_weight, loaded_volt, loaded_weight][place] ?? '');
  }
  const due = formatDay(addDays(today, 182));
  await page.getByText('Will count.').click();
  await expect(page.getByText(`This visit will count: due ${due}.`)).toBeVisible();
  await field(page, 'Drive', 'Loaded Weight').fill('14000');
  await expect(page.getByText('Will wait: Drive')).toBeVisible();
  await expect(page.getByText('This visit will wait for an administrator:')).toBeVisible();
  await expect(page.getByText('As-found readings explain up to twice the limit.')).toBeVisible();
  await page.getByRole('button', { name: 'Record calibration' }).click();
  await expect(toast(page, 'It waits for an administrator.')).toBeVisible();
  await page.waitForURL(`**/vehicles/view/${rego}`);
  await expect(page.getByText('Recorded. It waits for an administrator:')).toBeVisible();
  await anybody.reload();
  await expect(verdict).toContainText('Overdue');

  // The technician finds it among their visits.
  await page.getByRole('main').getByRole('link', { name: 'My visits' }).click();
  await expect(page.getByRole('link', { name: new RegExp(`${rego}.*Waits`) })).toBeVisible();
  await expect(page.getByRole('link', { name: new RegExp(`${rego}.*Partial`) })).toBeVisible();

  const office = await (await browser.newContext({ baseURL: registry.url })).newPage();
  await signInAs(office, await newPerson(registry, 'admin'));
  await office.goto(`/visits?q=${rego}`);
  await hydrated(office);
  await office.getByRole('rowheader').getByRole('link').click();
  await office.getByLabel('Public reason (required)').selectOption('Weighed again with the same result');
  await office.getByRole('button', { name: 'Accept' }).click();
  await expect(office.getByText('The visit counts.').first()).toBeVisible();
  await expect(verdict).toContainText('Valid');
  await expect(page.getByRole('link', { name: new RegExp(`${rego}.*Accepted`) })).toBeVisible();
  for (const each of [anybody, office]) await each.context().close();
});
