import type { Page } from '@playwright/test';
import { honestReadings, nextNudge } from '#test/visits.ts';
import { fieldsOf, fillTime } from './all-axles.ts';
import { newPerson, signInAs, type Person } from './people.ts';
import { photoOf } from './photos.ts';
import { expect, hydrated, runEffectsLate, test } from './registry.ts';
import { recordSet, truck } from './visits.ts';
import type { StartedRegistry } from '#test/start-registry.ts';

test.use({ viewport: { width: 390, height: 844 } });

const AXLES = [
  ['Steer', 'STEER'],
  ['Drive', 'DRIVE'],
] as const;

const photo = async (background: string) => ({
  name: 'ticket.jpg',
  mimeType: 'image/jpeg',
  buffer: await photoOf(background, { width: 900, height: 600 }),
});

/** The form of all axles, filled in. */
async function openForm(page: Page, registry: StartedRegistry, technician: Person): Promise<string> {
  const rego = await truck(registry);
  await recordSet(registry, technician, rego, 100);
  await signInAs(page, technician);
  await page.goto(`/vehicles/calibrate/${rego}`);
  await hydrated(page);
  await fillTime(page);
  const nudge = nextNudge();
  for (const [label, axle] of AXLES) {
    const four = Object.values(honestReadings(axle, nudge));
    for (const [place, box] of fieldsOf(page, label).entries()) await box.fill(four[place] ?? '');
  }
  await page.waitForLoadState('networkidle');
  return rego;
}

const confirm = (page: Page, rego: string) => page.getByLabel(`I have read rego ${rego} and this VIN`).check();
const record = (page: Page) => page.getByRole('button', { name: 'Record calibration' }).click();
const keep = (page: Page) => page.getByRole('button', { name: 'Keep on this phone' }).click();
const saved = (page: Page) => page.getByRole('heading', { name: 'Saved on this phone, not sent yet' });

const setsOf = ({ db }: StartedRegistry, rego: string) =>
  db
    .selectFrom('calibrationSet')
    .innerJoin('vehicle', 'vehicle.id', 'calibrationSet.vehicleId')
    .select(['capturedAt', 'photoName'])
    .where('rego', '=', rego)
    .where('captureId', 'is not', null)
    .execute();

test('the line is gone: the visit is kept on the phone, and goes by itself', async ({
  page,
  context,
  registry,
  quiet,
}) => {
  quiet.allow(/ERR_INTERNET_DISCONNECTED|Failed to fetch/);
  const technician = await newPerson(registry, 'technician');
  const rego = await openForm(page, registry, technician);
  await context.setOffline(true);
  await record(page);
  await expect(page.getByText('Not saved: offline.')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  // What is wrong is said at once, and nothing is lost.
  await keep(page);
  await expect(page.getByText('Confirm that this is the truck in front of you.').last()).toBeVisible();
  await confirm(page, rego);
  // A photo that cannot be uploaded holds the form back; the phone takes it with the visit, however soon it is kept.
  await runEffectsLate(page);
  await page.getByLabel('Photos (optional)').setInputFiles(await photo('#203040'));
  await expect(page.getByText('ticket.jpg')).toBeVisible();
  await keep(page);
  await expect(saved(page)).toBeFocused();
  await context.setOffline(false);
  await page.getByRole('link', { name: 'See the outbox' }).click();
  await expect(page.getByRole('article', { name: `Visit to ${rego}` })).toContainText('Recorded. It counts: due');
  expect(await setsOf(registry, rego)).toEqual([{ capturedAt: expect.any(Date), photoName: 'ticket.jpg' }]);
  // The form is new: what was kept is no longer a draft.
  await page.goto(`/vehicles/calibrate/${rego}`);
  await hydrated(page);
  await expect(page.getByText('What you typed before has been filled in.')).toBeHidden();
});

test('only the answer was lost: kept on the phone too, the visit is recorded once', async ({
  page,
  registry,
  quiet,
}) => {
  quiet.allow(/ERR_FAILED/);
  const technician = await newPerson(registry, 'technician');
  const rego = await openForm(page, registry, technician);
  await confirm(page, rego);
  await page.route(`**/vehicles/calibrate/${rego}.data*`, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await record(page);
  await expect(page.getByText('Not saved: no answer.')).toBeVisible();
  await keep(page);
  await expect(saved(page)).toBeVisible();
  await page.getByRole('link', { name: 'See the outbox' }).click();
  const card = page.getByRole('article', { name: `Visit to ${rego}` });
  await expect(card).toContainText('Recorded. It counts: due');
  await expect(card).not.toContainText('as it was first sent');
  expect(await setsOf(registry, rego)).toEqual([{ capturedAt: null, photoName: '' }]);
});

test('a photo on a line that does not move: the visit can be kept', async ({ page, registry, quiet }) => {
  quiet.allow(/ERR_FAILED/);
  const technician = await newPerson(registry, 'technician');
  const rego = await openForm(page, registry, technician);
  await confirm(page, rego);
  await page.route('**/uploads', (route) => route.abort());
  await page.getByLabel('Photos (optional)').setInputFiles(await photo('#302040'));
  await keep(page);
  await expect(saved(page)).toBeVisible();
  await page.unroute('**/uploads');
  await page.getByRole('link', { name: 'See the outbox' }).click();
  await expect(page.getByRole('article', { name: `Visit to ${rego}` })).toContainText('Recorded. It counts: due');
  expect(await setsOf(registry, rego)).toEqual([{ capturedAt: expect.any(Date), photoName: 'ticket.jpg' }]);
});
