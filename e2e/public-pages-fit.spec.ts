// Every public page fits the screen, has targets for thumbs, and prints well.
import type { Locator, Page } from '@playwright/test';
import type { StartedRegistry } from '#test/start-registry.ts';
import { expect, test } from './registry.ts';

const LONG = 'FT04LG';
const VISITS = 10;
const READINGS = [
  ['Empty Volt', '0.8412'],
  ['Empty Weight', '4820'],
  ['Loaded Volt', '3.1875'],
  ['Loaded Weight', '118900'],
] as const;

test.beforeAll(async ({ registry }) => addLongHistory(registry));

test('the page of a truck with a long history takes two sheets, however long it is; the whole history breaks between visits', async ({
  page,
}) => {
  const sheets = async () =>
    (await page.pdf({ preferCSSPageSize: true })).toString('latin1').match(/\/Type\s*\/Page\b/g);
  await page.goto(`/vehicles/view/${LONG}`);
  expect(await sheets()).toHaveLength(2);
  await page.getByRole('link', { name: 'Earlier visits' }).click();
  await expect(page.getByRole('heading', { name: `Whole history of ${LONG}` })).toBeVisible();
  await expect(page.locator('tbody')).toHaveCount(VISITS);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText(`Calibrations of ${LONG}, newest first`, { exact: true }).last()).toBeVisible();
  const history = page.locator('section', { has: page.locator('#history') });
  await expect(history).toHaveCSS('break-inside', 'auto');
  await expect(history.locator('tbody').first()).toHaveCSS('break-inside', 'avoid');
});

for (const rego of ['XV52TR', 'XV38MN', 'XV27BD', LONG])
  test(`${rego} prints black on white and without gaps, also from a dark screen`, async ({ page }) => {
    await page.setViewportSize({ width: 703, height: 2400 });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await page.goto(`/vehicles/view/${rego}`);
    expect(await coloursOf(page)).toEqual({ text: ['rgb(0, 0, 0)'], fill: ['rgb(255, 255, 255)'] });
    const gaps = await page.locator('main').evaluate((main) => {
      const boxes = [...main.children].map((child) => child.getBoundingClientRect()).filter((box) => box.height > 0);
      return boxes.slice(1).map((box, index) => Math.round(box.top - (boxes[index]?.bottom ?? 0)));
    });
    expect(gaps.length).toBeGreaterThan(2);
    for (const gap of gaps) expect(gap).toBeLessThanOrEqual(12);
  });

test('results print black on white, without the search', async ({ page }) => {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  for (const address of ['/?q=XV', '/search?q=XV']) {
    await page.goto(address);
    expect([address, await coloursOf(page)]).toEqual([
      address,
      { text: ['rgb(0, 0, 0)'], fill: ['rgb(255, 255, 255)'] },
    ]);
    await expect(page.getByRole('searchbox')).toBeHidden();
  }
});

for (const width of [560, 600, 700, 824, 825, 991, 1199])
  test(`results at ${width} px show every column in the tight mode`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    for (const address of ['/?q=XV', '/?q=XV&page=2', '/search?q=XV']) {
      await page.goto(address);
      expect([address, await overflowOf(page)]).toEqual([address, []]);
      for (const name of ['Certificate', 'Action']) {
        const box = await page.getByRole('columnheader', { name }).boundingBox();
        expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThanOrEqual(width - 16);
      }
      const cell = page.getByRole('columnheader', { name: 'Warranty Expiry' });
      await expect(cell).toHaveCSS('padding-left', '5px');
      await expect(page.locator('tbody td:visible').first()).toHaveCSS('font-size', '13px');
      const heights = await page
        .locator('tbody tr')
        .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
      // A row of 44 px and its line; below 825 px the VIN stands under it, as the public came for it.
      for (const height of heights) expect(height).toBeLessThanOrEqual(width < 825 ? 66 : 45);
    }
    await page.goto('/?q=XV04');
    await expect(page.getByText('6T9HZ8FM2PA100418').filter({ visible: true })).toHaveCount(1);
  });

for (const width of [320, 390, 768])
  test(`every target is at least 44 by 44 px for a finger, ${width} px wide`, async ({ browser, baseURL }) => {
    const context = await browser.newContext({
      viewport: { width, height: 844 },
      hasTouch: true,
      isMobile: true,
      ...(baseURL === undefined ? {} : { baseURL }),
    });
    const page = await context.newPage();
    const reading = await readingOf(page);
    for (const address of ['/', '/?q=XV', '/search?q=XV', '/vehicles/view/XV04KL', `/vehicles/view/${LONG}`, reading]) {
      await page.goto(address);
      const small = await page
        .locator('a:visible:not(.sr-only), button:visible, input:visible, summary:visible')
        .evaluateAll((elements) =>
          elements
            .map((element) => ({ name: element.outerHTML.slice(0, 90), box: element.getBoundingClientRect() }))
            .filter(({ box }) => box.width < 44 || box.height < 44)
            .map(({ name, box }) => `${box.width} x ${box.height}: ${name}`),
        );
      expect([address, small]).toEqual([address, []]);
    }
    await context.close();
  });

for (const width of [320, 375, 390])
  test(`at ${width} px nothing scrolls sideways, and a value stands on one line with its unit`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    const reading = await readingOf(page);
    for (const address of ['/', '/?q=XV', '/vehicles/view/XV04KL', `/vehicles/view/${LONG}`, reading]) {
      await page.goto(address);
      expect([address, await overflowOf(page)]).toEqual([address, []]);
    }
    const value = page.locator('dd').filter({ hasText: /^118,900\skg$/ });
    expect(await linesOf(value)).toEqual([1]);
    await page.goto('/vehicles/view/XV04KL');
    expect(await linesOf(page.locator('dd').filter({ hasText: '6T9HZ8FM2PA100418' }))).toEqual([1]);
    await page.goto(`/vehicles/view/${LONG}`);
    expect(new Set(await linesOf(page.locator('td a')))).toEqual(new Set([1]));
    for (const [attribute, unit] of [
      ['Empty Volt', 'V'],
      ['Loaded Weight', 'kg'],
    ] as const)
      await expect(page.getByRole('columnheader', { name: `${attribute} ${unit}` })).toBeVisible();
  });

test('a link in a sentence is as tall as a finger needs, and leaves the lines where they are', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/vehicles/view/XV04KL');
  const sentence = page.locator('.verdict-card p').filter({ hasText: 'The registry shows what has been recorded' });
  const lines = await sentence.evaluate((element) => {
    const { paddingTop, paddingBottom, lineHeight } = getComputedStyle(element);
    return (element.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom)) / parseFloat(lineHeight);
  });
  expect(lines).toBe(3);
});

test('a value too long for a phone scrolls in its table, not with the page', async ({ page, registry }) => {
  const start = Date.UTC(2026, 1, 3);
  await registry.importMore({
    Vehicles: {
      FT05WD: { rego: 'FT05WD', calibrations: { [start]: entry('STEER', 'Empty Weight', '123456789012345') } },
    },
  });
  await page.setViewportSize({ width: 320, height: 844 });
  await page.goto('/vehicles/view/FT05WD');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await page.locator('td a').first().click();
  await expect(page.getByRole('heading', { name: 'Calibration entry' })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

test('with forced colours the primary button keeps its outline', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/');
  const button = page.getByRole('button', { name: 'Search' });
  const edge = await button.evaluate((element) => {
    const { borderTopColor, borderTopStyle, borderTopWidth, backgroundColor } = getComputedStyle(element);
    return { borderTopColor, borderTopStyle, borderTopWidth, backgroundColor };
  });
  expect(edge).toMatchObject({ borderTopStyle: 'solid', borderTopWidth: '1px' });
  expect(edge.borderTopColor).not.toBe('rgba(0, 0, 0, 0)');
  expect(edge.borderTopColor).not.toBe(edge.backgroundColor);
});

function entry(axle: string, attribute: string, value: string): Record<string, string> {
  return {
    calibration_date_time: '',
    axle_type: axle,
    calibrating_technician: 'a.technician.with.a.long.name@calibrations.example',
    calibration_due_date: '2027-05-14',
    calibration_attribute: attribute,
    calibration_value: value,
  };
}

async function addLongHistory(registry: StartedRegistry): Promise<void> {
  const calibrations: Record<string, unknown> = {};
  for (let visit = 0; visit < VISITS; visit += 1) {
    let instant = Date.UTC(2026, 5 - visit * 3, 3);
    for (const axle of ['STEER', 'DRIVE', 'TRAILERA', 'TRAILERB'])
      for (const [attribute, value] of READINGS) {
        calibrations[String(instant)] = entry(axle, attribute, value);
        instant += 9000;
      }
  }
  await registry.importMore({
    Vehicles: { [LONG]: { rego: LONG, vin: '6T9HZ8FM2PA100999', calibration_validated: true, calibrations } },
  });
}

/** The address of a weight of the long history. */
async function readingOf(page: Page): Promise<string> {
  await page.goto(`/vehicles/view/${LONG}`);
  return (
    (await page
      .getByRole('link', { name: /Loaded Weight: 118,900 kg/ })
      .first()
      .getAttribute('href')) ?? ''
  );
}

/** The elements that are wider than the page or their table's wrapper. */
function overflowOf(page: Page): Promise<string[]> {
  return page
    .locator('html, .table-scroll')
    .evaluateAll((elements) =>
      elements
        .filter((element) => element.scrollWidth > element.clientWidth)
        .map((element) => `${element.tagName} ${element.scrollWidth} > ${element.clientWidth}`),
    );
}

/** The number of lines of each visible text. */
function linesOf(elements: Locator): Promise<number[]> {
  return elements.evaluateAll((all) =>
    all.map((element) => {
      const tops = new Set<number>();
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) {
        if (text.parentElement === null || getComputedStyle(text.parentElement).position === 'absolute') continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        for (const box of range.getClientRects()) tops.add(Math.round(box.top / 4));
      }
      return tops.size;
    }),
  );
}

/** The colours of what is shown, apart from the plate, which is an object. */
function coloursOf(page: Page): Promise<{ text: string[]; fill: string[] }> {
  return page.locator('body *:not(svg *, .text-plate-ink)').evaluateAll((elements) => {
    const text = new Set<string>();
    const fill = new Set<string>();
    for (const element of elements) {
      if (!element.checkVisibility()) continue;
      const { color, backgroundColor } = getComputedStyle(element);
      text.add(color);
      if (backgroundColor !== 'rgba(0, 0, 0, 0)') fill.add(backgroundColor);
    }
    return { text: [...text], fill: [...fill] };
  });
}
