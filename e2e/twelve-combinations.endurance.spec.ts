// The combinations of truck and trailers that a registry of on-board scales must hold: each is recorded on a phone of
// 390 px, with scripts, without, and out of reach; judged, shown and printed.
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { axleGroupsOf, axleLabel, type Axle } from '#app/vehicles/axle.ts';
import { referenceOf } from '#app/readings/reference-masses.ts';
import { detailsIn } from '#app/vehicles/group-details.ts';
import { honestReadings, nextNudge } from '#test/visits.ts';
import { enterLeaves } from '#test/leaves.ts';
import type { StartedRegistry } from '#test/start-registry.ts';
import { newPerson, signInAs } from './people.ts';
import { expect, hydrated, test } from './registry.ts';
import { newRego } from './vehicles.ts';

type Unit = { kind: string; groups: string };
const truck = (groups: string): Unit => ({ kind: '', groups });
const trailer = (groups: string): Unit => ({ kind: 'trailer', groups });
const TRI = trailer('REAR tri dual-tyres');
const PRIME = truck('STEER single; DRIVE tandem dual-tyres');

/** The truck, and the trailers with a unit of their own behind it. Groups that the truck's unit reads are its own. */
const COMBINATIONS: Readonly<Record<string, readonly [Unit, ...Unit[]]>> = {
  'rigid, 2 axles': [truck('STEER single; DRIVE single dual-tyres')],
  'rigid 8×4, twin steer': [truck('STEER twin-steer 11000kg; DRIVE tandem dual-tyres')],
  'rigid and dog': [PRIME, trailer('FRONT tandem dual-tyres 15000kg; REAR tandem dual-tyres 15000kg')],
  'rigid and pig': [PRIME, trailer('REAR tandem dual-tyres')],
  'semi, tandem drive, tri trailer': [truck('STEER single; DRIVE tandem dual-tyres; TRAILERA tri dual-tyres')],
  'semi, single drive': [truck('STEER single; DRIVE single dual-tyres; TRAILERA tri dual-tyres')],
  'B-double': [truck('STEER single; DRIVE tandem dual-tyres; TRAILERA tri dual-tyres; TRAILERB tri dual-tyres')],
  'B-double, quad': [PRIME, TRI, trailer('REAR quad dual-tyres 24000kg')],
  'A-double with dolly': [PRIME, TRI, { kind: 'dolly', groups: 'REAR tandem dual-tyres 16500kg' }, TRI],
  'AB-triple': [
    truck(
      'STEER single; DRIVE tandem dual-tyres; TRAILERA tri dual-tyres; DOLLYA tri dual-tyres; TRAILERB tri dual-tyres; TRAILERC tri dual-tyres',
    ),
  ],
  'road train of three trailers': [PRIME, TRI, TRI, TRI],
  'car carrier, lift axle': [truck('STEER single; DRIVE tri mixed-tyres; TRAILERA tandem single-tyres')],
};

const axlesOf = ({ groups }: Unit): Axle[] => axleGroupsOf(Object.keys(detailsIn(groups)).join(' '));

/** Adds the units of a combination. The truck has no list of groups yet: its first visit says which it has. */
async function add(registry: StartedRegistry, [first, ...others]: readonly [Unit, ...Unit[]]): Promise<string[]> {
  const regos = [first, ...others].map(() => newRego());
  for (const [place, { kind, groups }] of [first, ...others].entries()) {
    const rego = regos[place] ?? '';
    const axleGroups = axlesOf({ kind, groups }).join(' ');
    const values = { rego, vin: `VIN${rego}`, kind, calibrationValidated: true, make: 'Volvo' };
    await registry.db
      .insertInto('vehicle')
      .values({ ...values, groupDetails: groups, axleGroups })
      .execute();
  }
  await enterLeaves(registry.db);
  return regos;
}

// Loaded nearly to the reference mass, where there is one.
function values(unit: Unit) {
  const nudge = nextNudge();
  const details = detailsIn(unit.groups);
  return axlesOf(unit).map((axle) => {
    const four = honestReadings(axle, nudge);
    const reference = referenceOf(axle, details[axle]);
    const loaded_weight = reference === undefined ? four.loaded_weight : String(reference.kg - 10 * -nudge);
    return [axle, Object.entries({ ...four, loaded_weight })] as const;
  });
}

async function fill(page: Page, prefix: string, unit: Unit): Promise<void> {
  for (const [axle, four] of values(unit)) {
    const box = page.locator(`input[name="${prefix}axle"][value="${axle}"]`);
    if (!(await box.isChecked())) {
      if (!(await box.isVisible())) await page.getByText('Add a group', { exact: true }).first().click();
      await box.check();
    }
    for (const [name, value] of four) await page.locator(`input[name="${prefix}${axle}_${name}"]`).fill(value);
  }
}

async function fillVisit(page: Page, units: readonly Unit[], regos: readonly string[]): Promise<void> {
  for (const [place, unit] of units.entries()) {
    const rego = regos[place] ?? '';
    const prefix = place === 0 ? '' : `u${place}_`;
    if (place > 0) {
      await page.locator('input[name="add_unit"]').fill(rego);
      await page.getByRole('button', { name: 'Add this trailer' }).click();
      await expect(page.locator(`input[name="unit"][value="${rego}"]`)).toBeAttached();
    }
    await page.locator(`input[name="${prefix}confirmed"]`).check();
    await fill(page, prefix, unit);
  }
  await page.getByLabel('Time of the visit').fill('00:05');
}

async function expectShown(page: Page, units: readonly Unit[], regos: readonly string[]): Promise<void> {
  for (const [place, unit] of units.entries()) {
    await page.goto(`/vehicles/view/${regos[place]}`);
    await expect(page.locator('main')).toContainText('Valid');
    const lines = page.locator('.axle-line');
    await expect(lines).toHaveCount(axlesOf(unit).length);
    for (const axle of axlesOf(unit)) await expect(lines.filter({ hasText: axleLabel(axle) })).toBeVisible();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width, `${regos[place]} is wider than the screen`).toBeLessThanOrEqual(390);
    await page.emulateMedia({ media: 'print' });
    await expect(lines.first()).toBeVisible();
    await page.emulateMedia({ media: null });
    const report = await page.request.get(`/vehicles/report/${regos[place]}.pdf`);
    expect(report.status()).toBe(200);
  }
}

const phone = (browser: Browser, registry: StartedRegistry, javaScriptEnabled = true): Promise<BrowserContext> =>
  browser.newContext({
    baseURL: registry.url,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    javaScriptEnabled,
  });

for (const isScripted of [true, false])
  test(`twelve combinations are recorded at 390 px ${isScripted ? 'with' : 'without'} scripts, judged, shown and printed`, async ({
    browser,
    registry,
  }) => {
    test.setTimeout(900_000);
    const context = await phone(browser, registry, isScripted);
    const page = await context.newPage();
    await signInAs(page, await newPerson(registry, 'technician'));
    for (const [name, units] of Object.entries(COMBINATIONS))
      await test.step(name, async () => {
        const regos = await add(registry, units);
        await page.goto(`/vehicles/calibrate/${regos[0]}`);
        if (isScripted) await hydrated(page);
        await fillVisit(page, units, regos);
        await page.getByRole('button', { name: 'Record calibration' }).click();
        await expect(page).toHaveURL(new RegExp(`/vehicles/view/${regos[0]}`));
        await expectShown(page, units, regos);
      });
    await context.close();
  });

test('twelve combinations are recorded out of reach, and sent when the line is back', async ({ browser, registry }) => {
  test.setTimeout(900_000);
  const context = await phone(browser, registry);
  const page = await context.newPage();
  await signInAs(page, await newPerson(registry, 'technician'));
  const all: { units: readonly Unit[]; regos: string[] }[] = [];
  for (const units of Object.values(COMBINATIONS)) all.push({ units, regos: await add(registry, units) });
  await page.goto('/field');
  await hydrated(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  for (const rego of all.flatMap(({ regos }) => regos)) {
    await page.goto('/field#add');
    await page.getByLabel('Rego').fill(rego);
    await page.getByRole('button', { name: 'Add this truck' }).click();
    await expect(page.getByRole('heading', { name: rego })).toBeVisible();
  }
  await context.setOffline(true);
  for (const { units, regos } of all) {
    await page.goto('/field');
    await hydrated(page);
    await page.getByRole('link', { name: 'My trucks' }).first().click();
    await page.getByRole('link', { name: regos[0] ?? '', exact: true }).click();
    await page.getByRole('link', { name: 'Start a visit' }).click();
    await fillVisit(page, units, regos);
    await page.getByRole('button', { name: 'Save on this phone' }).click();
    await expect(page.getByRole('heading', { name: 'Saved on this phone, not sent yet' })).toBeVisible();
  }
  await context.setOffline(false);
  await page.goto('/field#outbox');
  await expect
    .poll(
      async () =>
        (await registry.db.selectFrom('calibrationSet').select('id').where('capturedAt', 'is not', null).execute())
          .length,
      { timeout: 120_000 },
    )
    .toBeGreaterThanOrEqual(all.length);
  for (const { units, regos } of all) await expectShown(page, units, regos);
  await context.close();
});
