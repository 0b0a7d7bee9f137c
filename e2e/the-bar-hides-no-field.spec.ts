// The bar of a long form is one line and a button; what opens in it leaves half of the window, and a low window has
// none.
import type { Page } from '@playwright/test';
import { honestReadings } from '#test/visits.ts';
import { field, fieldsOf, fillTime } from './all-axles.ts';
import { newPerson, signInAs } from './people.ts';
import { expect, hydrated, test } from './registry.ts';
import { recordSet, truck } from './visits.ts';

const heightOf = async (page: Page) => (await page.locator('.form-foot').boundingBox())?.height ?? 0;
const positionOf = (page: Page, part: string) =>
  page.locator(part).evaluate((element) => getComputedStyle(element).position);

/** Fields that lie under something when they get the focus. */
const hidden = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main :is(input, select, textarea, summary):not([type=hidden])')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => {
        element.focus();
        const { left, top, width, height } = element.getBoundingClientRect();
        const there = document.elementFromPoint(left + width / 2, top + height / 2);
        return there === null || (!element.contains(there) && !there.contains(element));
      })
      .map((element) => element.outerHTML.slice(0, 120)),
  );

test('the bar that says what a visit will be is one line, opens to half a window at most, and hides no field', async ({
  page,
  registry,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const technician = await newPerson(registry, 'technician');
  const rego = await truck(registry);
  await recordSet(registry, technician, rego, 200);
  await signInAs(page, technician);
  await page.goto(`/vehicles/calibrate/${rego}`);
  await hydrated(page);
  await fillTime(page);
  for (const [axle, label] of [
    ['STEER', 'Steer'],
    ['DRIVE', 'Drive'],
  ] as const) {
    const { empty_volt, empty_weight, loaded_volt } = honestReadings(axle, 51);
    for (const [place, box] of fieldsOf(page, label).entries())
      await box.fill([empty_volt, empty_weight, loaded_volt, '9000'][place] ?? '');
  }
  await expect(page.getByText('Will wait: Steer, Drive')).toBeVisible();
  await expect(page.getByText('This visit will wait for an administrator:')).toBeHidden();
  expect(await heightOf(page)).toBe(112);
  expect(await hidden(page)).toEqual([]);
  await page.getByText('Will wait: Steer, Drive').click();
  await expect(page.getByText('This visit will wait for an administrator:')).toBeVisible();
  expect(await heightOf(page)).toBeLessThanOrEqual(422);
  expect(await hidden(page)).toEqual([]);
  // It leads to what it names.
  await page.getByRole('link', { name: 'Go to Steer' }).click();
  await expect(field(page, 'Steer', 'Empty Volt')).toBeFocused();
  await page.getByRole('link', { name: 'Add as found of Drive' }).click();
  await expect(field(page, 'Drive', 'As found, empty')).toBeFocused();
  // It stays open while one goes on typing.
  await field(page, 'Steer', 'Loaded Weight').fill(honestReadings('STEER', 51).loaded_weight);
  await expect(page.getByText('Will wait: Drive')).toBeVisible();
  await expect(page.getByText('This visit will wait for an administrator:')).toBeVisible();
  expect(await positionOf(page, '.form-foot')).toBe('sticky');
  // 1280 × 900 at 400 %.
  await page.setViewportSize({ width: 320, height: 225 });
  expect(await positionOf(page, '.form-foot')).toBe('static');
  expect(await hidden(page)).toEqual([]);

  const admin = await newPerson(registry, 'admin');
  const other = await truck(registry);
  await recordSet(registry, technician, other, 0, { due_date: null });
  await page.context().clearCookies();
  await signInAs(page, admin);
  await page.goto(`/visits?q=${other}`);
  await page.getByRole('rowheader').getByRole('link').click();
  expect(await positionOf(page, '.decision-strip')).toBe('static');
  expect(await positionOf(page, '.decision-buttons')).toBe('static');
  await page.setViewportSize({ width: 1280, height: 900 });
  expect(await positionOf(page, '.decision-strip')).toBe('sticky');
  expect(await hidden(page)).toEqual([]);
});
