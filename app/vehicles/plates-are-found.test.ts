// A plate that a truck had before, and one text that two states gave out, wherever a plate is asked for.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { allAnswers } from '#app/check-list/check-list.server.ts';
import { answerWords } from '#app/check-list/answer-words.ts';
import { readList } from '#app/check-list/read-list.server.ts';
import { fieldData } from '#app/field/field-data.server.ts';
import { listLabels } from '#app/labels/list-labels.server.ts';
import { searchResults } from '#app/public-search/search-results.server.ts';
import { planImport } from '#app/vehicle-import/plan-import.server.ts';
import { vehiclePage } from '#app/vehicle-page/vehicle-page.server.ts';
import { apiApp } from '#server/api.ts';
import { addSeen } from '#test/people.ts';
import { replateTo } from '#test/plates.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { missingVehicle, regoOfForm, regoOfPage } from './missing-vehicle.server.ts';
import { findVehicle } from './queries.server.ts';
import { registerVehicle } from './register-vehicle.server.ts';
import { removeVehicle } from './remove-vehicle.server.ts';

const TODAY = '2026-11-21';
let services: TestServices;
let admin: SignedIn;
const register = (rego: string, more: Record<string, string> = {}) =>
  registerVehicle(services, admin, {
    input: vehicleInput({ rego, ...more }),
    choice: NO_FILES,
    key: undefined,
  });

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off', PUBLIC_URL: 'https://registry.example' });
  admin = await addSeen(services, 'admin', 'mia@registry.example', 'Mia');
  // One truck with a former plate, which nobody has now.
  await register('XV12DE', { plate_state: 'NSW', vin: '6F5LJ1Y19KR262427' });
  await replateTo(services, admin, 'XV12DE', {
    text: 'YD20AB',
    state: 'QLD',
    fromOn: '2026-05-03',
    why: 'another-state',
  });
  // One whose plate another truck has now.
  await register('472XKM', { plate_state: 'QLD' });
  await replateTo(services, admin, '472XKM', { text: 'YD71QM', fromOn: '2025-07-12' });
  await register('472XKM', { plate_state: 'QLD' });
  // Two states.
  await register('123ABC', { plate_state: 'NSW', make: 'Isuzu', vin: 'JALFVZ34SL7000318' });
  await register('123ABC', { plate_state: 'QLD', make: 'Volvo', vin: 'YV2RT40D1NB842206' });
  // Known for Victoria only.
  await register('XV04KL', { plate_state: 'VIC' });
});
afterAll(() => services.stop());

const check = async (list: string) => {
  const read = readList(list);
  if (!read.ok) throw new Error(read.message);
  return allAnswers(services.db, read.lines, TODAY);
};
const searched = async (text: string) => {
  const found = await searchResults(services, new URL(`https://x/?${new URLSearchParams({ q: text })}`));
  return found.kind === 'found' ? found.rows.map(({ rego, note }) => (note === undefined ? rego : note)) : found.kind;
};
const api = async (path: string) => {
  const response = await apiApp(services).request(path);
  const body: Record<string, unknown> = await response.json();
  return { status: response.status, body, cache: response.headers.get('cache-control') };
};
const page = async (rego: string, query = '') => {
  const asked = new URLSearchParams(query);
  const found = await vehiclePage(services, rego, { asked, origin: 'https://registry.example', who: null });
  if (found.state !== 'live') throw new Error(found.state);
  return found.page;
};

test('a search finds a former plate in front of the others, and counts it', async () => {
  expect(await searched('xv-12 de')).toEqual(['XV12DE · this truck’s plate until 3 May 2026, now YD20AB']);
  expect(await searched('472XKM')).toEqual(['472XKM']);
  expect(await searched('XV12D')).toBe('none');
  expect(await searched('XV12DE NSW')).toEqual(['XV12DE · this truck’s plate until 3 May 2026, now YD20AB']);
  expect(await searched('123ABC')).toEqual(['123ABC', '123ABC-QLD']);
  expect(await searched('123ABC QLD')).toEqual(['123ABC-QLD']);
});

test('/check answers for the truck that has it now, and asks which of two', async () => {
  const [former, bare, stated, other, unknown] = await check('XV12DE\n123ABC\nQLD 123ABC\nXV04KL NSW\nXV04KL VIC');
  expect(former).toMatchObject({ kind: 'found', rego: 'YD20AB', byVin: false });
  expect(former && answerWords(former, String).before).toMatch(
    /^XV12DE, this truck’s plate until 3 May 2026, now YD20AB\./,
  );
  expect(bare).toMatchObject({ kind: 'several', total: 2, regos: ['123ABC', '123ABC-QLD'] });
  expect(stated).toMatchObject({ kind: 'found', rego: '123ABC-QLD', without: undefined });
  expect(other).toMatchObject({ kind: 'not-found', near: ['XV04KL'], in: 'VIC' });
  expect(unknown).toMatchObject({ kind: 'found', rego: 'XV04KL', without: undefined });
});

test('/check reads a column of states', async () => {
  const answers = await check('Rego,State\n123ABC,qld\n123ABC,NSW\nYD71QM,WA\n123ABC,');
  expect(answers.map((answer) => (answer.kind === 'found' ? answer.rego : answer.kind))).toEqual([
    'heading',
    '123ABC-QLD',
    '123ABC',
    'YD71QM',
    'several',
  ]);
  expect(answers[3]).toMatchObject({ without: 'WA' });
});

test('the API answers for the truck that has it now, says so, and is not cached under the old name', async () => {
  const { status, body, cache } = await api('/vehicles/XV12DE');
  const former = { plate: 'XV12DE', plate_state: 'NSW', since: null, until: '2026-05-03', why: 'another-state' };
  expect([status, cache]).toEqual([200, 'no-store']);
  expect(body).toMatchObject({ rego: 'YD20AB', plate_state: 'QLD', asked_plate: former, former_plates: [former] });
  expect(await api('/vehicles/YD20AB')).toMatchObject({ body: { asked_plate: null }, cache: 'no-cache' });
  expect(await api('/vehicles/123ABC')).toMatchObject({ status: 300, body: { matches: ['123ABC', '123ABC-QLD'] } });
  expect((await api('/vehicles/123ABC-NSW')).body).toMatchObject({ rego: '123ABC' });
  expect((await api('/vehicles/123ABC-QLD')).body).toMatchObject({ rego: '123ABC-QLD', plate_state: 'QLD' });
  expect((await api('/vehicles/XV12DE/calibrations')).status).toBe(200);
});

test('the API says who had a plate on a day', async () => {
  expect((await api('/vehicles/472XKM?on=2025-07-11')).body).toMatchObject({ rego: 'YD71QM' });
  expect((await api('/vehicles/472XKM?on=2025-07-12')).body).toMatchObject({ rego: '472XKM', asked_plate: null });
  expect((await api('/vehicles/YD20AB?on=2026-05-02')).status).toBe(404);
  expect((await api('/vehicles/123ABC?on=2026-05-02')).status).toBe(300);
  expect((await api('/vehicles/123ABC-QLD?on=2026-05-02')).body).toMatchObject({ rego: '123ABC-QLD' });
  expect((await api('/vehicles/472XKM?on=yesterday')).status).toBe(400);
});

test('the page of a former plate leads on, and says so; the other truck’s is named', async () => {
  const found = await findVehicle(services.db, 'XV12DE');
  if (found.state === 'live') throw new Error('it is there');
  const addressOf = (now: string) => `/vehicles/view/${now}?was=XV12DE`;
  const thrown = await missingVehicle(services, { rego: 'XV12DE', found, addressOf });
  if (!(thrown instanceof Response)) throw new Error('it leads nowhere');
  expect([thrown.status, thrown.headers.get('location'), thrown.headers.get('cache-control')]).toEqual([
    301,
    '/vehicles/view/YD20AB?was=XV12DE',
    'no-cache',
  ]);
  const { plates, state } = await page('YD20AB', 'was=XV12DE');
  expect(state).toBe('QLD');
  expect(plates).toMatchObject({
    note: { lead: 'XV12DE was this truck’s plate until 3 May 2026.', rest: 'It is YD20AB now.' },
    list: [
      { label: 'YD20AB', value: 'QLD since 3 May 2026' },
      { label: 'XV12DE', value: 'NSW until 3 May 2026' },
    ],
  });
  expect((await page('YD20AB', 'was=472XKM')).plates.note).toBeNull();
  expect((await page('472XKM')).evidence.notes.at(-1)).toMatchObject({
    lead: 'Until 12 July 2025 another truck carried 472XKM:',
    rest: 'it is YD71QM now.',
    link: { to: '/vehicles/view/YD71QM' },
  });
  expect((await page('XV04KL')).plates).toEqual({ note: null, list: [] });
});

test('the page of a text that two have asks which; a state names one', async () => {
  await expect(regoOfPage(services.db, '123ABC', null)).rejects.toMatchObject({
    init: { status: 300 },
    data: {
      kind: 'several',
      title: 'Two trucks carry 123ABC',
      vehicles: [
        { state: 'NSW', words: ['New South Wales', 'Isuzu', 'VIN JALFVZ34SL7000318'] },
        { state: 'QLD', words: ['Queensland', 'Volvo', 'VIN YV2RT40D1NB842206'] },
      ],
    },
  });
  expect(await regoOfPage(services.db, '123ABC', 'NSW')).toBe('123ABC');
  expect(await regoOfPage(services.db, '123ABC', 'QLD')).toBe('123ABC-QLD');
  expect(await regoOfPage(services.db, '123ABC-QLD', null)).toBe('123ABC-QLD');
  expect(await regoOfPage(services.db, '123ABC', 'WA')).toBe('123ABC-WA');
  expect([(await page('123ABC')).name, (await page('123ABC-QLD')).name]).toEqual(['123ABC-NSW', '123ABC-QLD']);
});

test('forms, labels, the phone and the import follow the truck', async () => {
  expect(await regoOfForm(services.db, 'xv12de')).toBe('YD20AB');
  expect(await regoOfForm(services.db, '472XKM')).toBe('472XKM');
  const labels = await listLabels(services, new URLSearchParams('rego=XV12DE'));
  expect(labels).toMatchObject({ state: 'found', labels: [{ rego: 'YD20AB', plate: 'YD20AB QLD' }] });
  const { trucks, missing } = await fieldData(services, admin, ['XV12DE']);
  expect([trucks.map(({ rego, formerly }) => [rego, formerly]), missing]).toEqual([[['YD20AB', ['XV12DE']]], []]);
  const given = [
    { line: 2, rego: '123ABC', cells: { make: 'Mack' } },
    { line: 3, rego: '123ABC', cells: { make: 'Mack', plate_state: 'QLD' } },
    { line: 4, rego: 'XV04KL', cells: { plate_state: 'SA' } },
  ];
  expect(await planImport(services, given, { from: 0, to: 3 })).toMatchObject([
    { kind: 'refused' },
    { kind: 'changed', rego: '123ABC-QLD' },
    { kind: 'conflicting', note: { column: 'plate_state' } },
  ]);
});

test('a plate whose last record was removed leads nowhere else', async () => {
  await register('GONE1');
  await replateTo(services, admin, 'GONE1', { text: 'GONE2' });
  await register('GONE1');
  await removeVehicle(services.db, admin, { rego: 'GONE1' });
  expect(await regoOfForm(services.db, 'GONE1')).toBe('GONE1');
  expect((await api('/vehicles/GONE1')).status).toBe(410);
});
