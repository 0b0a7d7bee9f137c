// The main paths in the browsers of others: Firefox, and WebKit as on an iPhone. Chromium goes through all stories in
// e2e/. Each story fails when its page throws, or writes an error to the console.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { todayIn } from '#app/platform/time/calendar.ts';
import type { AccountRole } from '#app/access/permissions.ts';
import { addPerson, PASSWORD, type Person } from '#test/people.ts';
import { startRegistry, type StartedRegistry } from '#test/start-registry.ts';
import { honestReadings, nextNudge } from '#test/visits.ts';
import { recordSet, truck, ZONE } from '../../e2e/visits.ts';
import { browserOn, type Browser } from './browser.ts';
import { startFirefox } from './firefox.ts';
import { hasBrowsers } from './has-browsers.ts';
import { hasWorker } from './in-page.ts';
import { startWebKit } from './webkit.ts';

const AXLES = [
  ['Steer', 'STEER'],
  ['Drive', 'DRIVE'],
] as const;
const READINGS = ['Empty Volt', 'Empty Weight', 'Loaded Volt', 'Loaded Weight'];

const isHere = hasBrowsers();
let registry: StartedRegistry;
let folder: string;
beforeAll(async () => {
  if (!isHere) return;
  registry = await startRegistry();
  folder = await mkdtemp(path.join(tmpdir(), 'chosen-'));
}, 180_000);
afterAll(async () => {
  if (!isHere) return;
  await registry.stop();
  await rm(folder, { recursive: true });
});

/** A file to choose. Returns its path. */
async function file(name: string, content: string | Buffer): Promise<string> {
  const made = path.join(folder, name);
  await writeFile(made, content);
  return made;
}
let pictures = 0;
/** A picture with something on it: no other has the same. */
const photo = async () => {
  pictures += 1;
  const noise = { type: 'gaussian', mean: 128 + pictures, sigma: 30 } as const;
  const picture = sharp({ create: { width: 600, height: 450, channels: 3, background: 'white', noise } });
  return file('ticket.jpg', await picture.jpeg().toBuffer());
};

let made = 0;
function person(role: AccountRole): Promise<Person> {
  made += 1;
  return addPerson(registry.db, role, `${role}${made}@browsers.example`, { name: 'Jo Field' });
}

describe.skipIf(!isHere).each([
  ['Firefox', startFirefox],
  ['WebKit', startWebKit],
])('in %s', { timeout: 180_000 }, (_, start) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = browserOn(await start(), registry.url);
  }, 120_000);
  afterAll(() => browser.stop());
  beforeEach(() => browser.clearCookies());
  afterEach(async () => expect(await browser.takeErrors()).toEqual([]));

  async function signIn(role: AccountRole): Promise<Person> {
    const who = await person(role);
    await browser.open(role === 'admin' ? '/login' : '/tech-login');
    await browser.type('Email', who.email);
    await browser.type('Password', PASSWORD);
    await browser.click('button', 'Submit');
    await browser.isAt('/dashboard');
    await browser.isReady();
    return who;
  }

  async function fillVisit(rego: string): Promise<void> {
    const nudge = nextNudge();
    await browser.click('field', `I have read rego ${rego} and this VIN`);
    await browser.type('Time of the visit', '00:05');
    for (const [label, axle] of AXLES)
      for (const [place, value] of Object.values(honestReadings(axle, nudge)).entries())
        await browser.type(`${label}: ${READINGS[place]}`, value);
  }

  const setsOf = (rego: string) =>
    registry.db
      .selectFrom('calibrationSet')
      .innerJoin('vehicle', 'vehicle.id', 'calibrationSet.vehicleId')
      .select(['photoName', 'capturedAt'])
      .where('rego', '=', rego)
      .execute();

  test('search: results come as one types, and lead to the vehicle', async () => {
    await browser.open('/');
    await browser.type('Search by Rego/VIN...', 'xv-04');
    await browser.see('1 vehicle matches “xv-04”', 'h1, h2');
    await browser.isAt('/?q=xv-04');
    await browser.click('link', 'View XV04KL');
    await browser.see('Scale calibration of XV04KL: Valid', 'h1');
    await browser.isAt('/vehicles/view/XV04KL');
  });

  test('page: the verdict, its evidence and one reading', async () => {
    await browser.open('/vehicles/view/XV27BD');
    await browser.see('Scale calibration of XV27BD: Overdue', 'h1');
    await browser.see('Not valid today. Calibration was due on', 'main p');
    await browser.open('/vehicles/view/XV04KL');
    await browser.click('link', 'Steer, Empty Volt: 0.84 V');
    await browser.see('Calibration entry', 'h1, h2');
    await browser.see('0.84 V', 'dialog, main');
    await browser.click('link', 'Go Back');
    await browser.isAt('/vehicles/view/XV04KL');
  });

  test('/check: lines that are typed, and a file', async () => {
    await browser.open('/check');
    await browser.type('Regos or VINs', 'XV04KL\nxvo4kl\nXV27BD');
    await browser.click('button', 'Check');
    await browser.see('3 lines checked', 'h1');
    for (const row of ['Valid', 'Did you mean XV04KL?', 'Overdue']) await browser.see(row, 'tbody tr');
    await browser.open('/check');
    await browser.choose(
      'or a',
      await file('fleet.csv', '\uFEFFMake;Registration\r\nVolvo;="XV04KL"\r\nMack;XV27BD\r\n'),
    );
    await browser.click('button', 'Check');
    await browser.see('2 lines checked', 'h1');
    for (const row of ['Valid', 'Overdue']) await browser.see(row, 'tbody tr');
  });

  test('sign-in: a wrong password is told, the right one signs in, and one signs out', async () => {
    const { email, name } = await person('admin');
    await browser.open('/login');
    await browser.type('Email', email);
    await browser.type('Password', 'not my password');
    await browser.click('button', 'Submit');
    await browser.see('Email and password does not match.', '.toast');
    await browser.type('Password', PASSWORD);
    await browser.click('button', 'Submit');
    await browser.isAt('/dashboard');
    await browser.see(name, 'a');
    await browser.click('button', 'Logout');
    await browser.isAt('/login');
    await browser.open('/dashboard');
    await browser.isAt('/login?to=%2Fdashboard');
  });

  test('visit: a technician records all axles with a photo', async () => {
    const rego = await truck(registry);
    await recordSet(registry, await signIn('technician'), rego, 100);
    await browser.open(`/vehicles/calibrate/${rego}`);
    await fillVisit(rego);
    await browser.choose('Photos (optional)', await photo());
    await browser.see('ticket.jpg');
    await browser.click('button', 'Record calibration');
    await browser.isAt(`/vehicles/view/${rego}`);
    await browser.see(`Scale calibration of ${rego}: Valid`, 'h1');
    expect(await setsOf(rego)).toContainEqual({ photoName: 'ticket.jpg', capturedAt: null });
  });

  // The server is away: a browser that is told to be offline is so in Firefox only.
  test('offline: the page opens, keeps a visit with its photo, and sends it later', async () => {
    const rego = await truck(registry);
    await recordSet(registry, await signIn('technician'), rego, 100);
    await browser.open('/field');
    await browser.see('Connected', 'header');
    await browser.see(rego, 'main a');
    await browser.is(hasWorker);
    await registry.killServer();
    try {
      await browser.open('/field');
      await browser.see('No signal', 'header');
      await browser.click('link', rego);
      await browser.click('link', 'Start a visit');
      await fillVisit(rego);
      await browser.choose('Photos (optional)', await photo());
      await browser.see('ticket.jpg');
      await browser.click('button', 'Save on this phone');
      await browser.see('Saved on this phone, not sent yet', 'h1, h2');
      // The browser has it, not only the page.
      await browser.open('/field#outbox');
      await browser.see('1 visit not sent yet', 'h1, h2');
    } finally {
      await registry.startServer();
    }
    await browser.click('button', 'Try now');
    await browser.see('Recorded. It counts: due', 'article');
    expect(await setsOf(rego)).toContainEqual({ photoName: 'ticket.jpg', capturedAt: expect.any(Date) });
  });

  test('decide: an administrator accepts a visit that waits', async () => {
    const rego = await truck(registry);
    const technician = await person('technician');
    await recordSet(registry, technician, rego, 200);
    const weighed = await recordSet(registry, technician, rego, 1, { readings: { DRIVE: { loaded_weight: '9000' } } });
    expect(weighed).toMatchObject({ state: 'waits' });
    await signIn('admin');
    await browser.open(`/visits?q=${rego}`);
    await browser.click('link', rego);
    await browser.see('1 of 11 checks failed', 'h2');
    await browser.click('button', 'Accept');
    await browser.see('Choose a public reason.');
    await browser.type('Public reason (required)', 'Weighed again with the same result');
    await browser.click('button', 'Accept');
    await browser.see('The visit counts.');
    const { nextCalibrationDueOn } = await registry.db
      .selectFrom('vehicle')
      .select('nextCalibrationDueOn')
      .where('rego', '=', rego)
      .executeTakeFirstOrThrow();
    expect(String(nextCalibrationDueOn) > todayIn(ZONE)).toBe(true);
  });

  test('import: an administrator imports a file of vehicles', async () => {
    await signIn('admin');
    const regos = [1, 2, 3].map((nth) => `BR${(made += 1)}X${nth}`);
    await browser.open('/vehicles/import');
    const lines = ['rego,make', ...regos.map((rego) => `${rego},Volvo`)];
    await browser.choose('Excel, LibreOffice or CSV file', await file('vehicles.csv', lines.join('\r\n')));
    await browser.click('button', 'Preview');
    await browser.click('button', 'Import 3 lines');
    await browser.see('Imported: 3 added, 0 changed.');
    const stored = await registry.db
      .selectFrom('vehicle')
      .select(['rego', 'make'])
      .where('rego', 'in', regos)
      .execute();
    expect(stored.toSorted((a, b) => (a.rego < b.rego ? -1 : 1))).toEqual(
      regos.map((rego) => ({ rego, make: 'Volvo' })),
    );
  });
});
