import { honestReadings, nextNudge } from '#test/visits.ts';
import { fieldsOf, fillTime } from './all-axles.ts';
import { startNextVersion } from './next-version.ts';
import { fillSignIn, newPerson, signInAs } from './people.ts';
import { photoOf } from './photos.ts';
import { expect, hydrated, test } from './registry.ts';
import { recordSet, truck } from './visits.ts';

test.use({ viewport: { width: 390, height: 844 } });

test('a sign-in from /field comes back to where it began, also by way of a forgotten password', async ({
  page,
  registry,
}) => {
  const technician = await newPerson(registry, 'technician');
  await page.goto('/field#outbox');
  await hydrated(page);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.waitForURL('**/tech-login?to=%2Ffield%23outbox');
  await hydrated(page);
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await page.getByRole('link', { name: 'Back to login' }).click();
  await page.waitForURL('**/login?to=%2Ffield%23outbox');
  await fillSignIn(page, technician.email);
  await page.waitForURL('**/field#outbox');
  await expect(page.getByText('Connected')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Everything is sent' })).toBeVisible();
  // In a browser nothing is missing.
  await expect(page.getByText('typed in the browser')).toHaveCount(0);
});

test('an empty outbox of an installed page says where a visit of the browser is', async ({ page }) => {
  // As iOS says it.
  await page.addInitScript(() => Object.defineProperty(navigator, 'standalone', { value: true }));
  await page.goto('/field#outbox');
  await hydrated(page);
  await expect(
    page.getByText('A visit that you typed in the browser is in the browser: open /field there'),
  ).toBeVisible();
});

test('an open form says that there is a new version, and is sent as it was typed', async ({ browser, registry }) => {
  const technician = await newPerson(registry, 'technician');
  const next = await startNextVersion(registry.url);
  const context = await browser.newContext({ baseURL: next.url });
  const page = await context.newPage();
  await signInAs(page, technician);
  const listed = page.waitForResponse('**/program.json');
  await page.goto('/vehicles/new');
  await hydrated(page);
  await listed;
  await page.getByRole('textbox', { name: 'Rego' }).fill('NEWV1');
  next.release();
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(page.getByText('A new version is here. Send what you typed, then open the page again.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Rego' })).toHaveValue('NEWV1');
  await page.getByRole('button', { name: 'Add Vehicle' }).click();
  await page.waitForURL(/\/vehicles\?at=/);
  await context.close();
  await next.stop();
});

test('an empty day says so beside it, and no longer once it has one', async ({ page, registry }) => {
  const technician = await newPerson(registry, 'technician');
  const rego = await truck(registry);
  await recordSet(registry, technician, rego, 100);
  await signInAs(page, technician);
  await page.goto(`/vehicles/calibrate/${rego}`);
  await hydrated(page);
  const due = page.getByLabel('Calibration due date');
  const none = page.locator('[data-field="due_date"]').getByText('No date');
  await expect(none).toBeHidden();
  await due.fill('');
  await expect(none).toBeVisible();
  await expect(due).toHaveAccessibleDescription(/No date/);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  // What a draft fills in counts, too.
  await due.fill('2027-05-14');
  await page.reload();
  await hydrated(page);
  await expect(due).toHaveValue('2027-05-14');
  await expect(none).toBeHidden();
});

test('photos of a form are there again when the browser was ended, and go when it is sent', async ({
  page,
  registry,
  quiet,
}) => {
  quiet.allow(/ERR_FAILED/);
  const technician = await newPerson(registry, 'technician');
  const rego = await truck(registry);
  await recordSet(registry, technician, rego, 100);
  await signInAs(page, technician);
  await page.goto(`/vehicles/calibrate/${rego}`);
  await hydrated(page);
  await page.waitForLoadState('networkidle');
  const photos = page.getByLabel('Photos (optional)');
  const choose = async (name: string, buffer: Buffer) => photos.setInputFiles({ name, mimeType: 'image/jpeg', buffer });
  await choose('good.jpg', await photoOf('#204060'));
  await expect(page.getByText('Done')).toHaveCount(1);
  // The second does not get through before the browser ends.
  await page.route('**/uploads', (route) => route.abort());
  await choose('later.jpg', await photoOf('#602040'));
  // A bad one is said at once, and holds nothing back.
  await choose('black.jpg', Buffer.from('no picture'));
  await expect(page.getByRole('alert')).toContainText('cannot be read. The visit goes without it.');
  const kept = () =>
    page.evaluate(async () => {
      const asked = indexedDB.open('field');
      const db = await new Promise<IDBDatabase>((resolve) => (asked.onsuccess = () => resolve(asked.result)));
      const all = db.transaction('photos').objectStore('photos').getAll();
      const photos = await new Promise<{ bytes: unknown }[]>((resolve) => (all.onsuccess = () => resolve(all.result)));
      db.close();
      return photos.map(({ bytes }) => bytes instanceof Uint8Array);
    });
  await expect.poll(kept).toEqual([true, true]);
  await page.goto('about:blank');
  await page.unroute('**/uploads');
  await page.goto(`/vehicles/calibrate/${rego}`);
  await hydrated(page);
  await expect(page.getByText('Done')).toHaveCount(2);
  for (const name of ['good.jpg', 'later.jpg']) await expect(page.getByText(name)).toBeVisible();
  await page.getByLabel(`I have read rego ${rego} and this VIN`).check();
  await fillTime(page);
  const nudge = nextNudge();
  for (const [label, axle] of [
    ['Steer', 'STEER'],
    ['Drive', 'DRIVE'],
  ] as const) {
    const four = Object.values(honestReadings(axle, nudge));
    for (const [place, box] of fieldsOf(page, label).entries()) await box.fill(four[place] ?? '');
  }
  await page.getByRole('button', { name: 'Record calibration' }).click();
  await page.waitForURL(`**/vehicles/view/${rego}`);
  const set = await registry.db
    .selectFrom('calibrationSet')
    .innerJoin('vehicle', 'vehicle.id', 'calibrationSet.vehicleId')
    .select(['photoName', 'morePhotoIds'])
    .where('rego', '=', rego)
    .where('captureId', 'is not', null)
    .executeTakeFirstOrThrow();
  expect(set).toEqual({ photoName: expect.stringMatching(/^(good|later)\.jpg$/), morePhotoIds: [expect.any(String)] });
  await expect.poll(kept).toEqual([]);
});
