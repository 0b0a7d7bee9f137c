import type { Page } from '@playwright/test';
import { removeVehicle } from '#app/vehicles/remove-vehicle.server.ts';
import { honestReadings, nextNudge } from '#test/visits.ts';
import { fieldsOf, fillTime } from './all-axles.ts';
import { startNextVersion } from './next-version.ts';
import { newPerson, signInAs } from './people.ts';
import { photoOf } from './photos.ts';
import { expect, hydrated, test } from './registry.ts';
import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import { actingAs } from '#test/people.ts';
import { recordSet, truck, ZONE } from './visits.ts';

const AXLES = [
  ['Steer', 'STEER'],
  ['Drive', 'DRIVE'],
] as const;

/** Until the service worker has the page, and the phone its trucks. */
async function openField(page: Page): Promise<void> {
  await page.goto('/field');
  await hydrated(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect(page.getByText('Connected')).toBeVisible();
}

async function fillIn(page: Page, rego: string): Promise<void> {
  const nudge = nextNudge();
  await page.getByLabel(`I have read rego ${rego} and this VIN`).check();
  await fillTime(page);
  for (const [label, axle] of AXLES) {
    const four = Object.values(honestReadings(axle, nudge));
    for (const [place, box] of fieldsOf(page, label).entries()) await box.fill(four[place] ?? '');
  }
}

async function recordVisit(page: Page, rego: string, background: string): Promise<void> {
  await page.getByRole('link', { name: 'My trucks' }).first().click();
  await page.getByRole('link', { name: rego }).click();
  await page.getByRole('link', { name: 'Start a visit' }).click();
  await fillIn(page, rego);
  await page
    .getByLabel('Photos (optional)')
    .setInputFiles({ name: 'ticket.jpg', mimeType: 'image/jpeg', buffer: await photoOf(background) });
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
  await recordSet(registry, technician, regos[0], 100);
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
  await removeVehicle(registry.db, actingAs(admin), { rego: regos[1] });
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

test('a phone whose tab is dropped, whose clock is wrong and whose owner signs out loses nothing and shows nothing', async ({
  browser,
  registry,
}) => {
  const technician = await newPerson(registry, 'technician', { name: 'Jo Field' });
  const colleague = await newPerson(registry, 'technician', { name: 'Al Other' });
  const rego = await truck(registry);
  await recordSet(registry, technician, rego, 100);
  const context = await browser.newContext({ baseURL: registry.url, viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await signInAs(page, technician);
  await openField(page);
  await expect(page.getByRole('link', { name: rego })).toBeVisible();
  await context.setOffline(true);
  await page.clock.setSystemTime(new Date('2001-01-02T00:00:00Z'));
  await page.goto('/field');
  await hydrated(page);
  await expect(page.getByText('Age unknown')).toBeVisible();
  await page.getByRole('link', { name: rego }).click();
  await page.getByRole('link', { name: 'Start a visit' }).click();
  // The day is asked for: this clock knows no day.
  await expect(page.getByLabel('Date of the visit')).toHaveValue('');
  await fillIn(page, rego);
  await page.getByRole('button', { name: 'Save on this phone' }).click();
  await expect(page.getByText('Enter the day of the visit.')).toBeVisible();
  const today = todayIn(ZONE);
  await page.getByLabel('Date of the visit').fill(today);
  await page.getByLabel('Time of the visit').fill('00:05');
  await page.getByLabel('Calibration due date').fill(addDays(today, 180));
  // The phone drops the tab. What was typed is there again, as not finished.
  await page.waitForTimeout(600);
  await page.goto('about:blank');
  await page.goto('/field#outbox');
  await hydrated(page);
  await page.getByRole('link', { name: 'Go on' }).click();
  await expect(page.getByLabel('Time of the visit')).toHaveValue('00:05');
  await page.getByRole('button', { name: 'Save on this phone' }).click();
  await expect(page.getByRole('heading', { name: 'Saved on this phone, not sent yet' })).toBeVisible();
  // Signing out asks, and somebody else sees only whose it is.
  await context.route('**/field/visits', (route) => route.abort());
  await context.setOffline(false);
  await page.goto('/dashboard');
  await hydrated(page);
  await expect(page.getByText('1 visit not sent yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('heading', { name: '1 visit is not sent yet. Sign out?' })).toBeVisible();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/login');
  await signInAs(page, colleague);
  await page.goto('/field#outbox');
  await hydrated(page);
  await expect(page.getByText('1 visit of Jo Field on this phone is not sent yet.')).toBeVisible();
  await expect(page.getByRole('article')).toHaveCount(0);
  await context.unroute('**/field/visits');
  await context.clearCookies();
  await signInAs(page, technician);
  await page.reload();
  await expect(page.getByRole('article', { name: `Visit to ${rego}` })).toContainText('Recorded. It counts: due');
  const sets = await registry.db
    .selectFrom('calibrationSet')
    .innerJoin('actor', 'actor.id', 'calibrationSet.technicianId')
    .select(['capturedAt', 'actor.personId'])
    .where('captureId', 'is not', null)
    .where('actor.personId', '=', technician.personId)
    .execute();
  expect(sets.map(({ capturedAt }) => capturedAt?.getUTCFullYear())).toEqual([2001]);
  await context.close();
});

test('an administrator opens the file of a visit, and the office sees whom it names', async ({ page, registry }) => {
  const admin = await newPerson(registry, 'admin');
  const technician = await newPerson(registry, 'technician', { name: 'Kim Far' });
  const rego = await truck(registry);
  await recordSet(registry, technician, rego, 100);
  const { id: vehicleId } = await registry.db
    .selectFrom('vehicle')
    .select('id')
    .where('rego', '=', rego)
    .executeTakeFirstOrThrow();
  const today = todayIn(ZONE);
  const nudge = nextNudge();
  const file = {
    format: 'truck-scale-registry-visit',
    id: crypto.randomUUID(),
    capturedBy: { id: technician.personId, name: technician.name },
    capturedAt: new Date().toISOString(),
    rego,
    vin: `VIN${rego}`,
    vehicleId,
    formVersion: 1,
    fields: [
      ['confirmed', 'yes'],
      ['visit_date', today],
      ['visit_time', '00:05'],
      ['due_date', addDays(today, 180)],
      ...AXLES.flatMap(([, axle]) => [
        ['axle', axle],
        ...Object.entries(honestReadings(axle, nudge)).map(([name, value]) => [`${axle}_${name}`, value]),
      ]),
    ],
    photos: [
      {
        id: crypto.randomUUID(),
        name: 'a.jpg',
        type: 'image/jpeg',
        base64: (await photoOf('#1414a0')).toString('base64'),
      },
    ],
  };
  await signInAs(page, admin);
  await openField(page);
  await page.getByRole('link', { name: /^Outbox/ }).click();
  await page.getByText('Open a visit that was saved as a file').click();
  const choose = (text: string) =>
    page
      .getByLabel('File')
      .setInputFiles({ name: 'x.visit.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await choose('{"format": "something else"}');
  await expect(page.getByText('This is not the file of a visit.')).toBeVisible();
  await choose(JSON.stringify(file));
  const preview = page.getByRole('region', { name: `The file’s visit to ${rego}` });
  await expect(preview).toContainText('Kim Far');
  await expect(preview).toContainText('Were you there, and read rego and VIN?');
  expect(
    await registry.db.selectFrom('calibrationSet').select('id').where('captureId', '=', file.id).execute(),
  ).toEqual([]);
  await preview.getByRole('button', { name: 'Yes, I was there' }).click();
  await expect(page.getByRole('article', { name: `Visit to ${rego}` })).toContainText('Recorded.');
  await page.goto(`/vehicles/view/${rego}`);
  await expect(
    page.getByText(/captured on a phone on .* by its clock, received .* from a file that names Kim Far/),
  ).toBeVisible();
});

test('anybody who is not signed in finds the trucks that were looked up last, with their age, also without a network', async ({
  browser,
  registry,
}) => {
  const context = await browser.newContext({ baseURL: registry.url, viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.goto('/vehicles/view/XV04KL');
  await hydrated(page);
  await page.goto('/field');
  await hydrated(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await context.setOffline(true);
  await page.clock.setSystemTime(Date.now() + 28 * 3_600_000);
  await page.goto('/field');
  await hydrated(page);
  const lookedUp = page.getByRole('listitem').filter({ hasText: 'XV04KL' });
  await expect(lookedUp).toContainText('Valid');
  await expect(lookedUp).toContainText('1 day 4 hours old');
  await expect(lookedUp).toContainText('as at');
  await context.close();
});

test('a new version of the program takes over when nothing is unsent', async ({ browser, registry }) => {
  const technician = await newPerson(registry, 'technician');
  const rego = await truck(registry);
  await recordSet(registry, technician, rego, 100);
  const next = await startNextVersion(registry.url);
  const context = await browser.newContext({ baseURL: next.url });
  const page = await context.newPage();
  await signInAs(page, technician);
  await openField(page);
  // A worker has the page from its second visit on. Signed out, nothing is sent.
  await page.reload();
  await hydrated(page);
  await context.clearCookies();
  await recordVisit(page, rego, '#808014');
  await page.getByRole('link', { name: /^Outbox/ }).click();
  next.release();
  // The page loads itself again when the next version takes over.
  const waits = () =>
    page
      .evaluate(async () => (await navigator.serviceWorker.getRegistration('/field'))?.waiting?.state ?? 'none')
      .catch(() => 'loading');
  // Asked again, as by each page that opens: an installation fails when one of its files does.
  const update = () =>
    page
      .evaluate(async () => void (await (await navigator.serviceWorker.getRegistration('/field'))?.update()))
      .catch(() => null)
      .then(waits);
  // A form that is open says it, and keeps what was typed.
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByLabel('Notes (optional)').fill('Typed before the new version.');
  await expect.poll(update).toBe('installed');
  await expect(page.getByText('A new version is here.')).toBeVisible();
  await expect(page.getByLabel('Notes (optional)')).toHaveValue('Typed before the new version.');
  await page.getByRole('button', { name: 'Save on this phone' }).click();
  await expect(page.getByRole('heading', { name: 'Saved on this phone, not sent yet' })).toBeVisible();
  await page.reload();
  await hydrated(page);
  await page.waitForTimeout(500);
  expect(await waits()).toBe('installed');
  await signInAs(page, technician);
  await page.getByRole('link', { name: /^Outbox/ }).click();
  await page.getByRole('button', { name: 'Try now' }).click();
  await expect(page.getByRole('article', { name: `Visit to ${rego}` })).toContainText('Recorded.');
  await expect.poll(waits).toBe('none');
  await context.close();
  await next.stop();
});
