import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { removeVehicle } from '#app/vehicles/remove-vehicle.server.ts';
import { honestReadings } from '#test/visits.ts';
import { fieldsOf } from './all-axles.ts';
import { newPerson, signInAs } from './people.ts';
import { expect, hydrated, test } from './registry.ts';
import { actingAs, recordSet, truck } from './visits.ts';

const AXLES = [
  ['Steer', 'STEER'],
  ['Drive', 'DRIVE'],
] as const;

const photo = (background: string) =>
  sharp({ create: { width: 1200, height: 900, channels: 3, background } })
    .jpeg()
    .toBuffer();

/** Until the service worker has the page, and the phone its trucks. */
async function openField(page: Page): Promise<void> {
  await page.goto('/field');
  await hydrated(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect(page.getByText('Connected')).toBeVisible();
}

async function recordVisit(page: Page, rego: string, background: string): Promise<void> {
  await page.getByRole('link', { name: 'My trucks' }).first().click();
  await page.getByRole('link', { name: rego }).click();
  await page.getByRole('link', { name: 'Start a visit' }).click();
  await page.getByLabel(`I have read rego ${rego} and this VIN`).check();
  for (const [label, axle] of AXLES) {
    const four = Object.values(honestReadings(axle, 4));
    for (const [place, box] of fieldsOf(page, label).entries()) await box.fill(four[place] ?? '');
  }
  await page
    .getByLabel('Photos (optional)')
    .setInputFiles({ name: 'ticket.jpg', mimeType: 'image/jpeg', buffer: await photo(background) });
  await expect(page.getByText('ticket.jpg')).toBeVisible();
  await page.getByRole('button', { name: 'Save on this phone' }).click();
  await expect(page.getByRole('heading', { name: 'Saved on this phone, not sent yet' })).toBeVisible();
}

test('two visits out of reach: one counts, one is refused with its reason and its file in hand', async ({
  browser,
  registry,
}) => {
  const technician = await newPerson(registry, 'technician');
  const admin = await newPerson(registry, 'admin');
  const regos = [await truck(registry), await truck(registry), await truck(registry)] as const;
  await recordSet(registry, technician, regos[0], 100, { nudge: 2 });
  const context = await browser.newContext({
    baseURL: registry.url,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  await signInAs(page, technician);
  await openField(page);
  await expect(page.getByRole('link', { name: regos[0] })).toBeVisible();
  for (const rego of regos.slice(1)) {
    await page.getByRole('link', { name: 'Add by rego' }).click();
    await page.getByLabel('Rego').fill(rego);
    await page.getByRole('button', { name: 'Add this truck' }).click();
    await expect(page.getByRole('heading', { name: rego })).toBeVisible();
    await page.getByRole('link', { name: 'My trucks' }).last().click();
    await expect(page.getByRole('link', { name: rego })).toBeVisible();
  }
  // Out of reach: the page opens again, and both visits are kept.
  await context.setOffline(true);
  await page.goto('/field');
  await hydrated(page);
  await expect(page.getByText('No signal')).toBeVisible();
  await recordVisit(page, regos[0], '#a01414');
  await recordVisit(page, regos[1], '#14a014');
  await page.getByRole('link', { name: /^Outbox/ }).click();
  await expect(page.getByRole('heading', { name: '2 visits not sent yet' })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await removeVehicle(registry.db, actingAs(admin), regos[1]);
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: '1 refused' })).toBeVisible();
  const counted = page.getByRole('article', { name: `Visit to ${regos[0]}` });
  await expect(counted).toContainText('Recorded. It counts: due');
  const refused = page.getByRole('article', { name: `Visit to ${regos[1]}` });
  await expect(refused).toContainText(/This vehicle was removed on \d+ \w+ \d{4}\. Nothing you typed is lost\./);
  const download = page.waitForEvent('download');
  await refused.getByRole('button', { name: 'Save as file' }).click();
  expect((await download).suggestedFilename()).toMatch(new RegExp(`^${regos[1]}-.*\\.visit\\.json$`));
  const sets = await registry.db
    .selectFrom('calibrationSet')
    .innerJoin('vehicle', 'vehicle.id', 'calibrationSet.vehicleId')
    .select(['rego', 'photoName', 'receivedAt'])
    .where('captureId', 'is not', null)
    .where('rego', 'in', regos)
    .execute();
  expect(sets).toEqual([{ rego: regos[0], photoName: 'ticket.jpg', receivedAt: expect.any(Date) }]);
  await context.close();
});
