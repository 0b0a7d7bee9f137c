import { field, fieldsOf, fillTime, newVehicle, stored, tick } from './all-axles.ts';
import { expect, test } from './registry.ts';
import { newPerson, signInAs } from './people.ts';
import { picture } from './vehicles.ts';

test.use({ javaScriptEnabled: false });

test('wrong input stays beside its reason, a slip is waved through, and the photo is kept meanwhile', async ({
  page,
  registry,
  quiet,
}) => {
  quiet.allow(/status of 400/);
  const rego = await newVehicle(registry);
  await signInAs(page, await newPerson(registry, 'technician'));
  await page.goto(`/vehicles/calibrate/${rego}`);
  await tick(page, 'Drive').uncheck();
  for (const [place, box] of fieldsOf(page, 'Steer').entries())
    await box.fill(['0.84', '3.94', '0.84', '5880'][place] ?? '');
  await page.getByLabel('Weighbridge').fill('Port Kembla, lane 2');
  await page.getByLabel('Raised').check();
  await page.getByLabel('Photo').setInputFiles({
    name: 'ticket.jpg',
    mimeType: 'image/jpeg',
    buffer: await picture('#8c1010'),
  });
  const record = page.getByRole('button', { name: 'Record calibration' });
  await record.click();
  await expect(page.getByText('Confirm that this is the truck in front of you.').last()).toBeVisible();
  await expect(field(page, 'Steer', 'Loaded Volt')).toHaveAccessibleDescription(/equal the empty volts/);
  await expect(field(page, 'Steer', 'Empty Weight')).toHaveValue('3.94');
  await expect(page.getByLabel('Weighbridge')).toHaveValue('Port Kembla, lane 2');
  await expect(tick(page, 'Drive')).not.toBeChecked();
  await expect(page.getByText('ticket.jpg')).toBeVisible();
  await expect(page.getByText('Enter the time of the visit, such as 14:05.').last()).toBeVisible();
  await expect(page.getByText('Sydney time: the clock of this registry.')).toBeVisible();
  await fillTime(page);
  await page.getByLabel('I have read rego').check();
  await field(page, 'Steer', 'Loaded Volt').fill('1.46');
  await record.click();
  await expect(page.getByText('values-unlikely')).toBeVisible();
  await expect(field(page, 'Steer', 'Empty Weight')).toHaveAccessibleDescription(/looks like tonnes/);
  expect((await stored(registry, rego)).readings).toEqual([]);
  // What would become of it is asked without saving.
  await page.getByRole('button', { name: 'Check first' }).click();
  const preview = page.getByText('This visit will wait for an administrator:');
  await expect(preview).toContainText('it is not known which axle groups of this truck carry a sensor.');
  await expect(preview).toContainText('Steer: a weight, 3.94, looks like tonnes.');
  await expect(page.getByText('ticket.jpg')).toBeVisible();
  expect((await stored(registry, rego)).readings).toEqual([]);
  await page.getByLabel('I have read rego').check();
  await page.getByLabel('These readings are correct: record them').check();
  await record.click();
  await expect(page).toHaveURL(new RegExp(`/vehicles/view/${rego}$`));
  await expect(page.getByText('Calibration recorded.')).toBeVisible();
  await expect(page.getByText(/^Time of the visit: .*, 12:05 am Sydney\.$/)).toBeVisible();
  await expect(page.getByText('weighed at Port Kembla, lane 2 · lift axle raised')).toBeVisible();
  const photo = await page.request.get((await page.getByRole('link', { name: 'photo' }).getAttribute('href')) ?? '');
  expect([photo.status(), photo.headers()['content-type']]).toEqual([200, 'image/jpeg']);
  // A weight in tonnes shows as what it is.
  await expect(page.getByText('A weight looks like tonnes.', { exact: true })).toBeVisible();
});

test('volts in, kilograms out', async ({ page }) => {
  await page.goto('/vehicles/view/XV04KL');
  await page.getByLabel('Drive, V').fill('2,00');
  await page.getByRole('button', { name: 'Show kilograms' }).click();
  await expect(page.getByLabel('Drive, V')).toHaveAccessibleDescription('Use a point: 2.00');
  await page.getByLabel('Drive, V').fill('2.00');
  await page.getByLabel('Steer, V').fill('9');
  await page.getByRole('button', { name: 'Show kilograms' }).click();
  // 4787.610619 × 2 + 415.398230 = 9990.62
  await expect(page.getByLabel('Drive, V')).toHaveAccessibleDescription('9,991 kg');
  // 3129.032258 × 9 + 1311.612903 = 29472.90: beyond what was measured.
  await expect(page.getByLabel('Steer, V')).toHaveAccessibleDescription(/^29,473 kg\s*Outside the calibrated range/);
  await expect(page.getByLabel('Drive, V')).toHaveValue('2.00');
  await page.getByLabel('Trailer A, V').fill('much');
  await page.getByRole('button', { name: 'Show kilograms' }).click();
  await expect(page.getByLabel('Trailer A, V')).toHaveAccessibleDescription('Enter a number such as 3.18.');
});
