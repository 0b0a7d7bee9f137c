// Calibrations as technicians do them: each is typed on a phone of 390 px as the instruments show it, without a sum.
// The keystrokes are printed: characters, and taps.
import type { Locator, Page } from '@playwright/test';
import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import { formatValue } from '#app/readings/calibration.ts';
import { weighingsIn } from '#app/readings/weighings.ts';
import { enterLeaves } from '#test/leaves.ts';
import type { StartedRegistry } from '#test/start-registry.ts';
import { newPerson, signInAs } from './people.ts';
import { expect, hydrated, test } from './registry.ts';
import { newRego } from './vehicles.ts';
import { ZONE } from './visits.ts';

const PRIME = 'STEER single; DRIVE tandem dual-tyres';
const SEMI = `${PRIME}; TRAILERA tri dual-tyres`;

/** The hands of a technician. `typed`: each text, as it was typed. */
type Hands = {
  page: Page;
  typed: string[];
  keys: () => number;
  tap: (what: Locator) => Promise<void>;
  type: (name: string, text: string) => Promise<void>;
};

function handsAt(page: Page): Hands {
  const typed: string[] = [];
  let count = 0;
  const tap = async (what: Locator) => {
    await what.tap();
    count += 1;
  };
  const type = async (name: string, text: string) => {
    const box = page.locator(`[name="${name}"]`);
    await tap(box);
    // The browser's own keys for a day or a time are its locale's.
    if (/_on$|_time$/.test(name)) await box.fill(text);
    else await box.pressSequentially(text);
    await expect(box).toHaveValue(text);
    typed.push(text);
    count += text.replaceAll(/[:-]/g, '').length;
  };
  return { page, typed, keys: () => count, tap, type };
}

/** The fields of a group in the order of its readings. */
async function typeGroup({ type }: Hands, axle: string, four: readonly string[]): Promise<void> {
  const names = ['empty_volt', 'empty_weight', 'loaded_volt', 'loaded_weight'];
  for (const [at, name] of names.entries()) await type(`${axle}_${name}`, four[at] ?? '');
}

const tile = (page: Page, name: string, value: string) =>
  page.locator('label.choice-tile', { has: page.locator(`[name="${name}"][value="${value}"]`) });
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const summary = (within: Locator, text: string) => within.locator('summary', { hasText: text });

/** `lines`: what the page shows of each group. `notTyped`: what comes out, which nobody may have to work out. */
type Procedure = {
  groups: string;
  type: (hands: Hands) => Promise<void>;
  lines: Readonly<Record<string, readonly string[]>>;
  notTyped?: readonly string[];
  more?: (page: Page, of: { rego: string; registry: StartedRegistry }) => Promise<void>;
};

// In volts. No two trucks have the same readings: `more` kilograms apart.
const semi = (more: number) => ({
  STEER: ['0.84', `${3940 + more}`, '1.48', `${5943 + more}`],
  DRIVE: ['0.92', `${4780 + more}`, '3.20', `${15_736 + more}`],
  TRAILERA: ['0.88', `${4100 + more}`, '3.44', `${19_017 + more}`],
});
const pointsOf = (more: number) =>
  Object.fromEntries(
    Object.entries(semi(more)).map(([axle, [empty, emptyKg, loaded, loadedKg]]) => [
      LABELS[axle] ?? '',
      [`${empty} V = ${formatValue(emptyKg ?? '')} kg`, `${loaded} V = ${formatValue(loadedKg ?? '')} kg`],
    ]),
  );
const LABELS: Readonly<Record<string, string>> = { STEER: 'Steer', DRIVE: 'Drive', TRAILERA: 'Trailer A' };

async function typeSemi(hands: Hands, more: number): Promise<void> {
  for (const [axle, four] of Object.entries(semi(more))) await typeGroup(hands, axle, four);
}

/** Chosen once for a truck: its record knows it then. */
async function sayOutput(hands: Hands, axle: string, label: string, choice: Record<string, string>): Promise<void> {
  await hands.tap(summary(section(hands.page, label), 'Not one sensor in V'));
  for (const [part, value] of Object.entries(choice)) await hands.tap(tile(hands.page, `${axle}_${part}`, value));
}

const linesOf = (part: Locator): Promise<number> =>
  part.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  });

/** The weighings of the newest visit. */
async function weighingsOf(registry: StartedRegistry, rego: string) {
  const { weighings } = await registry.db
    .selectFrom('calibrationSet')
    .innerJoin('vehicle', 'vehicle.id', 'calibrationSet.vehicleId')
    .select('weighings')
    .where('rego', '=', rego)
    .executeTakeFirstOrThrow();
  return weighingsIn(weighings);
}

const PROCEDURES: Readonly<Record<string, Procedure>> = {
  'each group by itself, in volts': { groups: SEMI, type: (hands) => typeSemi(hands, 0), lines: pointsOf(0) },
  'steer, steer and drive, the whole, in volts': {
    groups: SEMI,
    async type(hands) {
      const { page, tap, type } = hands;
      await tap(page.getByText('Weighed several groups together, or the whole'));
      const decks = { empty: ['3980', '8800', '12940'], loaded: ['5983', '21759', '40816'] };
      for (const load of ['empty', 'loaded'] as const) {
        await tap(tile(page, `${load}_way`, 'steps'));
        for (const [at, axle] of (['STEER', 'DRIVE', 'TRAILERA'] as const).entries()) {
          await type(`${axle}_${load}_volt`, semi(40)[axle][load === 'empty' ? 0 : 2] ?? '');
          await type(`${axle}_${load}_deck`, decks[load][at] ?? '');
        }
      }
      await expect(section(page, 'Trailer A')).toContainText('19,057\u00a0kg: 40,816 − 21,759');
    },
    lines: pointsOf(40),
    notTyped: ['4820', '4140', '15776', '19057'],
    async more(_page, { registry, rego }) {
      expect((await weighingsOf(registry, rego)).map(({ deck, kg }) => `${deck.join('+')} ${kg}`)).toEqual([
        'STEER 3980',
        'STEER+DRIVE 8800',
        'STEER+DRIVE+TRAILERA 12940',
        'STEER 5983',
        'STEER+DRIVE 21759',
        'STEER+DRIVE+TRAILERA 40816',
      ]);
    },
  },
  'pressures left and right, in kPa': {
    groups: PRIME,
    async type(hands) {
      const kPa = {
        STEER: ['118', '122', '3970', '312', '318', '5973'],
        DRIVE: ['96', '100', '4810', '606', '618', '15766'],
      };
      const names = ['empty_volt_left', 'empty_volt_right', 'empty_weight'];
      for (const [axle, label] of [
        ['STEER', 'Steer'],
        ['DRIVE', 'Drive'],
      ] as const) {
        await sayOutput(hands, axle, label, { sensors: 'left-right', output: 'kPa' });
        const fields = [...names, ...names.map((name) => name.replace('empty', 'loaded'))];
        for (const [at, name] of fields.entries()) await hands.type(`${axle}_${name}`, kPa[axle][at] ?? '');
      }
    },
    lines: {
      Steer: ['120 kPa (left 118, right 122) = 3,970 kg', '315 kPa (left 312, right 318) = 5,973 kg'],
      Drive: ['98 kPa (left 96, right 100) = 4,810 kg', '612 kPa (left 606, right 618) = 15,766 kg'],
    },
    notTyped: ['120', '315', '98', '612'],
  },
  'counts, with two check loads': {
    groups: PRIME,
    async type(hands) {
      const { page, tap, type } = hands;
      const counts = {
        STEER: ['250000', '3940', '640000', '5943', '450000', '4970', '550000 5480'],
        DRIVE: ['180000', '4780', '920000', '15736', '550000', '10260', '700000 12480'],
      };
      for (const [axle, label] of [
        ['STEER', 'Steer'],
        ['DRIVE', 'Drive'],
      ] as const) {
        await sayOutput(hands, axle, label, { output: 'counts' });
        const values = counts[axle];
        await typeGroup(hands, axle, values);
        await tap(summary(section(page, label), 'Check load, as found'));
        for (const [at, name] of ['check_volt', 'check_weight', 'more_checks'].entries())
          await type(`${axle}_${name}`, values[at + 4] ?? '');
      }
    },
    lines: {
      Steer: ['250,000 counts = 3,940 kg', '640,000 counts = 5,943 kg'],
      Drive: ['180,000 counts = 4,780 kg', '920,000 counts = 15,736 kg'],
    },
    async more(page) {
      const figures = page.getByRole('table', { name: 'Figures of the calibration lines' });
      for (const kg of ['4,970', '5,480', '10,260', '12,480'])
        await expect(figures).toContainText(`At ${kg}\u00a0kg it`);
      const wrapper = figures.locator('..');
      expect(await wrapper.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
      // What a road officer reads of it: a line of words, and one of figures.
      const note = page.locator('.evidence-line', { hasText: /conforms?[.,]/ });
      for (const part of [note.locator('strong'), note.getByRole('link')])
        expect(await linesOf(part), await part.innerText()).toBe(1);
    },
  },
  'empty at the depot, loaded at a quarry two days later': {
    groups: SEMI,
    async type(hands) {
      const { page, tap, type } = hands;
      await type('weighbridge', 'Quarry');
      await typeSemi(hands, 80);
      const steer = section(page, 'Steer');
      await tap(summary(steer, 'Check load, as found'));
      await tap(summary(steer, 'Empty: its ticket, another day or bridge'));
      await type('STEER_empty_on', addDays(todayIn(ZONE, new Date()), -2));
      await type('STEER_empty_at', 'Depot');
    },
    lines: pointsOf(80),
    async more(_page, { registry, rego }) {
      const on = addDays(todayIn(ZONE, new Date()), -2);
      expect((await weighingsOf(registry, rego)).map(({ deck, on: day, at }) => [...deck, day, at])).toEqual(
        ['STEER', 'DRIVE', 'TRAILERA'].map((axle) => [axle, on, 'Depot']),
      );
    },
  },
};

async function addTruck(registry: StartedRegistry, groupDetails: string): Promise<string> {
  const rego = newRego();
  const axleGroups = groupDetails.replaceAll(/([A-Z]+)[^;]*(; )?/g, '$1 ').trim();
  const values = { rego, vin: `VIN${rego}`, calibrationValidated: true, make: 'Volvo', groupDetails, axleGroups };
  await registry.db.insertInto('vehicle').values(values).execute();
  await enterLeaves(registry.db);
  return rego;
}

test('five procedures are typed as they are done, counted, recorded and shown in their unit', async ({
  browser,
  registry,
}) => {
  test.setTimeout(600_000);
  const context = await browser.newContext({
    baseURL: registry.url,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  await signInAs(page, await newPerson(registry, 'technician'));
  const keystrokes: number[] = [];
  for (const [name, { groups, type, lines, notTyped = [], more }] of Object.entries(PROCEDURES))
    await test.step(name, async () => {
      const rego = await addTruck(registry, groups);
      await page.goto(`/vehicles/calibrate/${rego}`);
      await hydrated(page);
      const hands = handsAt(page);
      await hands.tap(page.locator('[name="confirmed"]'));
      await hands.type('visit_time', '00:05');
      await type(hands);
      expect(hands.typed.filter((text) => notTyped.includes(text))).toEqual([]);
      await hands.tap(page.getByRole('button', { name: 'Record calibration' }));
      await expect(page).toHaveURL(new RegExp(`/vehicles/view/${rego}`));
      process.stdout.write(`${name}: ${hands.keys()} keystrokes\n`);
      keystrokes.push(hands.keys());
      await expect(page.locator('main')).toContainText('Recorded. It counts:');
      for (const [label, points] of Object.entries(lines))
        for (const point of points)
          await expect(page.locator('.axle-line').filter({ hasText: label })).toContainText(point);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
      await more?.(page, { rego, registry });
    });
  // As before there were weighings: the truck, the time, twelve fields and the button, and nothing else.
  const digits = Object.values(semi(0)).flat().join('').length;
  expect(keystrokes[0]).toBe(1 + 1 + '0005'.length + 12 + digits + 1);
  await context.close();
});
