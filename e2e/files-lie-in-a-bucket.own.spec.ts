// A registry with its files and public log in S3-compatible storage. Users see no difference, and when the storage is away
// the pages ask them to try again later.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { StartedRegistry } from '#test/start-registry.ts';
import { startRegistry } from '#test/start-registry.ts';
import { hasS3, startS3, type S3Server } from '#test/s3.ts';
import { newPerson, signInAs } from './people.ts';
import { expect, hydrated, test as base, toast } from './registry.ts';
import { newRego, PDF, picture } from './vehicles.ts';

const test = base.extend<object, { s3: S3Server; registry: StartedRegistry }>({
  s3: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const s3 = await startS3();
      await use(s3);
      await s3.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  registry: [
    async ({ s3 }, use) => {
      const registry = await startRegistry(s3.env);
      await use(registry);
      await registry.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

test.skip(!hasS3(), 'there is no S3 server on this machine');

async function keysOf({ client, bucket }: S3Server, prefix: string): Promise<string[]> {
  const { Contents } = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }));
  return (Contents ?? []).map(({ Key }) => Key ?? '');
}

test('an upload is kept in the bucket and served from it, in whole and in part; storage that is away is a 503', async ({
  page,
  request,
  registry,
  s3,
  quiet,
}) => {
  const rego = newRego();
  await signInAs(page, await newPerson(registry, 'technician'));
  await page.goto(`/vehicles/new/${rego}`);
  await hydrated(page);
  await page
    .getByLabel('Certificate', { exact: true })
    .setInputFiles({ name: 'cert.pdf', mimeType: 'application/pdf', buffer: PDF });
  await page
    .getByLabel('Images', { exact: true })
    .setInputFiles([{ name: 'left.jpg', mimeType: 'image/jpeg', buffer: await picture('#a01414') }]);
  await expect(page.getByText('Done')).toHaveCount(2);
  await page.getByRole('button', { name: 'Add Vehicle' }).click();
  await expect(toast(page, 'Vehicle Added successfully.')).toBeVisible();
  await page.waitForURL(/\/vehicles\?at=/);

  expect((await keysOf(s3, `files/certificates/${rego}/`)).length).toBe(1);
  expect((await keysOf(s3, `files/vehicles/${rego}/`)).length).toBe(2);
  expect(existsSync(path.join(registry.dataDir, 'files'))).toBe(false);

  await page.goto(`/vehicles/view/${rego}`);
  const certificate = (await page.locator('a[href^="/files/"]').first().getAttribute('href')) ?? '';
  const whole = await request.get(certificate);
  expect(whole.status()).toBe(200);
  expect(await whole.body()).toEqual(PDF);
  const part = await request.get(certificate, { headers: { range: 'bytes=5-14' } });
  expect(part.status()).toBe(206);
  expect(await part.body()).toEqual(PDF.subarray(5, 15));

  // The public log too.
  await expect.poll(async () => (await request.get('/log/1/checkpoint')).status()).toBe(200);
  expect(await keysOf(s3, 'log/high-water')).toHaveLength(1);
  expect(existsSync(path.join(registry.dataDir, 'log'))).toBe(false);
  await page.goto('/log');
  await expect(page.getByText('localhost/log/1').first()).toBeVisible();

  await s3.cut();
  quiet.allow(/503/);
  const away = await request.get(certificate);
  expect(away.status()).toBe(503);
  expect(away.headers()['retry-after']).toBe('5');
  expect((await request.get('/log/1/checkpoint')).status()).toBe(503);
  // The verdict does not depend on the storage.
  await page.goto(`/vehicles/view/${rego}`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(rego);
  await page.getByRole('link', { name: 'Edit' }).click();
  await hydrated(page);
  const [refused] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/uploads')),
    page
      .getByLabel('Images', { exact: true })
      .setInputFiles([{ name: 'right.jpg', mimeType: 'image/jpeg', buffer: await picture('#0a5a35') }]),
  ]);
  expect(refused.status()).toBe(503);
  expect(refused.headers()['retry-after']).toBe('5');

  // The server is not restarted.
  await s3.restore();
  expect(await (await request.get(certificate)).body()).toEqual(PDF);
  expect((await request.get('/log/1/checkpoint')).status()).toBe(200);
  // The page sends the refused file again by itself.
  await expect(page.getByText('Done')).toHaveCount(1, { timeout: 30_000 });
});
