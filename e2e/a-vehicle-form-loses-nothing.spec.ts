import { request } from 'node:http';
import sharp from 'sharp';
import { newPerson, sessionOf, signInAs } from './people.ts';
import { expect, hydrated, test } from './registry.ts';
import { newRego, newVehicle, PDF } from './vehicles.ts';

test('two people edit one vehicle: the second is told, sees both values, and loses nothing', async ({
  page,
  browser,
  registry,
  quiet,
}) => {
  quiet.allow(/409/);
  const rego = await newVehicle(registry);
  await signInAs(page, await newPerson(registry, 'technician'));
  await page.goto(`/vehicles/update/${rego}`);
  await hydrated(page);
  await page.waitForTimeout(500);
  await page.getByLabel('Make').fill('Scania');
  await page.getByLabel('Notes').fill('Typed by the first.');

  const second = await (await browser.newContext({ baseURL: registry.url })).newPage();
  await signInAs(second, await newPerson(registry, 'admin'));
  await second.goto(`/vehicles/update/${rego}`);
  await hydrated(second);
  await second.getByLabel('Make').fill('Mack');
  await second.getByLabel('Model').fill('Anthem');
  await second.getByRole('button', { name: 'Update Vehicle' }).click();
  await second.waitForURL(`**/vehicles/view/${rego}`);

  await expect(page.getByText('Changed meanwhile by Mia Kowalski.')).toBeVisible();
  await expect(page.getByLabel('Make')).toHaveValue('Scania');
  await page.getByRole('button', { name: 'Update Vehicle' }).click();
  await expect(page.getByText('Error updating vehicle: changed-meanwhile.')).toBeVisible();
  await expect(page.getByText('In the registry now, by Mia Kowalski: Mack')).toBeVisible();
  await expect(page.getByText('In the registry now, by Mia Kowalski: Anthem')).toBeVisible();
  await expect(page.getByLabel('Make')).toHaveValue('Scania');
  await expect(page.getByLabel('Notes')).toHaveValue('Typed by the first.');
  await page.getByLabel('Model').fill('Anthem');
  await page.getByRole('button', { name: 'Update Vehicle' }).click();
  await page.waitForURL(`**/vehicles/view/${rego}`);
  await expect(page.getByRole('definition').filter({ hasText: 'Scania' })).toBeVisible();
  await expect(page.getByRole('definition').filter({ hasText: 'Anthem' })).toBeVisible();
  await second.context().close();
});

test('an existing rego is refused with a link to it; what was typed and chosen stays', async ({
  page,
  registry,
  quiet,
}) => {
  quiet.allow(/40[09]|422/);
  const rego = await newVehicle(registry);
  await signInAs(page, await newPerson(registry, 'technician'));
  await page.goto('/vehicles/new');
  await hydrated(page);
  await page.getByRole('button', { name: 'Add Vehicle' }).click();
  await expect(page.getByText('A rego is required: letters A to Z and digits.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Rego' }).fill(`${rego.slice(0, 2)} ${rego.slice(2).toLowerCase()}`);
  await page.getByLabel('Make').fill('Iveco');
  await page
    .getByLabel('Certificate', { exact: true })
    .setInputFiles({ name: 'page.pdf', mimeType: 'application/pdf', buffer: Buffer.from('<html>') });
  await expect(page.getByText('A certificate is a PDF, JPEG or PNG file.')).toBeVisible();
  await page.getByRole('button', { name: 'Remove page.pdf' }).click();
  await page
    .getByLabel('Certificate', { exact: true })
    .setInputFiles({ name: 'cert.pdf', mimeType: 'application/pdf', buffer: PDF });
  await expect(page.getByText('Done')).toBeVisible();
  await page.getByRole('button', { name: 'Add Vehicle' }).click();
  await expect(page.getByText('Error adding vehicle: rego-exists.')).toBeVisible();
  await expect(page.getByRole('link', { name: `Open ${rego}` })).toHaveAttribute('href', `/vehicles/view/${rego}`);
  await expect(page.getByLabel('Make')).toHaveValue('Iveco');
  await expect(page.getByText('cert.pdf')).toBeVisible();
  const other = newRego();
  await page.getByRole('textbox', { name: 'Rego' }).fill(other);
  await page.getByRole('button', { name: 'Add Vehicle' }).click();
  await page.waitForURL('**/vehicles');
  await page.goto(`/vehicles/view/${other}`);
  await expect(page.getByRole('link', { name: 'View' })).toHaveAttribute('href', /^\/files\//);
});

test('an upload over a network that breaks twice arrives whole, once', async ({ page, registry, quiet }) => {
  quiet.allow(/ERR_CONNECTION_RESET/);
  const rego = newRego();
  const person = await newPerson(registry, 'technician');
  await signInAs(page, person);
  await page.goto(`/vehicles/new/${rego}`);
  await hydrated(page);
  let tries = 0;
  await page.route('**/uploads', (route) => ((tries += 1) <= 2 ? route.abort('connectionreset') : route.continue()));
  const noise = await sharp({
    create: {
      width: 2200,
      height: 1600,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png({ compressionLevel: 0 })
    .toBuffer();
  expect(noise.length).toBeGreaterThan(10_000_000);
  await page
    .getByLabel('Images', { exact: true })
    .setInputFiles({ name: 'big.png', mimeType: 'image/png', buffer: noise });
  await expect(page.getByText('Done')).toBeVisible({ timeout: 45_000 });
  expect(tries).toBe(3);
  const staged = await registry.db
    .selectFrom('stagedUpload')
    .select('id')
    .where('personId', '=', person.personId)
    .execute();
  expect(staged).toHaveLength(1);
  await page.getByRole('button', { name: 'Add Vehicle' }).click();
  await page.waitForURL('**/vehicles');
  await page.goto(`/vehicles/view/${rego}`);
  await expect(page.getByRole('heading', { name: 'Images (1)' })).toBeVisible();
});

test('a session that ends while the form is on its way saves nothing', async ({ registry }) => {
  const { cookie, sessionId } = await sessionOf(registry, await newPerson(registry, 'technician'));
  const rego = newRego();
  const parts = [
    `--b\r\nContent-Disposition: form-data; name="rego"\r\n\r\n${rego}\r\n`,
    '--b\r\nContent-Disposition: form-data; name="make"\r\n\r\nVolvo\r\n--b--\r\n',
  ];
  const answer = await new Promise<{ status: number; location: string }>((resolve, reject) => {
    const sent = request(
      new URL('/vehicles/new', registry.url),
      {
        method: 'POST',
        headers: {
          cookie,
          origin: registry.url,
          'content-type': 'multipart/form-data; boundary=b',
          'content-length': parts.join('').length,
        },
      },
      (response) => {
        response.resume();
        resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? '' });
      },
    );
    sent.on('error', reject);
    sent.write(parts[0]);
    // The guard has let it in; the rest comes after the end of the session.
    setTimeout(() => {
      registry.db
        .deleteFrom('session')
        .where('id', '=', sessionId)
        .execute()
        .then(() => sent.end(parts[1]), reject);
    }, 500);
  });
  expect(answer).toEqual({ status: 303, location: '/login?to=%2Fvehicles%2Fnew' });
  expect(await registry.db.selectFrom('vehicle').select('id').where('rego', '=', rego).execute()).toEqual([]);
});
