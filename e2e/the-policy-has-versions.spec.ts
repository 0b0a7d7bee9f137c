import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import { newPerson, sessionOf, signInAs } from './people.ts';
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
    Vehicles: { [rego]: { rego, calibration_validated: true, next_calibration_due: due } },
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
  await page.getByLabel('Agreement tolerance, %').fill('2.5');
  await page.getByLabel('Reason (optional)').fill('Workshops are booked out.');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL('**/settings');
  await expect(page.getByText('within 45 days')).toBeVisible();
  await expect(page.getByText('Version', { exact: true }).locator('..')).toContainText('2');

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
  await expect(vehicle.getByText('2.5\u00a0% or 500\u00a0kg')).toBeVisible();
  await expect(vehicle.getByText('within 45 days, today included')).toBeVisible();
  expect(await vehicle.content()).not.toContain('Workshops');
  await expect
    .poll(async () => (await request.get('/api/v1/policies/2/proof')).status(), { timeout: 10_000 })
    .toBe(200);
  expect(await (await request.get('/api/v1/policies/2/proof')).text()).toContain('c2sp.org/tlog-proof');
  expect((await request.get('/api/v1/policies/9/proof')).status()).toBe(404);
  await visitor.close();
});

test('a form that was opened before another change saves nothing, and shows both values', async ({
  page,
  registry,
  request,
  quiet,
}) => {
  quiet.allow(/status of 409/);
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto('/settings/policy');
  await hydrated(page);
  await page.getByLabel('Agreement tolerance, kg').fill('700');
  const { cookie } = await sessionOf(registry, await newPerson(registry, 'admin', { name: 'Ana Silva' }));
  const others = { interval_days: '182', due_soon_days: '45', tolerance_percent: '2.5', tolerance_kg: '600' };
  const send = (form: Record<string, string>) =>
    request.post('/settings/policy', { form, headers: { cookie, origin: registry.url }, maxRedirects: 0 });
  // Without scripts: a plain form.
  expect((await send({ ...others, version: '2' })).status()).toBe(303);
  await expect(page.getByText('Ana Silva changed this in the meantime.')).toBeVisible(WITHIN);
  await expect(page.getByLabel('Agreement tolerance, kg')).toHaveValue('700');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(
    page.getByText('Ana Silva changed this policy while you were editing it. Nothing of yours is saved yet.'),
  ).toBeVisible();
  await expect(page.getByText('Someone else changed this to: 600')).toBeVisible();
  await expect(page.getByLabel('Agreement tolerance, kg', { exact: true })).toHaveValue('700');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL('**/settings');
  await expect(page.getByText('700\u00a0kg')).toBeVisible();
  const stale = await send({ ...others, version: '3' });
  expect(stale.status()).toBe(409);
  expect(await stale.text()).toContain('Someone else changed this to: 700');
  const same = await send({ ...others, tolerance_kg: '700', version: '4' });
  expect(same.status()).toBe(400);
  expect(await same.text()).toContain('nothing-changed');
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
