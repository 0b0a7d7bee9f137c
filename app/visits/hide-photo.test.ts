// An admin hides the photo of a visit: nobody gets it any more, and its hash still finds a copy.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { vehiclePage } from '#app/vehicle-page/vehicle-page.server.ts';
import { removeVehicle } from '#app/vehicles/remove-vehicle.server.ts';
import { visitPage } from '#app/visit-queue/visit-page.server.ts';
import { createApp } from '#server/app.ts';
import { openPublicCache } from '#server/response-cache.ts';
import { differencesFromLog } from '#test/leaves.ts';
import { addSignedIn, signedIn } from '#test/people.ts';
import { uploadPhoto } from '#test/photos.ts';
import { addTruck } from '#test/withdrawals.ts';
import { reportOf } from '#test/reports.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { liveVehicle, recordHonestSet, recordSingles, visitsOf } from '#test/visits.ts';
import { hidePhoto, showPhoto } from './hide-photo.server.ts';
import { checksOf } from './visit-queries.server.ts';

let services: TestServices;
let admin: SignedIn;
let cookie: string;
let tech: SignedIn;
let ask: (path: string, cookie?: string) => Promise<Response>;
let cached: () => number;

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  services.setNow('2026-11-10T01:00:00Z');
  admin = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  tech = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo');
  ({ cookie } = await signedIn(services, admin.email));
  const cache = openPublicCache(services);
  const app = createApp(services, { cache });
  cached = () => cache.size().responses;
  ask = async (path, own) => {
    const headers = { host: 'localhost', ...(own === undefined ? {} : { cookie: own }) };
    return app.request(path, { headers }, { incoming: { url: path, headers, socket: { remoteAddress: '::1' } } });
  };
});
afterAll(() => services.stop());

/** A visit with this picture, or without one. */
async function visitWith(rego: string, colour: string | null): Promise<string> {
  const photo = colour === null ? undefined : await uploadPhoto(services, tech, colour);
  const answer = await recordHonestSet(services, tech, rego, photo === undefined ? {} : { photo });
  if (!answer.recorded) throw new Error(answer.reason);
  return answer.setId;
}
const fileOf = async (id: string) => {
  const sets = services.db.selectFrom('calibrationSet').select('photoId').where('id', '=', id);
  return `/files/${(await sets.executeTakeFirstOrThrow()).photoId}`;
};
const hide = (id: string, key?: string) => hidePhoto(services.db, admin, { visitId: id, now: services.now(), key });
const entries = () => services.db.selectFrom('activityLog').selectAll().where('kind', '=', 'photo.hidden').execute();

async function shown(rego: string) {
  const page = await vehiclePage(services, rego, { asked: new URLSearchParams(), origin: '', who: null });
  if (page.state !== 'live') throw new Error(page.state);
  const visit = page.page.history.visits.find(
    ({ photos, beside }) => photos.length > 0 || beside.includes('photo hidden'),
  );
  const sets: { items: { photo: string | null }[] } = await (await ask(`/api/v1/vehicles/${rego}/sets`)).json();
  const { lead, rest } = page.page.evidence.line ?? { lead: '', rest: '' };
  return {
    link: visit?.photos[0] ?? null,
    saysHidden: visit?.beside.includes('photo hidden'),
    api: sets.items[0]?.photo,
    line: `${lead}${rest}`,
  };
}

test('nobody gets a hidden photo, no page links it, and the visit still says that it has one', async () => {
  await addTruck(services, admin, 'HID1');
  const id = await visitWith('HID1', '#a01414');
  const file = await fileOf(id);
  const before = await shown('HID1');
  expect(before).toMatchObject({ link: file, saysHidden: false, api: file });
  expect(before.line).toContain('with a photo');
  expect(await visitPage(services, admin, id)).toMatchObject({ photos: [file], photoHiddenOn: null });
  for (const path of [file, `${file}/thumbnail`]) expect((await ask(path)).status).toBe(200);
  expect(cached()).toBe(1);

  services.setNow('2026-11-21T01:00:00Z');
  expect(await hide(id)).toEqual({ hidden: true });
  await services.live.catchUp();
  expect(cached()).toBe(0);
  expect(await shown('HID1')).toEqual({ link: null, saysHidden: true, api: null, line: before.line });
  expect(await visitPage(services, admin, id)).toMatchObject({ photos: [], photoHiddenOn: '21 November 2026' });
  for (const path of [file, `${file}/thumbnail`])
    for (const own of [undefined, cookie]) {
      const answer = await ask(path, own);
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([410, 'no-store']);
      expect(await answer.json()).toMatchObject({ code: 'file-removed' });
    }
  const report = await reportOf(services, 'HID1');
  expect(JSON.stringify(report)).not.toMatch(/\/files\/|photo hidden/);
  expect(await entries()).toMatchObject([
    { subject: 'visit', subjectId: id, topics: ['public-log', 'vehicle:HID1', `person:${admin.personId}`, 'logs'] },
  ]);
  const { entry } = await services.db
    .selectFrom('logLeaf')
    .select('entry')
    .orderBy('index', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  expect(JSON.parse(entry)).toMatchObject({ type: 'photo.hidden', body: { visit: id } });
  expect(await differencesFromLog(services.db)).toEqual([]);
});

test('hidden again it stays hidden, with one entry; what has no photo has nothing to hide', async () => {
  await addTruck(services, admin, 'HID2');
  const id = await visitWith('HID2', '#14a014');
  const key = crypto.randomUUID();
  const already = (await entries()).length;
  expect(await Promise.all([hide(id, key), hide(id, key), hide(id)])).toEqual([
    { hidden: true },
    { hidden: true },
    { hidden: true },
  ]);
  expect(await entries()).toHaveLength(already + 1);
  expect(await hide(await visitWith('HID2', null))).toEqual({ hidden: false, reason: 'no-photo' });
  await recordSingles(services, tech, 'HID2', 'STEER', { nudge: 12 });
  const singles = (await visitsOf(services, 'HID2')).at(-1);
  expect(await hide(singles?.id ?? '')).toEqual({ hidden: false, reason: 'no-photo' });
  for (const unknown of [crypto.randomUUID(), 'no-visit'])
    expect(await hide(unknown)).toEqual({ hidden: false, reason: 'unknown' });
  expect(await entries()).toHaveLength(already + 1);
});

test('what was hidden is shown again within a minute, with an entry of its own, and never later', async () => {
  await addTruck(services, admin, 'HID7');
  const id = await visitWith('HID7', '#6414a0');
  const file = await fileOf(id);
  const again = () => showPhoto(services.db, admin, { visitId: id, now: services.now(), key: undefined });
  const start = services.now().getTime();
  await hide(id);
  expect((await ask(file)).status).toBe(410);
  services.setNow(new Date(start + 60_000).toISOString());
  expect([await again(), await again()]).toEqual([{ shown: true }, { shown: false }]);
  await services.live.catchUp();
  expect((await ask(file)).status).toBe(200);
  expect(await shown('HID7')).toMatchObject({ link: file, saysHidden: false });
  const last = services.db.selectFrom('logLeaf').select('entry').orderBy('index', 'desc').limit(1);
  const { entry } = await last.executeTakeFirstOrThrow();
  expect(JSON.parse(entry)).toMatchObject({ type: 'photo.shown', body: { visit: id } });
  await hide(id);
  services.setNow(new Date(start + 121_000).toISOString());
  expect(await again()).toEqual({ shown: false });
  expect((await ask(file)).status).toBe(410);
  expect(await differencesFromLog(services.db)).toEqual([]);
});

test('a copy is still found, and its file is hidden with it where the truck is the same', async () => {
  await addTruck(services, admin, 'HID3');
  await addTruck(services, admin, 'HID4');
  const first = await visitWith('HID3', '#1414a0');
  await hide(first);
  const again = await visitWith('HID3', '#1414a0');
  const elsewhere = await visitWith('HID4', '#1414a0');
  for (const id of [again, elsewhere]) {
    const visit = services.db.selectFrom('visit').select('checks').where('id', '=', id);
    const { checks } = await visit.executeTakeFirstOrThrow();
    expect(checksOf(checks).find(({ check }) => check === 'photo')).toMatchObject({
      answer: 'failed',
      sentence: 'Another visit has the same photo.',
    });
  }
  expect(await fileOf(again)).toBe(await fileOf(first));
  expect(await shown('HID3')).toMatchObject({ link: null, saysHidden: true, api: null });
  expect((await ask(await fileOf(again))).status).toBe(410);
  expect((await ask(await fileOf(elsewhere))).status).toBe(200);
});

test('an image of the truck that is the same file goes with it', async () => {
  await addTruck(services, admin, 'HID5');
  const id = await visitWith('HID5', '#a0a014');
  const fileId = (await fileOf(id)).replace('/files/', '');
  const { id: vehicleId } = await liveVehicle(services, 'HID5');
  await services.db
    .insertInto('vehicleFile')
    .values({ vehicleId, fileId, role: 'image', uploadedName: 'truck.jpg' })
    .execute();
  const images = async () => {
    const page = await vehiclePage(services, 'HID5', { asked: new URLSearchParams(), origin: '', who: null });
    return page.state === 'live' ? page.page.images.length : 0;
  };
  expect(await images()).toBe(1);
  await hide(id);
  expect(await images()).toBe(0);
  expect((await ask(`/files/${fileId}`)).status).toBe(410);
});

test('an admin comes from the history to the visit, and hides the photo of a removed truck too', async () => {
  await addTruck(services, admin, 'HID6');
  const id = await visitWith('HID6', '#14a0a0');
  const seenBy = async (who: SignedIn) => {
    const page = await vehiclePage(services, 'HID6', { asked: new URLSearchParams(), origin: '', who });
    return page.state === 'live' ? page.page.history.visits[0]?.photos[0] : undefined;
  };
  expect(await seenBy(tech)).toBe(await fileOf(id));
  expect(await seenBy(admin)).toBe(`/visits/${id}#photo`);
  await removeVehicle(services.db, admin, { rego: 'HID6' });
  expect((await ask(await fileOf(id), cookie)).status).toBe(200);
  expect(await hide(id)).toEqual({ hidden: true });
  expect((await ask(await fileOf(id), cookie)).status).toBe(410);
  expect(await differencesFromLog(services.db)).toEqual([]);
});
