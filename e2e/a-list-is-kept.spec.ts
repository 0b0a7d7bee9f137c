// The office's own queue: filters by due date and visits, kept under a name, moved through by keys, and done in bulk.
import { readFile } from 'node:fs/promises';
import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import { newPerson, signInAs } from './people.ts';
import { expect, hydrated, test } from './registry.ts';

const PREFIX = `K${process.pid % 10_000}X`;

test('an admin filters by due date, keeps the list, walks it by keys, exports and follows what is ticked', async ({
  page,
  registry,
  quiet,
}) => {
  // A list without a name is refused.
  quiet.allow(/status of 400/);
  const today = todayIn('Australia/Sydney');
  await registry.db
    .insertInto('vehicle')
    .values(
      Array.from({ length: 6 }, (_, n) => ({
        rego: `${PREFIX}${n}`,
        calibrationValidated: true,
        restsOn: 'visit' as const,
        nextCalibrationDueOn: addDays(today, 100 + n),
        lastCalibratedAt: new Date('2026-05-01T00:00:00Z'),
      })),
    )
    .execute();
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto(`/vehicles?q=${PREFIX}`);
  await hydrated(page);
  const status = page.getByRole('main').getByRole('status').first();
  await expect(status).toHaveText('6 vehicles');
  await page.getByText('More filters').click();
  await page.getByLabel('Due from').fill(addDays(today, 101));
  await page.getByLabel('Due to').fill(addDays(today, 103));
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await expect(status).toHaveText('3 vehicles');
  await expect(page.getByRole('link', { name: 'Valid 3' })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`q=${PREFIX}&due_from=${addDays(today, 101)}&due_to=`));

  await page.getByRole('link', { name: 'Keep this list' }).click();
  await page.getByRole('button', { name: 'Keep the list' }).click();
  await expect(page.getByText('Enter a name, such as')).toBeVisible();
  await page.getByRole('textbox', { name: 'Name' }).fill('Due in spring');
  await page.getByRole('button', { name: 'Keep the list' }).click();
  await expect(page.getByText('The list is kept.')).toBeVisible();
  await page.goto('/vehicles');
  await hydrated(page);
  await page.getByRole('link', { name: 'Due in spring' }).click();
  await expect(status).toHaveText('3 vehicles');
  await expect(page.getByRole('link', { name: 'Due in spring' })).toHaveAttribute('aria-current', 'true');

  await page.getByLabel(`Tick ${PREFIX}1`).check();
  await page.getByLabel(`Tick ${PREFIX}3`).check();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export ticked' }).click();
  const csv = await readFile(await (await download).path(), 'utf8');
  expect(
    csv
      .split('\r\n')
      .filter((line) => line.startsWith(PREFIX))
      .map((line) => line.split(',')[0]),
  ).toEqual([`${PREFIX}1`, `${PREFIX}3`]);
  const opened = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Follow ticked' }).click();
  const following = await opened;
  await expect(following.getByLabel('Regos or VINs')).toHaveValue(`${PREFIX}1\n${PREFIX}3`);
  await following.close();

  // The last tick has the focus, and the keys work all the same.
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/vehicles/view/${PREFIX}2\\?from=/vehicles`));
  await page.goBack();
  // The page of a truck has the key too.
  await expect(page.getByRole('heading', { level: 1, name: 'Vehicles' })).toBeVisible();
  await page.keyboard.press('j');
  await page.getByRole('link', { name: `View ${PREFIX}3` }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/vehicles/view/${PREFIX}3\\?from=/vehicles`));

  await page.goto('/vehicles/kept');
  await hydrated(page);
  await page.getByRole('button', { name: 'Remove Due in spring' }).click();
  await expect(page.getByText('You keep no list yet.')).toBeVisible();
});
