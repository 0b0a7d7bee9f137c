// Validating without scripts: after a refusal or a new sign-in, the admin gets a page with the form.
import { newPerson, sessionOf, signInAs, PASSWORD } from './people.ts';
import { expect, test } from './registry.ts';
import { newVehicle } from './vehicles.ts';

test.use({ javaScriptEnabled: false });

test('a session that ended leads by the sign-in to the decision', async ({ page, registry }) => {
  const rego = await newVehicle(registry);
  const admin = await newPerson(registry, 'admin');
  await signInAs(page, admin);
  await page.goto(`/vehicles/view/${rego}`);
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Validate', exact: true }).click();
  await page.getByRole('textbox', { name: 'Email' }).fill(admin.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Validate the calibration of ${rego}`);
  await page.getByLabel('Reason (optional)').fill('Certificate seen');
  await page.getByRole('button', { name: 'Validate', exact: true }).click();
  await expect(page).toHaveURL(`/vehicles/view/${rego}`);
  await expect(page.getByText('Calibration validated.')).toBeVisible();
  await expect(page.getByRole('definition').filter({ hasText: 'Certificate seen' })).toBeVisible();
});

test('a refusal is a page that says why, with the form', async ({ registry }) => {
  const rego = await newVehicle(registry);
  const { cookie } = await sessionOf(registry, await newPerson(registry, 'admin'));
  const answer = await fetch(`${registry.url}/vehicles/validate/${rego}`, {
    method: 'POST',
    headers: { cookie, origin: registry.url, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'validated=yes&reason=%00',
  });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
  const page = await answer.text();
  expect(page).toContain('Error validating item: form-malformed.');
  expect(page).toContain(`Validate the calibration of ${rego}`);
});
