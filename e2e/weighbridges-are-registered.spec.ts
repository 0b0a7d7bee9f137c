// The register of weighbridges: an admin keeps it, anybody reads it.
import type { Page } from '@playwright/test';
import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import { tooWide } from './fits.ts';
import { newPerson, signInAs } from './people.ts';
import { expect, hydrated, runEffectsLate, test, toast } from './registry.ts';

const NAME = `Example Creek ${process.pid}`;
const today = todayIn('Australia/Sydney');

async function fillFacts(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Place').fill('Example Creek');
  await page.getByLabel('State or territory').selectOption('VIC');
  await page.getByLabel('Latitude').fill('-30.0000');
  await page.getByLabel('Longitude').fill('155.0000');
  await page.getByLabel('Operator').fill('Example Creek Bulk Pty Ltd');
  await page.getByLabel('Capacity, kg').fill('80,000');
  await page.getByLabel('Verification interval e, kg').fill('20');
}

test('an admin adds a weighbridge, its verification and a repair; a wrong period is withdrawn', async ({
  page,
  registry,
  quiet,
}) => {
  quiet.allow(/status of 400/);
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Weighbridges' }).first().click();
  await page.getByRole('link', { name: 'Add weighbridge' }).click();
  await hydrated(page);
  await page.getByRole('button', { name: 'Add weighbridge' }).click();
  await expect(page.getByText('A name is required.').last()).toBeVisible();
  await fillFacts(page, NAME);
  await page.getByRole('button', { name: 'Add weighbridge' }).click();
  await expect(toast(page, 'Weighbridge added successfully.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(NAME);
  await expect(page.getByText('No verification covers today')).toBeVisible();

  await page.getByRole('link', { name: 'Add verification' }).click();
  await page.getByLabel('Certificate number').fill('VC-88213');
  await page.getByLabel('From').fill(today);
  await page.getByRole('button', { name: /^12 months:/ }).click();
  await expect(page.getByLabel('To', { exact: true })).not.toHaveValue('');
  await page.getByLabel('Certificate (optional)').setInputFiles({
    name: 'certificate.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'),
  });
  await expect(page.getByText('Done')).toBeVisible();
  await page.getByRole('button', { name: 'Add verification' }).click();
  await expect(toast(page, 'Verification period added.')).toBeVisible();
  await expect(page.getByText('A verification covers today')).toBeVisible();
  const file = await page.getByRole('link', { name: 'Certificate VC-88213' }).getAttribute('href');
  expect((await page.request.get(file ?? '')).headers()['content-type']).toBe('application/pdf');

  await page.getByRole('link', { name: 'Note a repair' }).click();
  await page.getByLabel('Day of the repair').fill('2026-03-02');
  await page.getByLabel('What was repaired').fill('Load cell 3 replaced');
  await page.getByRole('button', { name: 'Note repair' }).click();
  await expect(toast(page, 'Repair noted.')).toBeVisible();
  await expect(page.getByText('Load cell 3 replaced')).toBeVisible();

  await page.getByRole('link', { name: 'Withdraw VC-88213' }).click();
  await page.getByLabel('Reason').fill('Of another weighbridge.');
  // The form's own page leads away now: its message comes nevertheless.
  await runEffectsLate(page);
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await expect(toast(page, 'Verification period withdrawn.')).toBeVisible();
  await expect(page.getByText('No verification covers today')).toBeVisible();
  await expect(page.getByText(/Withdrawn on .* by Mia Kowalski: Of another weighbridge\./)).toBeVisible();
  expect((await page.request.get(file ?? '')).status()).toBe(410);
});

test('a CSV file is taken, its wrong lines are named, and an open list follows', async ({
  page,
  registry,
  browser,
  quiet,
}) => {
  quiet.allow(/status of 400/);
  const anybody = await browser.newContext({ baseURL: registry.url });
  const list = await anybody.newPage();
  await list.goto('/references?q=Hollow');
  await hydrated(list);
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto('/references/import');
  await hydrated(page);
  const csv = `name,place,state,certificate_number,from\nHollow Ridge,Ridge,NSW,NC-1,${addDays(today, -1)}\nHollow Plain,Plain,XX,,\n`;
  await page
    .getByLabel('Excel, LibreOffice or CSV file')
    .setInputFiles({ name: 'w.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await page.getByRole('button', { name: 'Import' }).click();
  await expect(page.getByText('Line 3: state: Choose a state or territory.')).toBeVisible();
  await expect(page.getByLabel('Lines', { exact: true })).toHaveValue(csv);
  await page.getByLabel('Lines', { exact: true }).fill(csv.replace('XX', 'SA'));
  await page.getByRole('button', { name: 'Import' }).click();
  await expect(page.getByText('Weighbridges: 2 added, 0 updated, 0 unchanged.')).toBeVisible();
  await expect(list.getByRole('rowheader')).toHaveText([/^Hollow Plain/, /^Hollow Ridge/]);
  await expect(list.getByRole('row', { name: /Hollow Ridge/ })).toContainText('Current');
  await expect(list.getByRole('link', { name: 'Add weighbridge' })).toHaveCount(0);
  await anybody.close();
});

test('with the longest texts each page fits, for anybody and for an admin', async ({ page, registry }) => {
  const long = (length: number) => 'W'.repeat(length);
  const admin = await newPerson(registry, 'admin');
  const { id: actorId } = await registry.db
    .insertInto('actor')
    .values({ personId: admin.personId, name: long(200), email: admin.email })
    .returning('id')
    .executeTakeFirstOrThrow();
  const by = { addedBy: actorId, updatedBy: actorId };
  const { id } = await registry.db
    .insertInto('reference')
    .values({ name: long(120), place: long(120), state: 'NSW', operator: long(200), publicLicence: long(60), ...by })
    .returning('id')
    .executeTakeFirstOrThrow();
  const period = { referenceId: id, certificateNumber: long(60), toOn: '2099-12-31', addedBy: actorId };
  const { id: verification } = await registry.db
    .insertInto('referenceVerification')
    .values([{ ...period, fromOn: '2026-01-01' }])
    .returning('id')
    .executeTakeFirstOrThrow();
  await registry.db
    .insertInto('referenceVerification')
    .values({ ...period, fromOn: '2020-01-01', removedAt: new Date(), removedBy: actorId, removedReason: long(500) })
    .execute();
  await registry.db
    .insertInto('referenceRepair')
    .values({ referenceId: id, onDay: '2026-01-01', note: long(200), addedBy: actorId })
    .execute();
  const forAll = ['/references', `/references/${id}`];
  const forAdmins = [
    '/references/new',
    '/references/import',
    `/references/${id}/update`,
    `/references/${id}/verify`,
    `/references/${id}/repair`,
    `/references/${id}/withdraw/${verification}`,
  ];
  for (const pages of [forAll, [...forAll, ...forAdmins]]) {
    for (const address of pages) {
      await page.goto(address);
      for (const width of [320, 390, 600, 830, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        expect.soft([address.slice(0, 60), width, await tooWide(page)]).toEqual([address.slice(0, 60), width, []]);
      }
    }
    await signInAs(page, admin);
  }
});
