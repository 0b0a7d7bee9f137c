// npm run bench:outbox-line: fifty visits with four photos each on a phone, sent over a line of 400 kbit/s that breaks every fifteen
// seconds. Prints how long it takes, what was sent again, and the memory of page and server at most. PHOTO_KB=. Ends with 1 when a
// visit or a photo is missing, or the page takes over 100 MB more, or the server over 100.
import { chromium, type CDPSession, type Page } from '@playwright/test';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { READING_FIELDS, nameOf } from '#app/readings/set-grid.ts';
import type { KeptVisit } from '#app/field/phone-store.ts';
import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import { startFaultProxy, type FaultProxy } from '#test/fault-proxy.ts';
import { openOutboxGround } from '#test/outbox/explore.ts';
import { honestReadings } from '#test/visits.ts';
import { residentOf } from './scale/processes.ts';

const VISITS = 50;
const PHOTOS = 4;
const PHOTO_KB = Number(process.env['PHOTO_KB'] ?? 60);
const LINE = { kind: 'slow', latencyMs: 150, bytesPerSecond: 50_000 } as const;
const WHOLE_MS = 15_000;
const BROKEN_MS = 1500;
const MEMORY_MAX_MB = 100;
const AXLES = ['STEER', 'DRIVE'] as const;

const say = (words: string) => void process.stdout.write(`${words}\n`);
const ground = await openOutboxGround();
const { registry, cookie } = ground;
const { db } = registry;
const { port, pid } = await registry.addNode();
const proxy = await startFaultProxy({ port });
const executablePath = process.env['CHROMIUM'];
const browser = await chromium.launch({
  ...(executablePath === undefined ? {} : { executablePath }),
  args: ['--no-sandbox', '--disable-gpu'],
});
const base = `http://127.0.0.1:${proxy.port}`;
const context = await browser.newContext({ baseURL: base });
const [name = '', value = ''] = cookie.split(/=(.*)/);
await context.addCookies([{ name, value: value.replace(/;.*/, ''), url: base }]);
const page = await context.newPage();
await page.goto('/field');
await page.getByText('Connected').waitFor();
await page.evaluate(() => navigator.serviceWorker.ready);
await page.goto('/field#outbox');
const devtools = await context.newCDPSession(page);
await devtools.send('Performance.enable');

const ids: string[] = [];
for (let n = 0; n < VISITS; n += 1) ids.push(await addVisit(page, n));
say(`${VISITS} visits with ${VISITS * PHOTOS} photos of ${PHOTO_KB} kB are on the phone.`);
const before = { page: await heapOf(devtools), server: await residentOf(pid) };
let most = before;
await proxy.set(LINE);
const began = performance.now();
// From here on the page comes from the phone, and sends what it finds there.
await page.reload();
let breaks = 0;
for (let sent = 0; sent < VISITS;) {
  await breakAfter(proxy, WHOLE_MS);
  breaks += 1;
  // As somebody does who sees that there is signal again.
  await page
    .getByRole('button', { name: 'Try now' })
    .click({ timeout: 1000 })
    .catch(() => {});
  most = { page: Math.max(most.page, await heapOf(devtools)), server: Math.max(most.server, await residentOf(pid)) };
  const recorded = await db.selectFrom('calibrationSet').select('id').where('captureId', 'in', ids).execute();
  if (recorded.length !== sent) say(`${recorded.length} after ${Math.round((performance.now() - began) / 1000)} s`);
  sent = recorded.length;
}
const seconds = Math.round((performance.now() - began) / 1000);
const sets = await db
  .selectFrom('calibrationSet')
  .select(['captureId', 'photoId', 'morePhotoIds'])
  .where('captureId', 'in', ids)
  .execute();
const photos = sets.reduce((sum, set) => sum + (set.photoId === null ? 0 : 1) + (set.morePhotoIds?.length ?? 0), 0);
const uploads = await db
  .selectFrom('stagedUpload')
  .select(({ fn }) => fn.countAll<number>().as('n'))
  .executeTakeFirstOrThrow();
say(
  `${sets.length} visits with ${photos} photos are recorded after ${seconds} s and ${breaks} breaks; ${uploads.n} uploads. ` +
    `The page took ${most.page - before.page} MB more than ${before.page}, the server ${most.server - before.server} more than ${before.server}.`,
);
const isBounded = most.page - before.page <= MEMORY_MAX_MB && most.server - before.server <= MEMORY_MAX_MB;
await browser.close();
await proxy.close();
await ground.stop();
process.exit(sets.length === VISITS && photos === VISITS * PHOTOS && isBounded ? 0 : 1);

async function breakAfter(line: FaultProxy, ms: number): Promise<void> {
  await pause(ms);
  await line.set({ kind: 'refuse' });
  await pause(BROKEN_MS);
  await line.set(LINE);
}

async function heapOf(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return Math.round((metrics.find((metric) => metric.name === 'JSHeapUsedSize')?.value ?? 0) / 1e6);
}

/** As the form puts it there. */
async function addVisit(onPage: Page, n: number): Promise<string> {
  const [truck] = await ground.trucks();
  const person = { id: ground.technician.personId, name: ground.technician.name };
  const today = todayIn('Australia/Sydney');
  const visit: KeptVisit = {
    id: randomUUID(),
    state: 'unsent',
    person,
    capturedBy: person,
    capturedAt: new Date(Date.now() - (VISITS - n) * 60_000).toISOString(),
    rego: truck.rego,
    vin: truck.vin,
    vehicleId: truck.id,
    formVersion: 1,
    fields: [
      ['confirmed', 'yes'],
      ['visit_date', today],
      ['visit_time', '00:05'],
      ['due_date', addDays(today, 180)],
      ...AXLES.flatMap((axle): [string, string][] => [
        ['axle', axle],
        ...READING_FIELDS.map(({ field }): [string, string] => [
          nameOf(axle, field),
          honestReadings(axle, 2 * n)[field],
        ]),
      ]),
    ],
    revision: 1,
    isSent: false,
    answer: null,
    isChangedSince: false,
  };
  const pictures = await Promise.all(Array.from({ length: PHOTOS }, noise));
  await onPage.evaluate(
    async ([kept, given]) => {
      const opened = indexedDB.open('field');
      await new Promise((resolve) => (opened.onsuccess = resolve));
      const tx = opened.result.transaction(['visits', 'photos'], 'readwrite');
      tx.objectStore('visits').put(kept);
      for (const base64 of given) {
        const bytes = Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0);
        const blob = new Blob([bytes], { type: 'image/jpeg' });
        tx.objectStore('photos').put({
          id: crypto.randomUUID(),
          visitId: kept.id,
          name: 'p.jpg',
          blob,
          uploadId: null,
        });
      }
      await new Promise((resolve) => (tx.oncomplete = resolve));
      opened.result.close();
    },
    [visit, pictures] as const,
  );
  return visit.id;
}

// A picture of noise of about PHOTO_KB: no two are alike.
async function noise(): Promise<string> {
  const edge = Math.round(Math.sqrt(PHOTO_KB * 1000) * 1.25);
  const raw = { width: edge, height: edge, channels: 3 } as const;
  const bytes = await sharp(randomBytes(edge * edge * 3), { raw })
    .jpeg({ quality: 40 })
    .toBuffer();
  return bytes.toString('base64');
}
