import { request } from 'node:http';
import sharp from 'sharp';
import { newPerson, sessionOf, signInAs } from './people.ts';
import { expect, hydrated, test } from './registry.ts';
import { newRego, newVehicle, PDF } from './vehicles.ts';

test('two people edit one vehicle: the second is told what the other changed, and loses nothing', async ({
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
  await page.getByLabel('Make', { exact: true }).fill('Scania');
  await page.getByLabel('Notes').fill('Typed by the first.');

  const second = await (await browser.newContext({ baseURL: registry.url })).newPage();
  await signInAs(second, await newPerson(registry, 'admin'));
  await second.goto(`/vehicles/update/${rego}`);
  await hydrated(second);
  await second.getByLabel('Make', { exact: true }).fill('Mack');
  await second.getByLabel('Model', { exact: true }).fill('Anthem');
  await second.getByRole('button', { name: 'Update Vehicle' }).click();
  await second.waitForURL(`**/vehicles/view/${rego}`);

  await expect(page.getByText('Mia Kowalski changed this in the meantime.')).toBeVisible();
  await expect(page.getByLabel('Make', { exact: true })).toHaveValue('Scania');
  await page.getByRole('button', { name: 'Update Vehicle' }).click();
  await expect(page.getByText('Error updating vehicle: changed-meanwhile.')).toBeVisible();
  // Both changed the make, only the second the model, only the first the notes; nobody anything else.
  await expect(page.getByText('Someone else changed this to: Mack')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Make', exact: true })).toHaveValue('Scania');
  await expect(page.getByLabel('Model', { exact: true })).toHaveValue('Anthem');
  await expect(page.getByText('Someone else changed this. It was: empty')).toBeVisible();
  await expect(page.getByLabel('Notes')).toHaveValue('Typed by the first.');
  await expect(page.locator('[aria-invalid="true"]')).toHaveCount(1);
  await expect(page.getByText('Someone else changed this')).toHaveCount(2);
  await page.getByLabel('Model', { exact: true }).fill('Anthem 8x4');
  await page.getByRole('button', { name: 'Update Vehicle' }).click();
  await page.waitForURL(`**/vehicles/view/${rego}`);
  for (const text of ['Scania', 'Anthem 8x4', 'Typed by the first.'])
    await expect(page.getByRole('definition').filter({ hasText: text })).toBeVisible();
  await second.context().close();
});

test('of two who changed one field, the second keeps what the other saved', async ({ page, registry, quiet }) => {
  quiet.allow(/409/);
  const rego = await newVehicle(registry);
  const save = (form: Record<string, string>) =>
    page.request.post(`/vehicles/update/${rego}`, { multipart: form, headers: { origin: registry.url } });
  await signInAs(page, await newPerson(registry, 'technician'));
  await page.goto(`/vehicles/update/${rego}`);
  await hydrated(page);
  await page.getByRole('textbox', { name: 'Make', exact: true }).fill('Scania');
  await page.getByLabel('Model', { exact: true }).fill('R 500');
  await save({ make: 'Mack', model: 'Anthem', version: '1' });
  await page.getByRole('button', { name: 'Update Vehicle' }).click();
  await expect(page.getByText('Someone else changed this to: Mack')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Keep theirs: Make' }).check();
  // Another save in between asks again, and what was kept is taken as it now is.
  await save({ make: 'Kenworth', model: 'Anthem', version: '2' });
  await page.getByRole('button', { name: 'Update Vehicle' }).click();
  await expect(page.getByText('Someone else changed this. It was: Mack')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Make', exact: true })).toHaveValue('Kenworth');
  await expect(page.getByLabel('Model', { exact: true })).toHaveValue('R 500');
  await page.getByRole('button', { name: 'Update Vehicle' }).click();
  await page.waitForURL(`**/vehicles/view/${rego}`);
  await expect(page.getByRole('definition').filter({ hasText: 'Kenworth' })).toBeVisible();
  await expect(page.getByRole('definition').filter({ hasText: 'R 500' })).toBeVisible();
});

test('a link that is clicked before the last bytes of a save’s answer breaks nothing', async ({ page, registry }) => {
  const rego = await newVehicle(registry);
  // As a slow line does: the answer of a form is there, its end comes two seconds later.
  await page.addInitScript(() => {
    const send = globalThis.fetch;
    globalThis.fetch = async (input, init) => {
      const answer = await send(input, init);
      if (init?.method !== 'POST') return answer;
      const bytes = await answer.arrayBuffer();
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(new Uint8Array(bytes));
          init.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
          setTimeout(() => init.signal?.aborted === true || controller.close(), 2000);
        },
      });
      return new Response(body, answer);
    };
  });
  await signInAs(page, await newPerson(registry, 'technician'));
  await page.goto(`/vehicles/update/${rego}`);
  await hydrated(page);
  await page.route(/\.data/, async (route) => {
    if (route.request().method() === 'GET') await new Promise((resolve) => setTimeout(resolve, 500));
    await route.continue().catch(() => {});
  });
  await page.getByLabel('Notes').fill('Typed on a slow line.');
  const answered = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.getByRole('button', { name: 'Update Vehicle' }).click();
  await answered;
  await page.waitForTimeout(200);
  await page.getByRole('link', { name: 'My Profile' }).click();
  await page.waitForURL('**/my-profile');
  await page.goto(`/vehicles/view/${rego}`);
  await expect(page.getByRole('definition').filter({ hasText: 'Typed on a slow line.' })).toBeVisible();
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
  await page.getByLabel('Make', { exact: true }).fill('Iveco');
  await page
    .getByLabel('Certificate', { exact: true })
    .setInputFiles({ name: 'page.pdf', mimeType: 'application/pdf', buffer: Buffer.from('<html>') });
  await expect(page.getByText('A certificate is a PDF, JPEG or PNG file.')).toBeVisible();
  // Sent again it would be refused again.
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Remove page.pdf' }).click();
  await page
    .getByLabel('Certificate', { exact: true })
    .setInputFiles({ name: 'cert.pdf', mimeType: 'application/pdf', buffer: PDF });
  await expect(page.getByText('Done')).toBeVisible();
  await page.getByRole('button', { name: 'Add Vehicle' }).click();
  await expect(page.getByText('Error adding vehicle: rego-exists.')).toBeVisible();
  await expect(page.getByRole('link', { name: `Open ${rego}` })).toHaveAttribute('href', `/vehicles/view/${rego}`);
  await expect(page.getByLabel('Make', { exact: true })).toHaveValue('Iveco');
  await expect(page.getByText('cert.pdf')).toBeVisible();
  const other = newRego();
  await page.getByRole('textbox', { name: 'Rego' }).fill(other);
  await page.getByRole('button', { name: 'Add Vehicle' }).click();
  await page.waitForURL(/\/vehicles\?at=/);
  await page.goto(`/vehicles/view/${other}`);
  await expect(page.getByRole('link', { name: 'View' })).toHaveAttribute('href', /^\/files\//);
});

test('an upload over a network that breaks, and that a Wi-Fi’s page answers, arrives whole, once', async ({
  page,
  registry,
  quiet,
}) => {
  quiet.allow(/ERR_CONNECTION_RESET/);
  const rego = newRego();
  const person = await newPerson(registry, 'technician');
  await signInAs(page, person);
  await page.goto(`/vehicles/new/${rego}`);
  await hydrated(page);
  let tries = 0;
  await page.route('**/uploads', (route) => {
    tries += 1;
    if (tries === 1) return route.abort('connectionreset');
    return tries === 2 ? route.fulfill({ contentType: 'text/html', body: '<h1>Room number?</h1>' }) : route.continue();
  });
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
  const uploads = await registry.db
    .selectFrom('stagedUpload')
    .select('id')
    .where('personId', '=', person.personId)
    .execute();
  expect(uploads).toHaveLength(1);
  await page.getByRole('button', { name: 'Add Vehicle' }).click();
  await page.waitForURL(/\/vehicles\?at=/);
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
    // The guard accepts the request, and the session ends before the rest of the body arrives.
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
