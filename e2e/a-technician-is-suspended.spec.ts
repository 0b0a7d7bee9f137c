import type { Page } from '@playwright/test';
import { emailKey } from '#app/people/email-key.ts';
import { addDays, formatDay, todayIn } from '#app/platform/time/calendar.ts';
import { otherBrowser } from './admins.ts';
import { newVehicle, stored } from './calibrating.ts';
import { newPerson, signInAs } from './people.ts';
import { expect, hydrated, test, toast } from './registry.ts';

const TODAY = todayIn('Australia/Sydney');
const REASON = 'Readings nobody can explain.';

const fact = (page: Page, label: string) =>
  page.locator('dl > div').filter({ has: page.getByText(label, { exact: true }) });

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

test('a refused day is told at its field, and what was typed stays', async ({ page, registry, quiet }) => {
  quiet.allow(/400/);
  const technician = await newPerson(registry, 'technician');
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto(`/technicians/suspend/${emailKey(technician.email)}`);
  await hydrated(page);
  await page.getByLabel('Suspended from').fill(addDays(TODAY, -31));
  await page.getByRole('textbox', { name: 'Reason' }).fill(REASON);
  await page.getByRole('button', { name: 'Suspend' }).click();
  await expect(page.getByText('A suspension begins at most 30 days ago.')).toBeVisible();
  await expect(page.getByLabel('Suspended from')).toBeFocused();
  await expect(page.getByRole('textbox', { name: 'Reason' })).toHaveValue(REASON);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the same, and until when the licence is valid', async ({ page, registry }) => {
    const technician = await newPerson(registry, 'technician');
    await signInAs(page, await newPerson(registry, 'admin'));
    const view = `/technicians/view/${emailKey(technician.email)}`;
    await page.goto(view);
    await page.getByRole('link', { name: 'Change how long it is valid' }).click();
    await page.getByLabel('Trade licence valid until').fill(addDays(TODAY, -1));
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page).toHaveURL(view);
    await expect(page.getByText('Trade licence recorded.')).toBeVisible();
    await expect(fact(page, 'Trade licence valid until')).toContainText(`${formatDay(addDays(TODAY, -1))} (ended)`);

    await page.getByRole('link', { name: 'Suspend', exact: true }).click();
    await page.getByRole('textbox', { name: 'Reason' }).fill(REASON);
    await page.getByRole('button', { name: 'Suspend' }).click();
    await expect(page.getByText(`Suspended from ${formatDay(TODAY)}. Their visits wait`)).toBeVisible();
    await page.getByRole('link', { name: 'Lift the suspension' }).click();
    await page.getByRole('button', { name: 'Lift the suspension' }).click();
    await expect(page).toHaveURL(view);
    await expect(page.getByText('Their visits wait')).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Suspensions' })).toContainText('and lifted from that day on');
  });
});

test('an admin finds no way to suspend themselves', async ({ page, registry, quiet }) => {
  quiet.allow(/409/);
  const { db } = registry;
  const me = await newPerson(registry, 'admin');
  await db.insertInto('technician').values({ personId: me.personId, email: me.email, repName: me.name }).execute();
  await signInAs(page, me);
  await page.goto(`/technicians/view/${emailKey(me.email)}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(me.name);
  await expect(page.getByRole('link', { name: 'Suspend', exact: true })).toHaveCount(0);
  await page.goto(`/technicians/suspend/${emailKey(me.email)}`);
  await hydrated(page);
  await page.getByRole('textbox', { name: 'Reason' }).fill(REASON);
  await page.getByRole('button', { name: 'Suspend' }).click();
  await expect(page.getByRole('alert')).toHaveText(
    'Error suspending: self. This is your own record. Another administrator decides about it.',
  );
});
