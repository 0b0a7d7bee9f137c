import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import { newPerson, signInAs } from './people.ts';
import { expect, hydrated, test } from './registry.ts';
import { newRego } from './vehicles.ts';

// In sequence, because all share one policy.
test.describe.configure({ mode: 'serial' });

const WITHIN = { timeout: 5_000 };

test('an admin changes the policy: open public pages judge by it at once and say its version, and anyone can prove it', async ({
  page,
  browser,
  registry,
  request,
  quiet,
}) => {
  quiet.allow(/status of 400/);
  const rego = newRego();
  const due = addDays(todayIn('Australia/Sydney', new Date()), 40);
  await registry.importMore({
    Vehicles: {
      [rego]: {
        rego,
        calibration_validated: true,
        next_calibration_due: due,
        calibrations: {
          [Date.now() - 24 * 3_600_000]: {
            axle_type: 'STEER',
            calibration_attribute: 'Empty Volt',
            calibration_value: '0.84',
            technician: 'Jo Nguyen',
          },
        },
      },
    },
  });
  const visitor = await browser.newContext({ baseURL: registry.url });
  const open = async (address: string) => {
    const tab = await visitor.newPage();
    await tab.goto(address);
    await hydrated(tab);
    await expect(tab.getByRole('link', { name: 'Rules version 1' })).toBeVisible();
    return tab;
  };
  const [vehicle, search] = await Promise.all([open(`/vehicles/view/${rego}`), open(`/?q=${rego}`)]);
  await expect(vehicle.getByRole('heading', { level: 1 })).toHaveText(/Valid$/);

  // The response cache has the page now.
  const publicly = async (address: string) => (await fetch(`${registry.url}${address}`)).text();
  for (let time = 0; time < 2; time += 1) {
    expect(await publicly(`/vehicles/view/${rego}`)).toContain('Rules version 1');
    expect(await publicly(`/api/v1/vehicles/${rego}`)).toContain('"policy_version":1');
    expect(await publicly('/about')).not.toContain('Version 2');
  }

  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto('/settings');
  await page.getByRole('link', { name: 'Change', exact: true }).last().click();
  await page.getByLabel('Due soon, days').fill('182');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('enter fewer days')).toBeVisible();
  await expect(page.getByLabel('Due soon, days')).toBeFocused();
  await page.getByLabel('Due soon, days').fill('45');
  await page.getByLabel('Agreement tolerance, %').fill('1.5');
  await page.getByLabel('Reason (optional)').fill('Workshops are booked out.');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL('**/settings');
  await expect(page.getByText('within 45 days')).toBeVisible();
  await expect(page.getByText('Rules version', { exact: true }).locator('..')).toContainText('2');

  await expect(vehicle.getByRole('heading', { level: 1 })).toHaveText(/Due soon$/, WITHIN);
  await expect(vehicle.getByRole('link', { name: 'Rules version 2' })).toBeVisible();
  await expect(search.getByRole('link', { name: 'Rules version 2' })).toBeVisible(WITHIN);
  await expect(search.getByRole('cell', { name: 'Due soon' })).toBeVisible();
  const answer = await (await request.get(`/api/v1/vehicles/${rego}`)).json();
  expect(answer).toMatchObject({ verdict: 'due-soon', policy_version: 2 });
  expect(await publicly(`/vehicles/view/${rego}`)).toContain('Rules version 2');
  expect(await publicly(`/api/v1/vehicles/${rego}`)).toContain('"policy_version":2');
  expect(await publicly('/about')).toContain('Version 2, in force');
  await page.goto('/logs');
  await expect(page.getByText('Version 2: Workshops are booked out.')).toBeVisible();

  await vehicle.getByRole('link', { name: 'Rules version 2' }).click();
  await expect(vehicle.getByRole('heading', { name: 'Version 2, in force' })).toBeVisible();
  await expect(vehicle.getByRole('heading', { name: 'Version 1' })).toBeVisible();
  await expect(vehicle.getByText('1.5\u00a0% or 500\u00a0kg')).toBeVisible();
  await expect(vehicle.getByText('within 45 days, today included')).toBeVisible();
  expect(await vehicle.content()).not.toContain('Workshops');
  await expect
    .poll(async () => (await request.get('/api/v1/policies/2/proof')).status(), { timeout: 10_000 })
    .toBe(200);
  expect(await (await request.get('/api/v1/policies/2/proof')).text()).toContain('c2sp.org/tlog-proof');
  expect((await request.get('/api/v1/policies/9/proof')).status()).toBe(404);
  await visitor.close();
});

test('what loosens the rules is proposed in public, and a second administrator confirms it', async ({
  page,
  browser,
  registry,
  quiet,
}) => {
  quiet.allow(/status of 409/);
  const visitor = await (await browser.newContext({ baseURL: registry.url })).newPage();
  await visitor.goto('/about');
  await hydrated(visitor);
  await signInAs(page, await newPerson(registry, 'admin', { name: 'Mia Kowalski' }));
  await page.goto('/settings/policy');
  await page.getByLabel('Prompt, days').fill('14');
  await page.getByRole('group', { name: 'Agrees' }).getByLabel('Noted').check();
  await page.getByLabel('Reason (optional)').fill('Only for a minute.');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL('**/settings/policy/proposal');
  await expect(
    page.getByText('It takes effect when a second administrator confirms it: one of 90 days or more'),
  ).toBeVisible();
  await expect(page.getByText('By Mia Kowalski. Reason: Only for a minute.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Confirm' })).toBeHidden();

  await expect(visitor.getByRole('heading', { name: 'A less strict version is proposed' })).toBeVisible(WITHIN);
  await expect(visitor.getByText('noted instead of must')).toBeVisible();
  await expect(visitor.getByText('14 instead of 7')).toBeVisible();
  await expect(visitor.getByRole('heading', { name: 'Version 2, in force' })).toBeVisible();
  expect(await visitor.content()).not.toMatch(/Kowalski|Only for a minute/);
  await expect(visitor.getByRole('link', { name: /^Entry .* in the public log$/ })).toHaveAttribute(
    'href',
    /^\/log\/entries\/\d+$/,
  );

  // Another loosening waits for this one.
  await page.goto('/settings/policy');
  await page.getByLabel('Prompt, days').fill('10');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('A change that loosens the rules is proposed already.')).toBeVisible();

  const other = await (await browser.newContext({ baseURL: registry.url })).newPage();
  await signInAs(other, await newPerson(registry, 'admin', { name: 'Ana Silva' }));
  await other.goto('/settings');
  await other.getByRole('link', { name: 'Look at the proposal' }).click();
  await other.getByRole('button', { name: 'Confirm' }).click();
  await other.waitForURL('**/settings');
  await expect(other.getByText('within 14 days of the visit')).toBeVisible();
  await expect(visitor.getByRole('heading', { name: 'Version 3, in force' })).toBeVisible(WITHIN);
  await expect(visitor.getByRole('heading', { name: 'A less strict version is proposed' })).toBeHidden();
  await other.goto('/settings/policy/proposal');
  await expect(other.getByText('No change of the rules is proposed.')).toBeVisible();
  await visitor.context().close();
  await other.context().close();
});

test('the suggested due date follows the interval', async ({ page, registry }) => {
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto('/settings/policy');
  await page.getByLabel('Default interval, days').fill('365');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL('**/settings');
  await page.goto('/vehicles/view/XV04KL?calibrate');
  await hydrated(page);
  await page.getByRole('button', { name: 'In 365 days' }).click();
  const due = addDays(todayIn('Australia/Sydney', new Date()), 365);
  await expect(page.getByLabel('Calibration due date')).toHaveValue(due);
});
