// The dashboard and the list of vehicles: numbers that lead to what they count, filters and orders in the address.
import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import { expect, hydrated, test } from './registry.ts';
import { newPerson, sessionOf, signInAs } from './people.ts';

const PREFIX = `L${process.pid % 10_000}X`;

test('an admin finds a vehicle in the list, filters by verdict, sorts, and takes it away as CSV', async ({
  page,
  registry,
}) => {
  const today = todayIn('Australia/Sydney');
  const rows = Array.from({ length: 23 }, (_, index) => ({
    rego: `${PREFIX}${String(index).padStart(2, '0')}`,
    vin: index === 3 ? '6T9LISTED00000001' : '',
    companyName: index === 4 ? '=HYPERLINK("http://evil.example")' : '',
    calibrationValidated: index % 2 === 0,
    nextCalibrationDueOn: addDays(today, index - 12),
    lastCalibratedAt: index === 5 ? null : new Date('2026-05-01T00:00:00Z'),
  }));
  await registry.db.insertInto('vehicle').values(rows).execute();
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'See all vehicles' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Vehicles');
  await hydrated(page);

  await page.keyboard.press('/');
  await expect(page.getByPlaceholder('Search Vehicle...')).toBeFocused();
  await page.getByPlaceholder('Search Vehicle...').pressSequentially(PREFIX.toLowerCase());
  await expect(page.getByText('Page 1 of 3')).toBeVisible();
  await expect(page.getByRole('main').getByRole('status')).toHaveText('23 vehicles');
  await expect(page).toHaveURL(new RegExp(`/vehicles\\?q=${PREFIX}$`, 'i'));
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page.getByText('Page 2 of 3')).toBeVisible();
  await expect(page.getByRole('rowheader')).toHaveCount(10);
  await expect(page.getByRole('rowheader').first()).toContainText(`${PREFIX}10`);

  // Twelve of 23 are validated; those of them due before today are overdue.
  await page.getByRole('link', { name: /^Overdue \d/ }).click();
  await expect(page.getByRole('main').getByRole('status')).toHaveText('6 vehicles');
  await expect(page.getByRole('link', { name: 'Overdue 6' })).toHaveAttribute('aria-current', 'true');
  const due = page.getByRole('columnheader', { name: /Valid Calibration/ });
  await page.getByRole('link', { name: 'Valid Calibration' }).click();
  await expect(page).toHaveURL(/sort=due&dir=asc/);
  // The address changes before the list does.
  await expect(due).toHaveAttribute('aria-sort', 'ascending');
  await page.getByRole('link', { name: 'Valid Calibration' }).click();
  await expect(page).toHaveURL(/sort=due&dir=desc/);
  await expect(due).toHaveAttribute('aria-sort', 'descending');
  await expect(page.getByRole('rowheader').first()).toContainText(`${PREFIX}10`);
  await page.goBack();
  await expect(page.getByRole('rowheader').first()).toContainText(`${PREFIX}00`);

  await page.goto(`/vehicles?q=${PREFIX}&verdict=overdue,due-soon`);
  await expect(page.getByRole('main').getByRole('status')).toHaveText('12 vehicles');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  const file = await (await download).createReadStream();
  const parts: Buffer[] = [];
  for await (const part of file) parts.push(part as Buffer);
  const lines = Buffer.concat(parts).toString('utf8').split('\r\n');
  expect(lines[0]).toMatch(/^\uFEFFrego,(?:\w+,)?vin,/);
  expect(lines.filter((line) => line.startsWith(PREFIX))).toHaveLength(12);
  expect(lines.find((line) => line.startsWith(`${PREFIX}04`))).toContain(`"'=HYPERLINK(""http://evil.example"")"`);

  // A company and a scale serial are filters of their own; the search box is of rego and VIN.
  await page.goto(`/vehicles?q=${PREFIX}`);
  await hydrated(page);
  await page.getByPlaceholder('Filter by Company...').fill('hyperlink');
  await expect(page.getByRole('main').getByRole('status')).toHaveText('1 vehicle');
  await expect(page.getByRole('link', { name: 'Never calibrated 0' })).toBeVisible();
  await page.getByPlaceholder('Filter by Scale Serial...').fill('LC-9');
  await expect(page.getByText(`No vehicle matches “${PREFIX}” and “hyperlink” and “LC-9”`)).toBeVisible();

  // Each icon leads where it says.
  await page.goto(`/vehicles?q=${PREFIX}03`);
  await page.getByRole('link', { name: `Edit ${PREFIX}03` }).click();
  await expect(page).toHaveURL(`/vehicles/update/${PREFIX}03`);
  await page.goto(`/vehicles?q=6T9LISTED`);
  await page.getByRole('link', { name: `Delete ${PREFIX}03` }).click();
  await expect(page.getByText('Are you sure that you wanted to delete this record.')).toBeVisible();
});

test('a technician sees the list without delete, and a change of somebody else within a second', async ({
  page,
  registry,
}) => {
  const rego = `${PREFIX}LIVE`;
  await signInAs(page, await newPerson(registry, 'technician'));
  await page.goto(`/vehicles?q=${rego}`);
  await hydrated(page);
  await expect(page.getByText(`No vehicle matches “${rego}”`)).toBeVisible();
  await page.waitForTimeout(500);
  const { cookie } = await sessionOf(registry, await newPerson(registry, 'admin'));
  const form = new FormData();
  form.set('rego', rego);
  const sent = await fetch(`${registry.url}/vehicles/new`, {
    method: 'POST',
    body: form,
    headers: { cookie, origin: registry.url },
    redirect: 'manual',
  });
  expect(sent.status).toBe(303);
  await expect(page.getByRole('rowheader')).toContainText(rego);
  await expect(page.getByRole('link', { name: `View ${rego}` })).toBeVisible();
  await expect(page.getByRole('link', { name: `Delete ${rego}` })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Deleted' })).toHaveCount(0);
});

test('the list hides the columns that the screen has no room for', async ({ page, registry }) => {
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto('/vehicles');
  const seen = async () =>
    (await page.getByRole('columnheader').allInnerTexts()).map((text) => text.trim()).filter((text) => text !== '');
  const all = [
    'Tick',
    'Rego',
    'VIN',
    'Warranty Expiry',
    'Scale Serial Number',
    'Valid Calibration',
    'Certificate',
    'Action',
  ];
  const widest = all.toSpliced(3, 0, 'Company');
  for (const [width, columns] of [
    [1400, widest],
    [1399, all],
    [1280, all],
    [825, all],
    [824, all.filter((name) => name !== 'VIN')],
    [560, all.filter((name) => name !== 'VIN')],
    [559, ['Tick', 'Rego', 'Action']],
    [320, ['Tick', 'Rego', 'Action']],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    expect([width, await seen()]).toEqual([width, columns]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect([width, overflow]).toEqual([width, 0]);
    // From a desk no row's actions are behind an edge.
    const box = page.locator('.table-scroll');
    const hidden = await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    if (width >= 1280) expect([width, hidden]).toEqual([width, 0]);
  }
});

test('the dashboard counts, says what needs a hand, and follows what others do', async ({ page, registry }) => {
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto('/dashboard');
  await hydrated(page);
  for (const title of ['Admins', 'Vehicles', 'Applications', 'Technicians'])
    await expect(page.getByRole('list', { name: 'Counts' }).getByRole('heading', { name: title })).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByRole('dialog', { name: 'Find anything' }).getByRole('textbox')).toBeFocused();
  await page.keyboard.press('Escape');
  const total = page.getByRole('heading', { name: /vehicles by verdict$/ });
  const before = Number.parseInt((await total.innerText()).replaceAll(',', ''), 10);
  await page.waitForTimeout(500);
  const { cookie } = await sessionOf(registry, await newPerson(registry, 'technician'));
  const form = new FormData();
  form.set('rego', `${PREFIX}DASH`);
  await fetch(`${registry.url}/vehicles/new`, {
    method: 'POST',
    body: form,
    headers: { cookie, origin: registry.url },
    redirect: 'manual',
  });
  // Other tests add vehicles meanwhile, so the count grows by at least one.
  await expect
    .poll(async () => Number.parseInt((await total.innerText()).replaceAll(',', ''), 10))
    .toBeGreaterThan(before);
  // The oldest due date first here too, and all of them.
  await expect(page.getByRole('link', { name: /^See all [\d,]+ ?overdue and due soon$/ })).toHaveAttribute(
    'href',
    '/vehicles?verdict=overdue,due-soon&sort=due&dir=asc',
  );
  const overdue = page.getByRole('main').getByRole('link', { name: /^\d+ overdue$/ });
  const count = (await overdue.innerText()).replace(/\D/g, '');
  await overdue.click();
  await expect(page).toHaveURL(/verdict=overdue/);
  await expect(page.getByRole('main').getByRole('status')).toHaveText(new RegExp(`^${count} vehicles?$`));
});

test('a technician finds every calibration of their own, page by page and by rego', async ({ page, registry }) => {
  const person = await newPerson(registry, 'technician');
  const rego = `${PREFIX}MINE`;
  const { id: vehicleId } = await registry.db
    .insertInto('vehicle')
    .values({ rego })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: technicianId } = await registry.db
    .selectFrom('actor')
    .select('id')
    .where('personId', '=', person.personId)
    .executeTakeFirstOrThrow();
  const begun = Date.now();
  const reading = (index: number) => ({
    rego,
    id: begun - index * 60_000,
    vehicleId,
    axle: 'STEER' as const,
    attribute: 'Empty Volt' as const,
    value: `0.${100 + index}`,
    calibratedAt: new Date(begun - index * 60_000),
    technicianId,
  });
  await registry.db
    .insertInto('calibration')
    .values(Array.from({ length: 23 }, (_, index) => reading(index)))
    .execute();
  await signInAs(page, person);
  await page.goto('/dashboard');
  await expect(page.getByRole('link', { name: 'See all 23' })).toHaveAttribute('href', '/my-calibrations');
  await page.getByRole('navigation', { name: 'Back office' }).getByRole('link', { name: 'My calibrations' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My calibrations');
  await expect(page.getByRole('main').getByRole('status')).toHaveText('23 calibrations');
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page.getByText('Page 2 of 3')).toBeVisible();
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page.getByText('Page 3 of 3')).toBeVisible();
  await expect(page.getByText('0.122 V')).toBeVisible();
  await hydrated(page);
  await page.getByPlaceholder('Search Calibration...').fill(`${rego}X`);
  await expect(page.getByText(`No calibration matches “${rego}X”`)).toBeVisible();
  await page.getByPlaceholder('Search Calibration...').fill(rego.toLowerCase());
  await expect(page.getByRole('main').getByRole('status')).toHaveText('23 calibrations');
});

test('a delete that is cancelled, and one that is done, leads back to the list as it was left', async ({
  page,
  registry,
  quiet,
}) => {
  // Back leads to the page of the vehicle that is removed.
  quiet.allow(/status of 410/);
  const prefix = `D${process.pid % 10_000}X`;
  const rows = Array.from({ length: 25 }, (_, index) => ({ rego: `${prefix}${String(index).padStart(2, '0')}` }));
  await registry.db.insertInto('vehicle').values(rows).execute();
  await page.setViewportSize({ width: 1000, height: 420 });
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto('/dashboard');
  const address = `/vehicles?q=${prefix}&verdict=never-calibrated&page=2`;
  await page.goto(address);
  // The second visit does not show the message of the sign-in.
  await page.reload();
  await hydrated(page);
  const question = page.getByRole('dialog', { name: 'Delete record' });
  const asLeft = async (scrolled: number) => {
    await expect(question).toHaveCount(0);
    await expect(page).toHaveURL(address);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(scrolled);
  };
  const openQuestion = async (index: number) => {
    const link = page.getByRole('link', { name: `Delete ${prefix}${index}`, exact: true });
    await link.scrollIntoViewIfNeeded();
    const scrolled = await page.evaluate(() => window.scrollY);
    expect(scrolled).toBeGreaterThan(0);
    await link.click();
    // Visible, it becomes modal with the next effect: a key that is pressed within that moment is nobody's.
    await expect.poll(() => question.evaluate((dialog) => dialog.matches(':modal'))).toBe(true);
    return scrolled;
  };
  for (const cancel of [
    () => page.getByRole('link', { name: 'Cancel' }).click(),
    () => page.keyboard.press('Escape'),
    () => question.getByRole('link', { name: 'Close' }).click(),
  ]) {
    const scrolled = await openQuestion(18);
    await cancel();
    await asLeft(scrolled);
  }
  const scrolled = await openQuestion(18);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await asLeft(scrolled);
  await expect(page.getByText('Record deleted successfully.').first()).toBeVisible();
  await expect(page.getByRole('rowheader')).toHaveCount(10);
  // From the page of a vehicle: cancelled, to that page; done, to the list.
  await page
    .getByRole('link', { name: `${prefix}19`, exact: true })
    .first()
    .click();
  // The list has a link of that name too.
  await expect(page).toHaveURL(new RegExp(`/vehicles/view/${prefix}19\\?from=`));
  await page.getByRole('link', { name: `Delete ${prefix}19` }).click();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(new RegExp(`/vehicles/view/${prefix}19`));
  await page.getByRole('link', { name: `Delete ${prefix}19` }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page).toHaveURL(address);
  await page.goBack();
  await expect(page).not.toHaveURL(/delete/);
});
