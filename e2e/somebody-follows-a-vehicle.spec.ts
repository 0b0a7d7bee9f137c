import { mailTo } from './mails.ts';
import { newPerson, signInAs } from './people.ts';
import { expect, hydrated, test } from './registry.ts';
import { newCalibratedVehicle } from './vehicles.ts';

let asked = 0;
const newAddress = () => `follower${process.pid}.${(asked += 1)}@fleet.example`;
const linkIn = (mail: string, end: '' | '/end' = '') => new RegExp(`/following/[\\w-]{43}${end}`).exec(mail)?.[0] ?? '';

test('somebody follows a vehicle, hears of an admin’s decision, and leaves', async ({ browser, registry, quiet }) => {
  test.setTimeout(300_000);
  quiet.allow(/status of 400/);
  const rego = await newCalibratedVehicle(registry);
  const email = newAddress();
  const context = await browser.newContext({ baseURL: registry.url });
  const page = await context.newPage();
  await page.goto(`/vehicles/view/${rego}`);
  await page.getByRole('link', { name: 'Follow by email' }).click();
  await page.getByLabel('Email').fill('no address');
  await page.getByLabel('Email').press('Enter');
  await expect(page.getByText('Enter an email address such as')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue('no address');
  await page.getByLabel('Email').fill(` ${email.toUpperCase()} `);
  await page.getByLabel('Email').press('Enter');
  await expect(page.getByText('We have sent an email to that address.')).toBeVisible();

  const confirm = linkIn(await mailTo(registry.dataDir, email, 'To confirm'));
  // A program that only opens links confirms nothing.
  await fetch(`${registry.url}${confirm}`);
  const isConfirmed = async () =>
    (await registry.db.selectFrom('follower').select('confirmedOn').where('email', '=', email).execute())[0]
      ?.confirmedOn != null;
  expect(await isConfirmed()).toBe(false);
  await page.goto(confirm);
  await page.getByRole('button', { name: `Follow ${rego}` }).click();
  await expect(page.getByRole('heading', { name: `You are following ${rego}` })).toBeVisible();
  expect(await isConfirmed()).toBe(true);

  const admin = await browser.newPage({ baseURL: registry.url });
  await signInAs(admin, await newPerson(registry, 'admin'));
  await admin.goto(`/vehicles/view/${rego}`);
  await hydrated(admin);
  await admin.getByRole('button', { name: 'Validate', exact: true }).click();
  await expect(admin.getByText('Calibration validated.')).toBeVisible();
  await admin.close();
  const told = await mailTo(registry.dataDir, email, `${rego} has changed to: Valid.`, 40_000);
  expect(told).toContain('Valid today. No due date is recorded.');
  expect(told).toMatch(/^List-Unsubscribe:\s+</m);

  await page.goto(linkIn(told, '/end'));
  expect(await isConfirmed()).toBe(true);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Stop following ${rego}`);
  await page.getByRole('button', { name: 'Stop emails' }).click();
  await expect(page.getByRole('heading', { name: 'You have unsubscribed' })).toBeVisible();
  const follows = registry.db
    .selectFrom('follower')
    .select('id')
    .where('email', '=', email)
    .where('endedAt', 'is', null);
  expect(await follows.execute()).toEqual([]);
  await page.goto(confirm);
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  await context.close();
});
