// A B-double at the roadside: a truck that reads its first trailer, and a second trailer with a unit of its own.
import { readFile } from 'node:fs/promises';
import { brotliCompressSync } from 'node:zlib';
import type { Browser, Page } from '@playwright/test';
import { enterLeaves } from '#test/leaves.ts';
import type { StartedRegistry } from '#test/start-registry.ts';
import { tooWide } from './fits.ts';
import { newPerson } from './people.ts';
import { expect, hydrated, test } from './registry.ts';
import { newRego } from './vehicles.ts';
import { recordSet, truck } from './visits.ts';

test.use({ viewport: { width: 390, height: 844 } });

const KEYS_MAX = 12;
const TAPS_MAX = 2;

/** `own`: the trailer with a unit of its own; `read`: the one that the truck reads, which has no record. */
async function bDouble(registry: StartedRegistry, ownDaysAgo: number) {
  const who = await newPerson(registry, 'technician');
  const rego = await truck(registry, newRego(), 'STEER DRIVE TRAILERA');
  const [read, own] = [newRego(), newRego()];
  const values = { rego: own, vin: `VIN${own}`, kind: 'trailer', axleGroups: 'REAR', calibrationValidated: true };
  await registry.db.insertInto('vehicle').values(values).execute();
  await enterLeaves(registry.db);
  const trailers = `TRAILERA ${read}; own ${own}`;
  await recordSet(registry, who, own, ownDaysAgo, { axles: ['REAR'] });
  await recordSet(registry, who, rego, 3, { axles: ['STEER', 'DRIVE', 'TRAILERA'], trailers });
  return { rego, read, own };
}

test('in at most 12 keys and 2 taps from the home page', async ({ page, registry }) => {
  const { rego, read, own } = await bDouble(registry, 190);
  const done = { keys: 0, taps: 0 };
  const tap = async (name: string) => {
    done.taps += 1;
    await page.getByRole('link', { name }).first().click();
  };
  await page.goto('/');
  await hydrated(page);
  for (const key of rego) {
    done.keys += 1;
    await page.getByRole('searchbox').press(key);
  }
  await tap(`View ${rego}`);
  await expect(page.getByText(`Trailer A: taken with trailer ${read}.`)).toBeVisible();
  await tap('Check with its trailers');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    `Scale calibration of ${rego}, ${read}, ${own}: Overdue`,
  );
  await expect(page.getByText(`Not valid today. Trailer ${own} was due on`, { exact: false })).toBeVisible();
  const units = page.getByRole('listitem');
  await expect(units.nth(0)).toContainText('1 · Truck, in front');
  await expect(units.nth(1)).toContainText(`Read by ${rego}’s unit.`);
  await expect(units.nth(2)).toContainText('3 · Trailer');
  expect(done.keys).toBeLessThanOrEqual(KEYS_MAX);
  expect(done.taps).toBeLessThanOrEqual(TAPS_MAX);
  expect(await tooWide(page)).toEqual([]);

  await page.getByText('Change the units').click();
  await expect(page.getByLabel('Unit 1, in front')).toHaveValue(rego);
  await page.getByLabel('Unit 3').fill('');
  await page.getByLabel('Unit 4').fill(`${rego} NSW`);
  await page.getByRole('button', { name: 'Check' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Scale calibration of ${rego}, ${read}: Valid`);
  await expect(page.getByText(`${rego} was given more than once, and counts once.`)).toBeVisible();
  const receipt = page.getByRole('link', { name: 'Receipt (PDF)' });
  const [pdf] = await Promise.all([page.waitForEvent('download'), receipt.click()]);
  expect((await readFile(await pdf.path())).subarray(0, 5).toString()).toBe('%PDF-');
});

test('without scripts: the form, what is wrong in it, another trailer, and on paper', async ({
  browser,
  registry,
  baseURL,
}) => {
  const { rego, own } = await bDouble(registry, 20);
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '' });
  const page = await context.newPage();
  await page.goto('/combination');
  await page.getByLabel('Unit 1, in front').fill(rego);
  await page.getByLabel('Unit 3').fill(own);
  await page.getByRole('button', { name: 'Check' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Valid');
  await expect(page.getByText('All 2 units are valid today.', { exact: false })).toBeVisible();
  await expect(page.getByText('One line does not hold here.')).toHaveCount(0);

  await page.goto(`/combination?unit=${rego}&unit=NOPE99`);
  await expect(page.getByText('NOPE99 is not in this registry, so nothing can be said of all 2.')).toBeVisible();
  await expect(page.getByText('One line does not hold here.')).toBeVisible();

  const seven = await page.goto(`/combination?${Array.from({ length: 7 }, (_, nth) => `unit=A${nth}`).join('&')}`);
  expect(seven?.status()).toBe(400);
  await expect(page.getByRole('alert')).toHaveText('A combination has at most 6 units; these are 7.');
  await expect(page.getByLabel('Unit 7')).toHaveValue('A6');

  await page.goto(`/combination?unit=${rego}&unit=${own}`);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText('It may be out of date', { exact: false })).toBeVisible();
  await expect(page.getByText('Change the units')).toBeHidden();
  await context.close();
});

const LOOKS = 3;
const SLOW = { offline: false, downloadThroughput: 50_000, uploadThroughput: 50_000, latency: 150 };

// One look on a line of 400 kbit/s, by a browser that has nothing yet: how long the answer takes, and its bytes.
async function lookAt(browser: Browser, address: string): Promise<{ ms: number; bytes: number }> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page: Page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', SLOW);
  const begun = performance.now();
  const answer = await page.goto(address, { waitUntil: 'commit' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  const ms = performance.now() - begun;
  const bytes = brotliCompressSync((await answer?.body()) ?? '').length;
  await context.close();
  return { ms, bytes };
}

test('on a slow line it has no more to load than the page of a vehicle', async ({ browser, registry }) => {
  const { rego, read, own } = await bDouble(registry, 20);
  const addresses = [`/vehicles/view/${rego}`, `/combination?unit=${rego}&unit=${read}&unit=${own}`];
  const best = [Infinity, Infinity];
  const bytes = [0, 0];
  for (let nth = 0; nth < LOOKS; nth += 1)
    for (const [place, address] of addresses.entries()) {
      const look = await lookAt(browser, registry.url + address);
      best[place] = Math.min(best[place] ?? Infinity, look.ms);
      bytes[place] = look.bytes;
    }
  const [vehicle, combination] = best.map((ms, place) => `${ms.toFixed(0)} ms, ${bytes[place]} bytes`);
  process.stdout.write(`a vehicle's page: ${vehicle}; a combination: ${combination}\n`);
  expect(bytes[1]).toBeLessThanOrEqual(bytes[0] ?? 0);
});
