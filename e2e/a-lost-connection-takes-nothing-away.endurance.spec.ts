import type { Page } from '@playwright/test';
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import type { StartedRegistry } from '#test/start-registry.ts';
import { FAULTS, FAULT_WORDS, isPageData, meet, STRANGERS, type Fault } from './faults.ts';
import { newPerson, signInAs } from './people.ts';
import { expect, hydrated, test } from './registry.ts';
import { newVehicle } from './vehicles.ts';

const ERROR_SCREEN = 'Unexpected Application Error!';
const bar = (page: Page) => page.locator('.connection-bar:visible');
const beside = (page: Page) => page.locator('.note:visible').filter({ hasText: 'No connection.' });

let named = 0;
/** Changes the vehicle's company, and notifies open pages. */
async function rename(registry: StartedRegistry, rego: string): Promise<string> {
  const companyName = `Haulage ${(named += 1)}`;
  await registry.db.transaction().execute(async (tx) => {
    await tx
      .updateTable('vehicle')
      .set(({ eb }) => ({ companyName, version: eb('version', '+', 1) }))
      .where('rego', '=', rego)
      .execute();
    await appendActivities(tx, [{ kind: 'vehicle.updated', actorId: null, rego }]);
  });
  return companyName;
}

/** Without 'offline', in which a page receives no notification. Another test covers that. */
const HEARD: readonly Fault[] = FAULTS.filter((fault) => fault !== 'offline');

test.describe('a refresh that fails leaves the page as it is, says so, and catches up', () => {
  for (const { name, path, type, shows } of [
    { name: 'the public page of a vehicle', path: (rego: string) => `/vehicles/view/${rego}`, type: '', shows: true },
    { name: 'the public search', path: (rego: string) => `/?q=${rego}`, type: '', shows: false },
    { name: 'the list of vehicles', path: (rego: string) => `/vehicles?q=${rego}`, type: '', shows: false },
    { name: 'the form of a vehicle', path: (rego: string) => `/vehicles/update/${rego}`, type: 'Notes', shows: false },
    {
      name: 'the calibration dialog',
      path: (rego: string) => `/vehicles/view/${rego}?calibrate`,
      type: 'Value',
      shows: true,
    },
  ])
    test(name, async ({ page, registry, quiet }) => {
      quiet.allow(FAULT_WORDS);
      const rego = await newVehicle(registry);
      await signInAs(page, await newPerson(registry, 'technician'));
      if (name.includes('public')) await page.context().clearCookies();
      await page.goto(path(rego));
      await hydrated(page);
      if (type !== '') await page.getByLabel(type).fill('3940');
      for (const fault of HEARD) {
        const broken = await meet(page, fault, isPageData);
        const companyName = await rename(registry, rego);
        await expect(bar(page), fault).toContainText('This page may be out of date. Trying again…');
        await expect.poll(broken.met, fault).toBeGreaterThan(1);
        await expect(page.getByText(ERROR_SCREEN)).toHaveCount(0);
        if (type !== '') await expect(page.getByLabel(type)).toHaveValue('3940');
        await broken.mend();
        await expect(bar(page), fault).toHaveCount(0);
        if (shows) await expect(page.getByText(companyName).first()).toBeAttached();
        if (type !== '') await expect(page.getByLabel(type)).toHaveValue('3940');
      }
    });
});

test.describe('an answer that is not the registry’s is a lost connection', () => {
  for (const { name, path } of [
    { name: 'the public page of a vehicle', path: (rego: string) => `/vehicles/view/${rego}` },
    { name: 'the form of a vehicle', path: (rego: string) => `/vehicles/update/${rego}` },
  ])
    test(`to a refresh of ${name}`, async ({ page, registry, quiet }) => {
      quiet.allow(FAULT_WORDS);
      const rego = await newVehicle(registry);
      await signInAs(page, await newPerson(registry, 'technician'));
      await page.goto(path(rego));
      await hydrated(page);
      const notes = page.getByLabel('Notes');
      if (path(rego).includes('update')) await notes.fill('cold hands');
      for (const stranger of STRANGERS) {
        const broken = await meet(page, stranger, isPageData);
        await rename(registry, rego);
        await expect(bar(page), stranger).toContainText('This page may be out of date. Trying again…');
        await expect(page.getByText(ERROR_SCREEN), stranger).toHaveCount(0);
        await broken.mend();
        await expect(bar(page), stranger).toHaveCount(0);
        if (path(rego).includes('update')) await expect(notes, stranger).toHaveValue('cold hands');
      }
    });

  test('and so is none: a vehicle page and its Report say so within 5 s, and go on when the line does', async ({
    page,
    registry,
    quiet,
  }) => {
    quiet.allow(FAULT_WORDS);
    const rego = await newVehicle(registry);
    await page.goto(`/vehicles/view/${rego}`);
    await hydrated(page);
    const hangs = (url: URL) => /\.data$|^\/healthz$/.test(url.pathname);
    await page.route(hangs, () => {});
    await page.getByRole('link', { name: 'Report (PDF)' }).click();
    await expect(page.getByText('Nothing was fetched.')).toBeVisible({ timeout: 5000 });
    await page.getByRole('link', { name: 'Follow by email' }).click();
    await expect(bar(page)).toContainText('No connection.', { timeout: 5000 });
    await page.unroute(hangs);
    // The read that hung is answered now, before anybody presses the bar's button.
    await page.waitForURL(`**/vehicles/follow/${rego}`);
    await expect(bar(page)).toHaveCount(0);
    await page.goBack();
    const [report] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Report (PDF)' }).click(),
    ]);
    expect(report.suggestedFilename()).toMatch(/\.pdf$/);
  });

  test('to a search, and to a vehicle that was found', async ({ page, quiet }) => {
    quiet.allow(FAULT_WORDS);
    for (const stranger of STRANGERS) {
      await page.goto('/');
      await hydrated(page);
      const broken = await meet(page, stranger, isPageData);
      await page.getByRole('searchbox').pressSequentially('XV04KL');
      await expect(beside(page), stranger).toContainText('“XV04KL” is not searched yet.');
      await broken.mend();
      await beside(page).getByRole('button', { name: 'Try again' }).click();
      const found = page.getByRole('link', { name: 'View XV04KL' });
      await expect(found).toBeVisible();
      const brokenAgain = await meet(page, stranger, isPageData);
      await found.click();
      await expect(bar(page), stranger).toContainText('No connection.');
      await expect(page.getByRole('heading', { name: '1 vehicle matches “XV04KL”' })).toBeVisible();
      await brokenAgain.mend();
      await page.waitForURL('**/vehicles/view/XV04KL');
    }
  });
});

test('a refresh is tried again after longer and longer pauses, and at once when somebody looks', async ({
  page,
  registry,
}) => {
  const rego = await newVehicle(registry);
  // Records the times in the page, by the page's own clock.
  await page.addInitScript(() => {
    const send = globalThis.fetch;
    globalThis.fetch = (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input, window.location.href);
      const { dataset } = document.documentElement;
      if (!pathname.endsWith('.data') || dataset['lost'] !== 'yes') return send(input, init);
      dataset['asked'] = `${dataset['asked'] ?? ''} ${Date.now()}`;
      return Promise.reject(new TypeError('lost'));
    };
  });
  await page.clock.install();
  await page.goto(`/vehicles/view/${rego}`);
  await hydrated(page);
  await page.clock.pauseAt(Date.now() + 60_000);
  // What the page asked while it opened is not counted.
  await page.locator('html').evaluate((html) => html.setAttribute('data-lost', 'yes'));
  const asked = async () =>
    ((await page.locator('html').getAttribute('data-asked')) ?? '').trim().split(' ').filter(Boolean).map(Number);
  const companyName = await rename(registry, rego);
  await expect
    .poll(async () => {
      await page.clock.runFor(1000);
      return (await asked()).length;
    })
    .toBeGreaterThan(0);
  await page.clock.runFor(60_000);
  // One change may be told of twice, and each asks at once: the pauses begin after the last, wherever that is.
  const times = await asked();
  const pauses = times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / 1000);
  // 1, 2, 4 and 8 seconds, each a quarter more or less.
  const grow = (start: number) =>
    [1, 2, 4, 8].every((seconds, index) => Math.abs((pauses[start + index] ?? 0) / seconds - 1) < 0.26);
  expect(
    pauses.some((_, start) => grow(start)),
    pauses.join(' '),
  ).toBe(true);
  await expect(bar(page)).toContainText('This page may be out of date. Trying again…');
  for (const reason of ['online', 'focus', 'pageshow', 'visibilitychange']) {
    const before = (await asked()).length;
    await page.evaluate((type) => {
      (type === 'visibilitychange' ? document : window).dispatchEvent(new Event(type));
    }, reason);
    await expect.poll(async () => (await asked()).length, reason).toBe(before + 1);
  }
  await page.evaluate(() => {
    document.documentElement.dataset['lost'] = 'no';
    window.dispatchEvent(new Event('focus'));
  });
  await expect(page.getByText(companyName)).toBeVisible();
  await expect(bar(page)).toHaveCount(0);
});

test('a page that the server cannot reload stays too', async ({ page, registry, quiet }) => {
  quiet.allow(/50[03]/);
  const rego = await newVehicle(registry);
  await page.goto(`/vehicles/view/${rego}`);
  await hydrated(page);
  let isBack = false;
  await page.exposeFunction('serverIsBack', () => (isBack = true));
  await page.route('**/*.data*', (route) =>
    isBack
      ? route.continue()
      : route.fulfill({
          status: 500,
          headers: { 'x-remix-response': 'yes', 'x-request-id': 'a' },
          contentType: 'text/x-script',
          body: '["SanitizedError","Error","Unexpected Server Error"]',
        }),
  );
  await rename(registry, rego);
  await expect(bar(page)).toHaveText('This page may be out of date. Trying again…Try again');
  const companyName = await rename(registry, rego);
  // In one step: between two, the page might try again by itself, and the button be gone.
  await page.getByRole('button', { name: 'Try again' }).evaluate(async (button: HTMLElement) => {
    const isBackNow: unknown = Reflect.get(globalThis, 'serverIsBack');
    if (typeof isBackNow === 'function') await isBackNow();
    button.click();
  });
  await expect(page.getByText(companyName)).toBeVisible();
  await expect(bar(page)).toHaveCount(0);
});

test.describe('what is asked for without a connection keeps the page, says so, and comes later', () => {
  for (const fault of FAULTS)
    for (const path of ['/', '/search'])
      test(`a search on ${path}: ${fault}`, async ({ page, quiet }) => {
        quiet.allow(FAULT_WORDS);
        await page.goto(path);
        await hydrated(page);
        const broken = await meet(page, fault, isPageData);
        const box = page.getByRole('searchbox');
        await box.pressSequentially('XV0');
        await expect(beside(page)).toContainText('“XV0” is not searched yet.');
        await box.pressSequentially('4K');
        await expect(beside(page)).toContainText('“XV04K” is not searched yet.');
        await expect(box).toHaveValue('XV04K');
        await broken.mend();
        if (fault !== 'offline') await beside(page).getByRole('button', { name: 'Try again' }).click();
        await expect(page.getByRole('heading', { name: /matches “XV04K”/ })).toBeVisible();
        await expect(page.getByText('No connection.')).toHaveCount(0);
        await box.press('End');
        await box.pressSequentially('L');
        await expect(page.getByRole('heading', { name: '1 vehicle matches “XV04KL”' })).toBeVisible();
      });

  test('a vehicle that was found, for the first time, by a phone that has gone offline', async ({ page, quiet }) => {
    quiet.allow(FAULT_WORDS);
    const list: { public: string[] } = await (await page.request.get('/program.json')).json();
    const last = list.public.at(-1) ?? '';
    const isFetched = page.waitForResponse((answer) => answer.url().endsWith(last));
    await page.goto('/?q=XV04KL');
    await hydrated(page);
    await (await isFetched).finished();
    const broken = await meet(page, 'offline', isPageData);
    await page.getByRole('link', { name: 'View XV04KL' }).click();
    await expect(bar(page)).toContainText('No connection.');
    await expect(page.getByRole('heading', { name: '1 vehicle matches “XV04KL”' })).toBeVisible();
    await broken.mend();
    await page.waitForURL('**/vehicles/view/XV04KL');
    await expect(bar(page)).toHaveCount(0);
  });

  for (const fault of FAULTS)
    test(`an image of a vehicle, and the next one: ${fault}`, async ({ page, quiet }) => {
      quiet.allow(FAULT_WORDS);
      await page.goto('/vehicles/view/XV04KL');
      await hydrated(page);
      const dialog = page.getByRole('dialog');
      for (const { press, address, number } of [
        {
          press: () => page.getByRole('link', { name: 'XV04KL, 1 of 4' }).click(),
          address: /\/vehicles\/view\/XV04KL$/,
          number: 1,
        },
        {
          press: () => dialog.getByRole('link', { name: 'Next' }).click(),
          address: /\?image=1$/,
          number: 2,
        },
      ]) {
        const broken = await meet(page, fault, isPageData);
        await press();
        // An open dialog makes everything behind it inert.
        const waiting = number === 1 ? page.getByRole('status') : dialog.getByRole('status');
        await expect(waiting.filter({ hasText: 'No connection. What you asked for opens' })).toBeVisible();
        await expect(waiting.getByRole('button', { name: 'Try again' })).toBeVisible();
        await expect(page).toHaveURL(address);
        await expect(page.getByText(ERROR_SCREEN)).toHaveCount(0);
        await expect(page.getByRole('heading', { name: 'Vehicle details', includeHidden: true })).toBeVisible();
        await broken.mend();
        await expect(dialog.getByRole('heading', { name: `Image ${number} of 4` })).toBeVisible();
        await expect
          .poll(() => dialog.getByRole('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
          .toBeGreaterThan(0);
        await expect(bar(page)).toHaveCount(0);
      }
    });

  test('the part of the program that a dialog is, and that a message is', async ({ page, registry, quiet }) => {
    quiet.allow(FAULT_WORDS);
    await signInAs(page, await newPerson(registry, 'technician'));
    // Before the page has prefetched anything.
    await page.route('**/program.json', (route) => route.fulfill({ json: {} }));
    await page.goto('/vehicles/view/XV04KL');
    await hydrated(page);
    const broken = await meet(page, 'connection reset', (request) => request.url().includes('calibrate-dialog'));
    await page.getByRole('link', { name: 'Calibrate', exact: true }).click();
    await expect(bar(page)).toContainText('No connection.');
    await broken.mend();
    await expect(page.getByRole('dialog', { name: 'Calibrate' })).toBeVisible();
    await expect(page.getByText(ERROR_SCREEN)).toHaveCount(0);
  });

  test('Next on results, a vehicle, Calibrate', async ({ page, registry, quiet }) => {
    quiet.allow(FAULT_WORDS);
    await signInAs(page, await newPerson(registry, 'technician'));
    await page.goto('/?q=XV');
    await hydrated(page);
    for (const { what, press, arrived } of [
      {
        what: 'Next',
        press: () => page.getByRole('link', { name: 'Next' }).click(),
        arrived: () => expect(page.getByText(/Page 2 of/)).toBeVisible(),
      },
      {
        what: 'a vehicle',
        press: () =>
          page
            .getByRole('link', { name: /^View XV/ })
            .first()
            .click(),
        arrived: () => expect(page).toHaveURL(/\/vehicles\/view\//),
      },
      {
        what: 'Calibrate',
        press: () => page.getByRole('link', { name: 'Calibrate', exact: true }).click(),
        arrived: () => expect(page.getByRole('dialog', { name: 'Calibrate' })).toBeVisible(),
      },
    ])
      for (const fault of ['connection reset', '502 from a proxy'] as const) {
        const broken = await meet(page, fault, isPageData);
        const address = page.url();
        await press();
        await expect(bar(page), what).toContainText('No connection.');
        if (what === 'Next') await expect(beside(page)).toContainText('Page 2 is not loaded yet.');
        expect(page.url()).toBe(address);
        await broken.mend();
        await arrived();
        await expect(bar(page)).toHaveCount(0);
        if (fault === 'connection reset') await page.goBack();
      }
  });
});

test('a dialog closes at once', async ({ page, registry, quiet }) => {
  quiet.allow(FAULT_WORDS);
  const { email } = await registry.db
    .insertInto('application')
    .values({ email: 'closes@site.example', requestedAt: new Date() })
    .returning('email')
    .executeTakeFirstOrThrow();
  await signInAs(page, await newPerson(registry, 'admin'));
  for (const [path, opener, name] of [
    ['/vehicles/view/XV04KL', 'Calibrate', 'Calibrate'],
    ['/vehicles/view/XV04KL', /^XV04KL, 1 of/, 'Image 1 of'],
    [`/applications/view/${email.replaceAll('.', ',')}`, 'Approve', 'Password Setup'],
  ] as const) {
    await page.goto(path);
    await hydrated(page);
    await page.getByRole('link', { name: opener, exact: true }).click();
    const dialog = page.getByRole('dialog', { name });
    await expect(dialog).toBeVisible();
    await page.context().setOffline(true);
    await dialog.getByRole('link', { name: 'Close', exact: true }).first().click();
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL(path);
    await page.context().setOffline(false);
  }
});
