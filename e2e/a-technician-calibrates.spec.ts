import type { Locator } from '@playwright/test';
import { history, newVehicle } from './calibrating.ts';
import { expect, hydrated, runEffectsLate, test, toast } from './registry.ts';
import { newPerson, signInAs } from './people.ts';

const FOUR = [
  ['Empty Volt', '0.84', '0.84 V'],
  ['Empty Weight', '3,940', '3,940 kg'],
  ['Loaded Volt', '3.18', '3.18 V'],
  ['Loaded Weight', '15640.50', '15,640.50 kg'],
] as const;

test('on a phone the first value of an axle takes three taps besides its digits, each of the others one', async ({
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
  await page.getByRole('link', { name: 'Calibrate', exact: true }).tap();
  const dialog = page.getByRole('dialog', { name: 'Calibrate', exact: true });
  await expect(dialog.getByText(`${rego} · VIN 6T9HZ8KW7RB200731`)).toBeVisible();
  // Asked once a visit.
  const confirmed = dialog.getByLabel('I read this rego and VIN on the truck');
  await expect(confirmed).toHaveAccessibleDescription(/Without it the visit will wait for an administrator\./);
  await confirmed.tap();
  let taps = 0;
  const tap = async (what: Locator) => {
    taps += 1;
    await what.tap();
  };
  for (const [index, [attribute, digits, shown]] of FOUR.entries()) {
    taps = 0;
    if (index === 0) {
      await tap(dialog.getByText('drive', { exact: true }));
      await tap(dialog.locator('label').filter({ hasText: attribute }));
    }
    // After an entry the dialog moves to the next reading and shows its unit.
    await expect(dialog.getByRole('radio', { name: attribute })).toBeChecked();
    await expect(dialog.getByLabel('Value')).toBeFocused();
    await expect(
      dialog.getByRole('textbox', { name: attribute.endsWith('Volt') ? 'Value V' : 'Value kg' }),
    ).toBeVisible();
    await page.keyboard.type(digits);
    // What will be recorded is shown as one types.
    await expect(dialog.getByText(shown, { exact: true })).toBeVisible();
    await tap(dialog.getByRole('button', { name: 'Add entry' }));
    await expect(dialog.getByLabel('Value')).toHaveValue('');
    await expect(toast(page, 'Entry added successfully.').first()).toBeVisible();
    expect(taps).toBe(index === 0 ? 3 : 1);
    await expect(dialog.getByText(`: Drive ${index === 3 ? 'complete' : `${index + 1} of 4`}.`)).toBeVisible();
    await expect(confirmed).toBeHidden();
  }
  // The axle has all four readings, so the dialog moves to the next axle.
  await expect(dialog.getByRole('radio', { name: 'drive' })).toBeFocused();
  await expect(dialog.getByRole('cell', { name: 'entered' })).toHaveCount(4);
  // Nobody has said which axle groups of this truck carry a sensor, so the visit does not end by itself.
  await expect(dialog.getByText('If you finish now, it will wait for an administrator:')).toBeVisible();
  await dialog.getByRole('button', { name: 'Finish' }).tap();
  await expect(dialog.getByText('Recorded. It waits for an administrator: it is not known')).toBeVisible();
  await expect(confirmed).toBeVisible();
  await dialog.getByRole('link', { name: 'Close' }).last().tap();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Recorded. It waits for an administrator: it is not known')).toBeVisible();
  for (const [, , shown] of FOUR) await expect(history(page).getByRole('link', { name: shown })).toBeVisible();
  await context.close();
});

test('the whole is done by keyboard alone, and is on every open page within a second', async ({
  page,
  browser,
  registry,
}) => {
  const rego = await newVehicle(registry);
  const person = await newPerson(registry, 'technician');
  const watching = await (await browser.newContext({ baseURL: registry.url })).newPage();
  await watching.goto(`/vehicles/view/${rego}`);
  await hydrated(watching);
  await signInAs(page, person);
  await page.goto(`/vehicles/view/${rego}`);
  await hydrated(page);
  await page.waitForTimeout(500);
  await runEffectsLate(page);
  await page.getByRole('link', { name: 'Calibrate', exact: true }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Calibrate', exact: true });
  await expect(dialog).toBeVisible();
  const tabTo = async (target: Locator) => {
    for (let count = 0; count < 20; count += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error('not reached by Tab');
  };
  await expect(dialog.getByLabel('I read this rego and VIN on the truck')).toBeFocused();
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('radio', { name: 'steer' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(dialog.getByRole('radio', { name: 'drive' })).toBeChecked();
  await tabTo(dialog.getByRole('radio', { name: 'Empty Volt' }));
  await page.keyboard.press('Space');
  for (const [index, [attribute, digits, shown]] of FOUR.entries()) {
    await expect(dialog.getByRole('radio', { name: attribute })).toBeChecked();
    if (index === 0) await page.keyboard.press('Tab');
    await expect(dialog.getByLabel('Value')).toBeFocused();
    await page.keyboard.type(digits);
    await page.keyboard.press('Enter');
    await expect(history(watching).getByRole('link', { name: shown })).toBeVisible();
    await expect(dialog.getByLabel('Value')).toHaveValue('');
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(history(watching).getByText(`by ${person.name}`)).toBeVisible();
  await expect(watching.getByRole('heading', { level: 1 })).toContainText('Not validated');
  await watching.context().close();
});

test('wrong input is told at its field, and nothing typed is lost', async ({ page, registry, quiet }) => {
  quiet.allow(/40[09]|ERR_FAILED/);
  const rego = await newVehicle(registry);
  await signInAs(page, await newPerson(registry, 'technician'));
  await page.goto(`/vehicles/view/${rego}?calibrate`);
  await hydrated(page);
  const dialog = page.getByRole('dialog', { name: 'Calibrate', exact: true });
  await dialog.getByLabel('Value').fill('15,64');
  await dialog.getByRole('button', { name: 'In 182 days' }).click();
  await dialog.getByRole('button', { name: 'Add entry' }).click();
  await expect(dialog.getByText('Choose an axle.')).toBeVisible();
  await expect(dialog.getByText('Choose an attribute.')).toBeVisible();
  await expect(dialog.getByText('Use a point: 15.64')).toBeVisible();
  await expect(dialog.getByLabel('Value')).toHaveValue('15,64');
  const due = await dialog.getByLabel('Calibration due date').inputValue();
  expect(due).toMatch(/^20\d\d-\d\d-\d\d$/);
  // Each error goes as soon as it is corrected.
  await dialog.getByText('trailerA').click();
  await expect(dialog.getByText('Choose an axle.')).toBeHidden();
  await dialog.getByText('Loaded Weight', { exact: true }).first().click();
  await expect(dialog.getByText('Choose an attribute.')).toBeHidden();
  // On a phone, sent by Enter, the message below the box is above the dialog's foot.
  await page.setViewportSize({ width: 390, height: 664 });
  await dialog.getByLabel('Value').fill('15,65');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Use a point: 15.65')).toBeInViewport({ ratio: 1 });
  await dialog.getByLabel('Value').fill('16640');
  await expect(dialog.getByText(/^Use a point/)).toBeHidden();

  // The vehicle is removed meanwhile. The typed text stays, and the page states the cause. No other story's write
  // reloads the page in between: it would say that the vehicle is removed.
  await page.route(/\.data/, (route) => (route.request().method() === 'GET' ? route.abort() : route.fallback()));
  await registry.db.updateTable('vehicle').set({ deletedAt: new Date() }).where('rego', '=', rego).execute();
  await dialog.getByRole('button', { name: 'Add entry' }).click();
  await expect(toast(page, 'Error added item: vehicle-removed.')).toBeVisible();
  await expect(dialog.getByLabel('Value')).toHaveValue('16640');
  await expect(dialog.getByLabel('Calibration due date')).toHaveValue(due);
  await registry.db.updateTable('vehicle').set({ deletedAt: null }).where('rego', '=', rego).execute();
  await page.unroute(/\.data/);
  await dialog.getByRole('button', { name: 'Add entry' }).click();
  await expect(toast(page, 'Entry added successfully.')).toBeVisible();
  await expect(dialog.getByLabel('Calibration due date')).toHaveValue('');
});

test('the dialog begins at its first field, asks before typed values are dropped, and gives the focus back', async ({
  page,
  registry,
}) => {
  const rego = await newVehicle(registry);
  await signInAs(page, await newPerson(registry, 'technician'));
  await page.goto(`/vehicles/view/${rego}`);
  await hydrated(page);
  const opener = page.getByRole('link', { name: 'Calibrate', exact: true });
  const dialog = page.getByRole('dialog', { name: 'Calibrate', exact: true });
  const question = page.getByRole('dialog', { name: 'Discard what you typed?' });
  await opener.click();
  await expect(dialog.getByLabel('I read this rego and VIN on the truck')).toBeFocused();
  // Nothing is typed: nothing is asked.
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  await opener.click();
  await dialog.getByLabel('Value').fill('318');
  // Esc and a press outside may be slips.
  for (const close of [() => page.keyboard.press('Escape'), () => page.mouse.click(5, 5)]) {
    await close();
    await expect(question).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(question).toBeHidden();
    await expect(dialog.getByLabel('Value')).toHaveValue('318');
  }
  await page.keyboard.press('Escape');
  await expect(question.getByRole('button', { name: 'Keep typing' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('Value')).toHaveValue('318');
  await dialog.getByLabel('Value').focus();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('Value')).toBeFocused();
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  // A button that says Close closes at once.
  for (const which of ['first', 'last'] as const) {
    await opener.click();
    await dialog.getByLabel('Value').fill('318');
    await dialog.getByRole('link', { name: 'Close' })[which]().click();
    await expect(dialog).toBeHidden();
    await expect(question).toBeHidden();
    await expect(opener).toBeFocused();
  }
  // Opened by its address, it is the link that leads there, and Esc closes it as soon as it is hydrated.
  await runEffectsLate(page);
  await page.goto(`/vehicles/view/${rego}?calibrate`, { waitUntil: 'commit' });
  await hydrated(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
});
