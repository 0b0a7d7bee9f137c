// axe over every page, as on a phone and on a desk, in light and dark.
import axe, { type default as Axe } from 'axe-core';
import type { Page } from '@playwright/test';
import {
  anEntry,
  checkVisitPages,
  erasePages,
  PAGES,
  PAGES_BESIDE,
  SIGNED_IN_PAGES,
  weighbridgePages,
} from './all-pages.ts';
import { listLinkOf } from './follow-links.ts';
import { newPerson, signInAs } from './people.ts';
import { expect, hydrated, test } from './registry.ts';
import { newRego } from './vehicles.ts';

const NARROW = { width: 390, height: 900 };
const WIDE = { width: 1280, height: 900 };

// In parts, as each page is looked at in two or four ways.
for (const half of [0, 1])
  test(`axe finds nothing on any public page, light or dark, ${half + 1} of 2`, async ({ page, registry, quiet }) => {
    quiet.allow(/status of 4(04|10)/);
    const [weighbridge = ''] = await weighbridgePages(registry);
    const all = [...PAGES, ...PAGES_BESIDE, await anEntry(registry), weighbridge];
    for (const address of all.filter((_, place) => place % 2 === half)) await expectNothing(page, address);
  });

for (const third of [0, 1, 2])
  test(`axe finds nothing on any page of an admin, light or dark, ${third + 1} of 3`, async ({
    page,
    registry,
    quiet,
  }) => {
    quiet.allow(/status of 4(04|10)/);
    await signInAs(page, await newPerson(registry, 'admin'));
    const entry = await anEntry(registry);
    const more = [
      ...(await erasePages(registry)),
      ...(await weighbridgePages(registry)),
      ...(await checkVisitPages(registry)),
      entry,
      entry.replace('/calibrations/', '/calibrations/correct/'),
    ];
    const addresses = [...SIGNED_IN_PAGES, ...more].filter((_, place) => place % 3 === third);
    for (const address of addresses) await expectNothing(page, address);
  });

test('axe finds nothing in what the forms of many trucks answer', async ({ page, registry }) => {
  await page.goto(await listLinkOf(registry));
  await hydrated(page);
  await expectNothingHere(page, 'a followed list');
  await page.goto('/check');
  await hydrated(page);
  await page.getByLabel('Regos or VINs').fill('Rego\nXV04KL\nxvo4kl\nXV04K\n\nABC#\nNT88QZ\nXV27BD');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByRole('heading', { name: '7 lines checked' }).waitFor();
  await expectNothingHere(page, 'a checked list');
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto('/vehicles/import');
  await hydrated(page);
  const rego = newRego();
  await page
    .getByLabel('or its lines')
    .fill(`rego,make,vin\n${rego},Volvo,\nXV04KL%,x,\n${newRego()},,6T9HZ8FM2PA100418`);
  await page.getByRole('button', { name: 'Preview' }).click();
  const confirm = page.getByRole('button', { name: 'Import 1 line' });
  await confirm.waitFor();
  await expectNothingHere(page, 'the preview of an import');
  await confirm.click();
  await page.getByText('Imported: 1 added').waitFor();
  await expectNothingHere(page, 'what an import did');
});

test('axe finds nothing in the open menu of an admin, light or dark', async ({ page, registry }) => {
  await page.setViewportSize(NARROW);
  await signInAs(page, await newPerson(registry, 'admin'));
  await page.goto('/dashboard');
  await hydrated(page);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.evaluate(axe.source);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await violationsOn(page)).toEqual([]);
  }
});

async function expectNothing(page: Page, address: string): Promise<void> {
  await page.setViewportSize(NARROW);
  await page.goto(address);
  await hydrated(page);
  // /field reads the phone's own database first.
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await expectNothingHere(page, address);
}

async function expectNothingHere(page: Page, address: string): Promise<void> {
  await page.evaluate(axe.source);
  for (const size of [NARROW, WIDE]) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    const light = await violationsOn(page);
    // In the dark only the colours differ.
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    const dark = await violationsOn(page, ['color-contrast', 'link-in-text-block']);
    expect([address, size.width, light, dark]).toEqual([address, size.width, [], []]);
  }
}

async function violationsOn(page: Page, rules?: string[]): Promise<string[]> {
  const violations = await page.evaluate(async (runOnly) => {
    const { axe } = globalThis as unknown as { axe: typeof Axe };
    const { violations } = await axe.run({
      resultTypes: ['violations'],
      ...(runOnly === undefined ? {} : { runOnly }),
    });
    return violations;
  }, rules);
  return violations.map(({ id: rule, nodes }) => `${rule}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}
