import type { Locator, Page } from '@playwright/test';
import { field, fieldsOf, fillTime, newVehicle, stored, tick } from './all-axles.ts';
import { expect, hydrated, test, toast } from './registry.ts';
import { newPerson, signInAs } from './people.ts';

const THREE = {
  Steer: ['0.84', '3,940', '1.46', '5880'],
  Drive: ['0.92', '4820', '3.18', '15640'],
  'Trailer A': ['0.71', '3260', '3.02', '18900'],
} as const;

async function fillByTouch(page: Page, axle: keyof typeof THREE): Promise<void> {
  for (const [place, box] of fieldsOf(page, axle).entries()) {
    await box.tap();
    await page.keyboard.type(THREE[axle][place] ?? '');
  }
}
async function expectTyped(page: Page): Promise<void> {
  for (const axle of ['Steer', 'Drive', 'Trailer A'] as const)
    for (const [place, box] of fieldsOf(page, axle).entries()) await expect(box).toHaveValue(THREE[axle][place] ?? '');
}

test('a phone fills three axles by touch, and loses nothing when the connection drops', async ({
  browser,
  registry,
}) => {
  const rego = await newVehicle(registry);
  const context = await browser.newContext({
    baseURL: registry.url,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  await signInAs(page, await newPerson(registry, 'technician'));
  await page.goto(`/vehicles/view/${rego}`);
  await hydrated(page);
  await page.getByRole('link', { name: 'Calibrate all axles' }).tap();
  await expect(page.getByRole('heading', { name: 'Calibrate all axles' })).toBeVisible();
  await page.getByLabel(`I have read rego ${rego} and this VIN`).tap();
  await fillTime(page);
  // The truck has a trailer, of which the registry knows nothing yet.
  await expect(field(page, 'Trailer A', 'Empty Volt')).toBeHidden();
  await tick(page, 'Trailer A').tap();
  for (const axle of ['Steer', 'Drive', 'Trailer A'] as const) await fillByTouch(page, axle);
  // What will be recorded stands under each box.
  for (const shown of ['3,940 kg', '1.46 V', '5,880 kg', '18,900 kg'])
    await expect(page.getByText(shown, { exact: true })).toBeVisible();
  for (const box of fieldsOf(page, 'Steer')) {
    await expect(box).toHaveAttribute('inputmode', 'decimal');
    const size = await box.boundingBox();
    expect([size?.height ?? 0, size?.width ?? 0].every((each) => each >= 56)).toBe(true);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Record calibration' }).tap();
  await expect(page.getByRole('alert').filter({ hasText: 'this device is offline' })).toBeVisible();
  await expectTyped(page);
  expect((await stored(registry, rego)).readings).toEqual([]);
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Record calibration' }).tap();
  await expect(toast(page, 'Calibration recorded.')).toBeVisible();
  await page.waitForURL(`**/vehicles/view/${rego}`);
  const { readings, sets } = await stored(registry, rego);
  expect(sets).toBe(1);
  expect(readings.map(({ axle, value }) => `${axle} ${value}`)).toEqual(
    ['STEER 0.84', 'STEER 3940', 'STEER 1.46', 'STEER 5880'].concat(
      ['DRIVE 0.92', 'DRIVE 4820', 'DRIVE 3.18', 'DRIVE 15640'],
      ['TRAILERA 0.71', 'TRAILERA 3260', 'TRAILERA 3.02', 'TRAILERA 18900'],
    ),
  );
  for (const [label, name] of [
    ['Steer', /Empty 0.84 V = 3,940 kg; Loaded 1.46 V = 5,880 kg/],
    ['Trailer A', /Empty 0.71 V = 3,260 kg; Loaded 3.02 V = 18,900 kg/],
  ] as const)
    await expect(page.getByRole('region', { name: label, exact: true }).getByRole('img', { name })).toBeVisible();
  const figures = page.getByRole('table', { name: 'Figures of the calibration lines' });
  await expect(figures.getByRole('row', { name: /Drive/ })).toContainText('4,787.6');
  await context.close();
});

test('a page that the phone’s browser dropped comes back with what was typed, for this person only', async ({
  page,
  registry,
}) => {
  const rego = await newVehicle(registry);
  const person = await newPerson(registry, 'technician');
  await signInAs(page, person);
  const open = async () => {
    await page.goto(`/vehicles/calibrate/${rego}`);
    await hydrated(page);
  };
  await open();
  await page.getByLabel('I have read rego').check();
  await fillTime(page);
  await page.getByLabel('Notes').fill('Driver Sam was there');
  await tick(page, 'Trailer A').check();
  for (const axle of ['Steer', 'Drive', 'Trailer A'] as const)
    for (const [place, box] of fieldsOf(page, axle).entries()) await box.fill(THREE[axle][place] ?? '');
  const key = await page.locator('[name=form_key]').inputValue();
  await open();
  await expect(page.getByText('What you typed before has been filled in.')).toBeVisible();
  await expectTyped(page);
  await expect(page.getByText('3,940 kg', { exact: true })).toBeVisible();
  await expect(page.locator('[name=form_key]')).toHaveValue(key);
  await expect(page.getByLabel('I have read rego')).not.toBeChecked();
  await expect(page.getByLabel('Notes')).toHaveValue('Driver Sam was there');
  const drafts = () =>
    page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith('draft ')).length);
  expect(await drafts()).toBe(1);
  // The session ends by itself: the same person finds it again.
  await page.context().clearCookies();
  await page.goto('/login');
  await hydrated(page);
  expect(await drafts()).toBe(1);
  await signInAs(page, person);
  await open();
  await expectTyped(page);
  await expect(page.getByLabel('Notes')).toHaveValue('Driver Sam was there');
  // Another person on the same phone finds none of it.
  await page.goto('/logout');
  const left = page.waitForResponse((answer) => answer.request().method() === 'POST');
  await page.getByRole('main').getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL('**/login');
  await expect.poll(drafts).toBe(0);
  // By the page's own scripts: the header would take what belongs to others under this address too.
  expect(await (await left).headerValue('clear-site-data')).toBeNull();
  await signInAs(page, await newPerson(registry, 'technician'));
  await open();
  await expect(field(page, 'Steer', 'Empty Volt')).toHaveValue('');
  await page.getByLabel('I have read rego').check();
  await fillTime(page);
  await tick(page, 'Drive').uncheck();
  for (const [place, box] of fieldsOf(page, 'Steer').entries()) await box.fill(THREE.Steer[place] ?? '');
  await page.getByRole('button', { name: 'Record calibration' }).click();
  await page.waitForURL(`**/vehicles/view/${rego}`);
  // Recorded is cleared.
  await open();
  await expect(field(page, 'Steer', 'Empty Volt')).toHaveValue('');
});

test('what looks like a slip is said beside the value, before it is sent and after', async ({
  page,
  registry,
  quiet,
}) => {
  quiet.allow(/status of 400/);
  const rego = await newVehicle(registry);
  await signInAs(page, await newPerson(registry, 'technician'));
  await page.goto(`/vehicles/calibrate/${rego}`);
  await hydrated(page);
  await page.getByLabel('I have read rego').check();
  await fillTime(page);
  await tick(page, 'Steer').uncheck();
  const emptyVolt = field(page, 'Drive', 'Empty Volt');
  const emptyWeight = field(page, 'Drive', 'Empty Weight');
  const loadedVolt = field(page, 'Drive', 'Loaded Volt');
  const loadedWeight = field(page, 'Drive', 'Loaded Weight');
  // A keypad with a comma for the point: what it is recorded as is said at once.
  await emptyVolt.fill('0,92');
  await expect(page.locator('[data-recorded-as]', { hasText: '0.92\u00a0V' })).toBeVisible();
  await emptyVolt.fill('0,920');
  await emptyVolt.blur();
  await expect(emptyVolt).toHaveAccessibleDescription('Is it 0.920 V or 920 V? Use a point, or no comma.');
  await emptyVolt.fill('0.92');
  await emptyWeight.fill('4,82');
  await emptyWeight.blur();
  await expect(emptyWeight).toHaveAccessibleDescription('Use a point: 4.82');
  // It goes as soon as it is corrected.
  await emptyWeight.fill('4820');
  await expect(emptyWeight).toHaveAccessibleDescription('');
  await emptyWeight.fill('4.82');
  await emptyWeight.blur();
  await expect(emptyWeight).toHaveAccessibleDescription('4.82 kg looks like tonnes. Weights are in kilograms.');
  await loadedVolt.fill('0.920');
  await loadedVolt.blur();
  await expect(loadedVolt).toHaveAccessibleDescription(/The loaded volts equal the empty volts/);
  await loadedVolt.fill('3.18');
  await loadedWeight.fill('15640');
  await loadedWeight.blur();
  await expect(loadedVolt).toHaveAccessibleDescription('');
  await page.getByRole('button', { name: 'Record calibration' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'values-unlikely' })).toBeVisible();
  expect((await stored(registry, rego)).readings).toEqual([]);
  const allTheSame = page.getByLabel('These readings are correct: record them');
  await allTheSame.check();
  // Another slip takes the tick away.
  await loadedWeight.fill('15.64');
  await loadedWeight.blur();
  await expect(allTheSame).not.toBeChecked();
  await loadedWeight.fill('15640');
  await emptyWeight.fill('4820');
  await emptyWeight.blur();
  await expect(allTheSame).toBeHidden();
  await page.getByRole('button', { name: 'Record calibration' }).click();
  await page.waitForURL(`**/vehicles/view/${rego}`);
  expect((await stored(registry, rego)).readings.map(({ value }) => value)).toEqual(['0.92', '4820', '3.18', '15640']);
});

test('the whole is done by keyboard alone', async ({ page, registry }) => {
  const rego = await newVehicle(registry);
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto(`/vehicles/calibrate/${rego}`);
  await hydrated(page);
  const tabTo = async (target: Locator) => {
    for (let count = 0; count < 60; count += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error('not reached by Tab');
  };
  await tabTo(page.getByLabel('I have read rego'));
  await page.keyboard.press('Space');
  await tabTo(page.getByLabel('Time of the visit'));
  await page.keyboard.type('1005A');
  for (const axle of ['Steer', 'Drive'] as const)
    for (const [place, box] of fieldsOf(page, axle).entries()) {
      await tabTo(box);
      await page.keyboard.type(THREE[axle][place] ?? '');
    }
  await tabTo(page.getByText('Check load, as found, sensor').nth(1));
  await page.keyboard.press('Enter');
  await tabTo(field(page, 'Drive', 'Check volts'));
  await page.keyboard.type('2');
  await tabTo(field(page, 'Drive', 'Check weight'));
  await page.keyboard.type('9980');
  await tabTo(page.getByRole('button', { name: 'Record calibration' }));
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/vehicles/view/${rego}`);
  // 4787.61 × 2 + 415.40 = 9990.62: 10.62 kg, 0.1 %.
  await expect(page.getByRole('row', { name: /Drive/ }).filter({ hasText: '4,787.6' })).toContainText('+11 kg (0.1 %)');
});
