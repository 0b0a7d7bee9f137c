import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { vehiclePage } from '#app/vehicle-page/vehicle-page.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { removeVehicle } from '#app/vehicles/remove-vehicle.server.ts';
import { recordCalibrationSet } from '#app/recording/record-calibration-set.server.ts';
import { apiApp } from '#server/api.ts';
import { reportOf } from '#test/reports.ts';
import { addSeen } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { honestSet } from '#test/visits.ts';
import { answerCombination, unitsAsked } from './answer-combination.server.ts';
import { combinationPage } from './combination-page.server.ts';
import { receiptFile } from './receipt-file.server.ts';

const ORIGIN = 'https://registry.example';
let services: TestServices;
let admin: SignedIn;
let tech: SignedIn;

async function register(rego: string, fields: Record<string, string>): Promise<void> {
  const input = vehicleInput({ rego, vin: `VIN${rego}`, calibration_validated: 'yes', group_details: '', ...fields });
  await registerVehicle(services, admin, { input, choice: NO_FILES, key: undefined });
}

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  services.setNow('2026-11-28T01:00:00Z');
  admin = await addSeen(services, 'admin', 'mia@registry.example', 'Mia');
  tech = await addSeen(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
  const details = 'STEER single; DRIVE tandem dual-tyres; TRAILERA tri dual-tyres';
  await register('XV12DE', { axle_groups: 'STEER DRIVE TRAILERA', group_details: details, make: 'Kenworth' });
  await register('T67890', { kind: 'trailer', axle_groups: 'REAR', group_details: 'REAR tri dual-tyres' });
  await register('T55555', { kind: 'trailer', scale_unit: 'truck' });
  await register('GONE1', { kind: 'trailer' });
  await register('SAME1', { kind: 'trailer', vin: 'VINSAME' });
  await register('SAME2', { kind: 'trailer', vin: 'VINSAME' });
  await removeVehicle(services.db, admin, { rego: 'GONE1' });
  const at = services.now();
  const { axles } = honestSet('VINT67890', 'REAR', at);
  const input = {
    ...honestSet('VINXV12DE', 'STEER DRIVE TRAILERA', at),
    trailers: 'TRAILERA T12345; own T67890',
    units: [{ rego: 'T67890', vin: 'VINT67890', axles, details: {} }],
  };
  expect(
    await recordCalibrationSet(services, tech, { rego: 'XV12DE', input, photos: [], key: undefined }),
  ).toMatchObject({ recorded: true, state: 'counts' });
  services.setNow('2026-12-01T01:00:00Z');
});
afterAll(() => services.stop());

async function ask(...texts: string[]) {
  const answer = await answerCombination(services, texts);
  if (answer?.ok !== true) throw new Error(answer?.error ?? 'nothing was asked');
  return answer.shown;
}
const rows = async (...texts: string[]) =>
  (await ask(...texts)).units.map(({ rego, badge, due, before }) => [rego, badge, due, before]);

test('a truck with a trailer that it reads, and one with a unit of its own', async () => {
  const shown = await ask('xv12de', 'T12345 NSW', 'VINT67890');
  expect(shown).toMatchObject({
    word: 'valid',
    sentence: 'All 3 units are valid today. The first is due on 29 May 2027, in 179 days.',
    notHeld: null,
    twice: '',
  });
  expect(shown.units).toMatchObject([
    { place: '1 · Truck, in front', rego: 'XV12DE', badge: 'Valid', due: 'Due 29 May 2027', hasPage: true },
    { place: '2 · Trailer', rego: 'T12345', badge: 'Valid', before: 'Read by XV12DE’s unit.', hasPage: false },
    { place: '3 · Trailer', rego: 'T67890', badge: 'Valid', hasPage: true },
  ]);
  expect(shown.units[0]?.about).toBe('Kenworth · VINXV12DE · weighed together with T67890 on 28 November 2026');
  expect(shown.picture?.words).toBe(
    'From the front. XV12DE: Steer: single axle; Drive: tandem, dual tyres. T12345: Rear: tri-axle, dual tyres. T67890: Rear: tri-axle, dual tyres.',
  );
});

test('what has no answer says why, and what to do', async () => {
  expect(await rows('XV12DE', 'T55555', 'GONE1', 'VINSAME', 'ABC#1', 'T67891')).toEqual([
    ['XV12DE', 'Valid', 'Due 29 May 2027', expect.any(String)],
    ['T55555', 'No answer', '', 'T55555 has no unit of its own, and XV12DE’s last visit does not name it.'],
    ['GONE1', 'Not found', '', expect.stringMatching(/^Removed from this registry on .*\.$/)],
    ['VINSAME', 'Several matches', '', 'Several could be meant: enter the whole rego of one. '],
    ['ABC#1', 'Not readable', '', '“#” cannot be in a rego or a VIN.'],
    ['T67891', 'Not found', '', 'Did you mean '],
  ]);
  const { picture, word } = await ask('XV12DE', 'T67891');
  expect([picture, word]).toEqual([null, 'no-answer']);
});

test('another trailer, and one that was given twice', async () => {
  const shown = await ask('XV12DE', 'T67890', 'T55555', 'VIN T67890', 't55555');
  expect(shown.notHeld).toEqual({
    lead: 'One line does not hold here.',
    rest: 'Trailer A of XV12DE was taken with T12345, not with T55555.',
  });
  expect(shown.units.map(({ rego }) => rego)).toEqual(['XV12DE', 'T67890', 'T55555']);
  expect(shown.twice).toBe('T67890 and T55555 were given more than once, and count once.');
});

test('nothing asked, too many, too long', async () => {
  const page = (query: string) => combinationPage(services, new URLSearchParams(query), ORIGIN);
  expect(unitsAsked(new URLSearchParams('unit=+XV12DE+&unit=&unit=A1,A2'))).toEqual(['XV12DE', 'A1', 'A2']);
  expect(await page('')).toMatchObject({ given: [], error: '', shown: null });
  const seven = Array.from({ length: 7 }, (_, nth) => `unit=A${nth}`).join('&');
  expect(await page(seven)).toMatchObject({
    error: 'A combination has at most 6 units; these are 7.',
    shown: null,
    given: { length: 7, 6: { text: 'A6' } },
  });
  expect((await page(`unit=${'x'.repeat(61)}`)).given[0]?.error).toBe('This is too long for a rego or a VIN.');
  expect((await page('unit=ABC%231')).given[0]?.error).toBe('“#” cannot be in a rego or a VIN.');
});

test('the API says the same', async () => {
  const api = apiApp(services);
  const answer = await api.request('/combination?unit=XV12DE&unit=T12345&unit=T55555');
  const rests = [
    expect.any(String),
    'Read by XV12DE’s unit.',
    'T55555 has no unit of its own, and XV12DE’s last visit does not name it.',
  ];
  const told = { matches_log: true, as_at: '2026-12-01', policy_version: 1 };
  expect(await answer.json()).toEqual({
    word: 'no-answer',
    sentence:
      'T55555 has no unit of its own, and XV12DE’s last visit does not name it, so nothing can be said of all 3.',
    lines_not_held: null,
    units: [
      { asked: 'XV12DE', rego: 'XV12DE', kind: 'truck', verdict: 'valid', due: '2027-05-29', read_by: null, ...told },
      { asked: 'T12345', rego: null, kind: null, verdict: 'valid', due: '2027-05-29', read_by: 'XV12DE', ...told },
      { asked: 'T55555', rego: 'T55555', kind: 'trailer', verdict: 'no-answer', due: null, read_by: null, ...told },
    ].map((unit, place) => ({ ...unit, rests_on: rests[place] })),
    as_at: '2026-12-01',
    policy_version: 1,
  });
  expect((await api.request('/combination')).status).toBe(400);
  const tooMany = await api.request(`/combination?${'unit=A1&'.repeat(7)}`);
  expect(await tooMany.json()).toMatchObject({ code: 'units-invalid' });
});

test('a receipt', async () => {
  const query = new URLSearchParams('unit=XV12DE&unit=T12345');
  const pdf = await receiptFile(services, { file: 'receipt.pdf', query, origin: ORIGIN });
  expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  expect((await receiptFile(services, { file: 'answer.pdf', query, origin: ORIGIN })).status).toBe(404);
  const none = await receiptFile(services, { file: 'receipt.pdf', query: new URLSearchParams(), origin: ORIGIN });
  expect(none.status).toBe(400);
});

const pageOf = async (rego: string) => {
  const found = await vehiclePage(services, rego, { asked: new URLSearchParams(), origin: ORIGIN, who: null });
  if (found.state !== 'live') throw new Error(found.state);
  return found.page;
};

test('the pages of the truck and of its trailer say what stood beside them', async () => {
  const page = await pageOf('XV12DE');
  expect([page.kind, page.combination]).toEqual(['', '/combination?unit=XV12DE&unit=T12345&unit=T67890']);
  expect(page.evidence.notes).toEqual([
    {
      look: 'trailer',
      quiet: 'link-2',
      lead: 'Trailer A: taken with trailer T12345.',
      rest: 'It does not hold for another trailer.',
      card: null,
      link: null,
    },
  ]);
  expect(page.groups?.rows).toEqual([
    { label: 'Steer', mass: '6,000 kg', words: 'Single axle', held: '' },
    { label: 'Drive', mass: '16,500 kg', words: 'Tandem, dual tyres', held: '' },
    {
      label: 'Trailer A',
      mass: '20,000 kg',
      words: 'Tri-axle, dual tyres. Read by the truck’s own unit.',
      held: 'Taken with trailer T12345. It does not hold for another trailer.',
    },
  ]);
  expect(page.lines?.shown?.lines.map(({ held }) => held)).toEqual([
    '',
    '',
    'Taken with trailer T12345. It does not hold for another trailer.',
  ]);
  const trailer = await pageOf('T67890');
  expect([trailer.kind, trailer.combination]).toEqual(['Trailer', '']);
  expect(trailer.evidence.notes).toEqual([
    {
      look: 'trailer',
      quiet: 'link-2',
      lead: 'Weighed together with XV12DE on 28 November 2026.',
      rest: 'It keeps its calibration behind another truck.',
      card: null,
      link: { to: '/vehicles/view/XV12DE', words: 'See XV12DE' },
    },
  ]);
  expect((await reportOf(services, 'XV12DE')).evidence.notes).toMatchObject([{ look: 'trailer' }]);
});

test('a visit that names another trailer than was logged gives no answer', async () => {
  await sql`alter table calibration_set disable trigger user`.execute(services.db);
  await sql`update calibration_set set trailers = 'TRAILERA T55555' where trailers is not null`.execute(services.db);
  const shown = await ask('XV12DE', 'T55555');
  expect([shown.word, shown.units[0]?.badge, shown.units[1]?.word]).toEqual([
    'no-answer',
    'Does not match the log',
    'no-answer',
  ]);
});
