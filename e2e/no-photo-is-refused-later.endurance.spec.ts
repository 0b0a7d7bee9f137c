// 200 pictures are chosen on a phone without reception. Each is refused there and then, or what the phone makes of it
// is taken by the registry: the right way up, and not larger than it needs to be.
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { checkUpload } from '#app/files/store-upload.server.ts';
import { newPerson, signInAs } from './people.ts';
import { BROKEN, PICTURES, type Picture } from './pictures.ts';
import { expect, hydrated, test } from './registry.ts';
import { recordSet, truck } from './visits.ts';

test.setTimeout(900_000);

/** The photo that the phone keeps, and none after that. */
const takeKept = (page: Page): Promise<{ name: string; type: string; bytes: number[] } | null> =>
  page.evaluate(async () => {
    const asked = indexedDB.open('field');
    const db = await new Promise<IDBDatabase>((resolve) => (asked.onsuccess = () => resolve(asked.result)));
    const all = db.transaction('photos').objectStore('photos').getAll();
    const [kept] = await new Promise<{ name: string; type: string; bytes: Uint8Array<ArrayBuffer> }[]>(
      (resolve) => (all.onsuccess = () => resolve(all.result)),
    );
    db.close();
    if (kept === undefined) return null;
    const { name, type, bytes } = kept;
    return { name, type, bytes: [...bytes] };
  });

async function chooseOnPhone(page: Page, { name, type, make }: Picture) {
  const buffer = await make();
  await page.getByLabel('Photos (optional)').setInputFiles({ name, mimeType: type, buffer });
  const removes = page.getByRole('button', { name: /^Remove / });
  const refusal = page.getByRole('alert').filter({ hasText: 'The visit goes without it.' });
  await expect(removes.or(refusal)).toBeVisible({ timeout: 60_000 });
  if (await refusal.isVisible()) return { refusal: (await refusal.textContent()) ?? '' };
  await expect.poll(() => takeKept(page)).not.toBeNull();
  const kept = await takeKept(page);
  await removes.click();
  await expect.poll(() => takeKept(page)).toBeNull();
  if (kept === null) throw new Error('nothing is kept');
  return { name: kept.name, type: kept.type, bytes: Buffer.from(kept.bytes) };
}

test('of 200 pictures none is refused after it was taken on the phone', async ({ browser, registry }) => {
  expect(PICTURES.length + BROKEN.length).toBeGreaterThanOrEqual(200);
  const technician = await newPerson(registry, 'technician');
  const rego = await truck(registry);
  await recordSet(registry, technician, rego, 100);
  const context = await browser.newContext({ baseURL: registry.url });
  const page = await context.newPage();
  await signInAs(page, technician);
  await page.goto('/field');
  await hydrated(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect(page.getByText('Connected')).toBeVisible();
  await page.getByRole('link', { name: rego }).click();
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Start a visit' }).click();
  const wrong: string[] = [];
  const fates = { taken: 0, refused: 0 };
  for (const picture of [...PICTURES, ...BROKEN]) {
    const of = `${picture.what} (${picture.name})`;
    const chosen = await chooseOnPhone(page, picture);
    if ('refusal' in chosen) {
      fates.refused += 1;
      if (picture.fate === 'taken') wrong.push(`${of} is refused: ${chosen.refusal}`);
      if (picture.says !== undefined && !chosen.refusal.includes(picture.says)) wrong.push(`${of}: ${chosen.refusal}`);
      continue;
    }
    fates.taken += 1;
    if (picture.fate === 'refused') wrong.push(`${of} is taken`);
    const checked = await checkUpload(registry.db, 'image', { prefix: `staged/${rego}`, bytes: chosen.bytes });
    if (checked.state === 'refused') wrong.push(`${of} is refused by the registry: ${checked.reason}`);
    const { width, height, orientation = 1 } = await sharp(chosen.bytes).metadata();
    if (Math.max(width, height) > 2000 || orientation !== 1)
      wrong.push(`${of} is ${width} × ${height}, ${orientation}`);
    if (picture.upright !== undefined) {
      const is = await uprightOf(chosen.bytes);
      if (is !== picture.upright) wrong.push(`${of} stands ${is}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(fates.taken).toBeGreaterThan(120);
  expect(fates.refused).toBeGreaterThan(40);
  // As a phone that can read HEIC does it.
  await page.evaluate(() => {
    const decode = createImageBitmap;
    Object.assign(globalThis, {
      createImageBitmap: async (file: Blob, ...how: []) =>
        (await file.slice(4, 12).text()) === 'ftypheic' ? decode(new ImageData(drawn(), 3000)) : decode(file, ...how),
    });
    const drawn = () =>
      Uint8ClampedArray.from({ length: 3000 * 2000 * 4 }, (_, at) => (at % 4 === 3 ? 255 : (at >> 8) & 255));
  });
  const heic = BROKEN.find(({ what }) => what === 'HEIC');
  expect(heic).toBeDefined();
  if (heic !== undefined)
    expect(await chooseOnPhone(page, heic)).toMatchObject({ name: 'IMG_1.jpg', type: 'image/jpeg' });
  await context.close();
});

/** The shape, and the corner in which the red mark is. */
async function uprightOf(bytes: Buffer): Promise<string> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const isRed = (x: number, y: number) => {
    const [red = 0, green = 0] = data.subarray((y * width + x) * channels);
    return red > 150 && green < 120;
  };
  const [right, low] = [Math.floor(width * 0.95), Math.floor(height * 0.95)];
  const [left, high] = [Math.floor(width * 0.05), Math.floor(height * 0.05)];
  const corners = {
    'top left': [left, high],
    'top right': [right, high],
    'bottom left': [left, low],
    'bottom right': [right, low],
  } as const;
  const marked = Object.entries(corners).flatMap(([name, [x, y]]) => (isRed(x, y) ? [name] : []));
  return `${width > height ? 'wide' : 'high'}, mark ${marked.join(' and ')}`;
}
