import { emailKey } from '#app/people/email-key.ts';
import { addDays, formatDay, todayIn } from '#app/platform/time/calendar.ts';
import { otherBrowser } from './admins.ts';
import { newVehicle, stored } from './calibrating.ts';
import { newPerson, signInAs } from './people.ts';
import { expect, hydrated, test, toast } from './registry.ts';

const TODAY = todayIn('Australia/Sydney');
const REASON = 'Readings nobody can explain.';

test('an admin suspends a technician, who sees it and still records; the admin lifts it', async ({
  page,
  registry,
}) => {
  const technician = await newPerson(registry, 'technician');
  const theirs = await otherBrowser(page, registry);
  await signInAs(theirs, technician);
  await theirs.goto('/my-profile');
  await hydrated(theirs);
  await expect(theirs.getByText('Suspended from')).toHaveCount(0);

  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto(`/technicians/view/${emailKey(technician.email)}`);
  await hydrated(page);
  await page.getByRole('link', { name: 'Suspend', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Suspend Jo Nguyen');
  await expect(page.getByLabel('Suspended from')).toHaveValue(TODAY);
  await page.getByRole('textbox', { name: 'Reason' }).fill(REASON);
  await page.getByRole('button', { name: 'Suspend' }).click();
  await expect(toast(page, 'Technician suspended.')).toBeVisible();
  const since = `Suspended from ${formatDay(TODAY)}`;
  await expect(page.getByText(`${since}. Their visits wait for an administrator.`)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Suspensions' })).toContainText(REASON);
  await expect(page.getByRole('region', { name: 'Suspensions' })).toContainText('By Mia Kowalski');

  // The open page of the technician says so, without the reason; they are still signed in, and may record.
  await expect(theirs.getByText(`${since}. Your visits wait for an administrator.`)).toBeVisible({ timeout: 10_000 });
  await expect(theirs.getByText(REASON)).toHaveCount(0);
  const rego = await newVehicle(registry);
  const reading = { rego, axle: 'STEER', attribute: 'Empty Volt', value: '0.84', due_date: '' };
  const headers = { 'sec-fetch-site': 'same-origin' };
  await theirs.request.post(`/vehicles/view/${rego}?calibrate`, { headers, form: reading });
  expect(await stored(registry, rego)).toEqual(['0.84']);

  await page.getByRole('link', { name: 'Lift the suspension' }).click();
  const tomorrow = addDays(TODAY, 1);
  await page.getByLabel('In good standing from').fill(tomorrow);
  await page.getByRole('button', { name: 'Lift the suspension' }).click();
  await expect(toast(page, 'Suspension lifted.')).toBeVisible();
  await expect(page.getByText(`${since} to ${formatDay(TODAY)}. Their visits wait`)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Suspensions' })).toContainText('Lifted by Mia Kowalski');
  await expect(page.getByRole('link', { name: 'Suspend', exact: true })).toBeVisible();
  await theirs.goto('/my-profile');
  await expect(theirs.getByText(`${since} to ${formatDay(TODAY)}. Your visits wait`)).toBeVisible();
  await theirs.context().close();
});
