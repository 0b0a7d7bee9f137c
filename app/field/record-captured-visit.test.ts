import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { recordCalibrationSet } from '#app/recording/record-calibration-set.server.ts';
import { sentForm } from '#app/recording/sent-form.server.ts';
import { READING_FIELDS, nameOf } from '#app/readings/set-grid.ts';
import { addDays } from '#app/platform/time/calendar.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { removeVehicle } from '#app/vehicles/remove-vehicle.server.ts';
import { visitPage } from '#app/visit-queue/visit-page.server.ts';
import { enforce } from '#test/policy.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { addSignedIn } from '#test/people.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { honestReadings, honestSet, liveVehicle, recordHonestSet } from '#test/visits.ts';
import { addReference } from '#app/references/add-reference.server.ts';
import { referenceInput } from '#test/references.ts';
import { FORM_VERSION } from './field.ts';
import { recordCapturedVisit } from './record-captured-visit.server.ts';

let services: TestServices;
let admin: SignedIn;
let tech: SignedIn;
let rego: string;
let count = 0;
const NOW = new Date('2026-11-21T01:00:00Z');
const AXLES = ['STEER', 'DRIVE'] as const;

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  admin = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  tech = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
});
afterAll(() => services.stop());
beforeEach(async () => {
  services.now = () => NOW;
  rego = `FIELD${(count += 1)}`;
  await register();
});
const register = (vin = `VIN${rego}`) =>
  registerVehicle(services, admin, {
    input: vehicleInput({ rego, vin, axle_groups: 'STEER DRIVE' }),
    choice: NO_FILES,
    key: undefined,
  });

/** What a phone sends of an honest visit. */
async function captured(change: Record<string, string> = {}): Promise<Record<string, string>> {
  const { id, vin } = await liveVehicle(services, rego);
  const readings = AXLES.flatMap((axle) => {
    // Below zero: no two trucks have readings within a step of each other.
    const four = honestReadings(axle, -count);
    return READING_FIELDS.map(({ field }) => [nameOf(axle, field), four[field]]);
  });
  return {
    ...Object.fromEntries(readings),
    confirmed: 'yes',
    rego,
    vin,
    visit_date: '2026-11-20',
    visit_time: '14:05',
    due_date: addDays('2026-11-20', 182),
    capture_id: randomUUID(),
    captured_at: '2026-11-20T03:20:00.000Z',
    captured_by: tech.personId,
    vehicle_id: id,
    form_version: String(FORM_VERSION),
    ...change,
  };
}
const allOf = (fields: Record<string, string>) =>
  new Map([
    ...Object.entries(fields).map(([name, value]): [string, string[]] => [name, [value]]),
    ['axle', [...AXLES]],
  ]);
const send = (fields: Record<string, string>, who = tech) =>
  recordCapturedVisit(services, who, { fields: new Map(Object.entries(fields)), all: allOf(fields) });
const sets = () =>
  services.db
    .selectFrom('calibrationSet')
    .innerJoin('vehicle', 'vehicle.id', 'calibrationSet.vehicleId')
    .selectAll('calibrationSet')
    .where('vehicle.rego', '=', rego)
    .execute();

test('a captured visit counts as any other, and says when it was captured and received', async () => {
  const fields = await captured();
  expect(await send(fields)).toMatchObject({ recorded: true, state: 'counts', isAgain: false, by: null });
  const [set] = await sets();
  expect(set).toMatchObject({
    captureId: fields['capture_id'],
    capturedAt: new Date('2026-11-20T03:20:00Z'),
    receivedAt: NOW,
    capturedBy: null,
    visitedAt: new Date('2026-11-20T03:05:00Z'),
  });
});

test('sent twice it is recorded once, also after its words were changed, and by somebody else', async () => {
  const fields = await captured();
  const first = await send(fields);
  const visitId = first.recorded ? first.visitId : '';
  expect(await send(fields)).toMatchObject({ recorded: true, visitId, isAgain: true, isSame: true });
  const changed = await send({ ...fields, ticket_number: '88' });
  expect(changed).toMatchObject({ recorded: true, visitId, isAgain: true, isSame: false });
  expect(await send({ ...fields, from_file: 'yes' }, admin)).toMatchObject({ visitId, isAgain: true, by: 'Jo Nguyen' });
  await removeVehicle(services.db, admin, { rego, key: undefined });
  expect(await send(fields)).toMatchObject({ recorded: true, visitId, isAgain: true });
  expect(await sets()).toHaveLength(1);
});

test('sent twice at the same time it is recorded once', async () => {
  const fields = await captured();
  const answers = await Promise.all([send(fields), send(fields), send(fields)]);
  expect(answers.every(({ recorded }) => recorded)).toBe(true);
  expect(await sets()).toHaveLength(1);
});

test('the clock of the phone decides nothing: the day that is stated does', async () => {
  const answer = await send(await captured({ captured_at: '2000-01-01T00:00:07.000Z' }));
  expect(answer).toMatchObject({ recorded: true, state: 'counts' });
  expect((await sets())[0]?.capturedAt).toEqual(new Date('2000-01-01T00:00:07Z'));
  expect(await send(await captured({ visit_date: '2026-11-23' }))).toMatchObject({
    recorded: false,
    reason: 'values-wrong',
    errors: { visit_date: 'The visit is in the future. Check the date.' },
  });
});

test.each(['0000-01-01T00:00:00Z', '1970-01-01T00:00:07.000Z', '2026-11-23T00:00:00Z', '9999-12-31T23:59:59Z'])(
  'a capture at %s is refused with what to do, and nothing is recorded',
  async (captured_at) => {
    const answer = await send(await captured({ captured_at }));
    expect(answer).toMatchObject({ recorded: false, reason: 'clock-wrong' });
    expect(await sets()).toEqual([]);
  },
);

test.each(['0000-01-01', '1850-01-01', '1999-12-31', '2101-01-01', '9999-12-31'])(
  'a visit on %s is refused at its field',
  async (visit_date) => {
    expect(await send(await captured({ visit_date }))).toMatchObject({
      recorded: false,
      reason: 'values-wrong',
      errors: { visit_date: expect.stringMatching(/Check the (year|date)/) },
    });
  },
);

test('sent too late it waits for an administrator', async () => {
  services.now = () => new Date('2026-11-29T01:00:00Z');
  expect(await send(await captured())).toMatchObject({ recorded: true, state: 'waits' });
});

test('a truck that was removed meanwhile: refused, with the day', async () => {
  const fields = await captured();
  await removeVehicle(services.db, admin, { rego, key: undefined });
  expect(await send(fields)).toMatchObject({
    recorded: false,
    reason: 'vehicle-removed',
    sentence: expect.stringMatching(/^This vehicle was removed on \d+ \w+ \d{4}\. Nothing you typed is lost\./),
  });
  expect(await sets()).toEqual([]);
});

test('a truck that was registered again: it counts by its VIN, and without one it is refused', async () => {
  const fields = await captured();
  await removeVehicle(services.db, admin, { rego, key: undefined });
  await register();
  expect(await send(fields)).toMatchObject({ recorded: true });
  rego = `FIELD${(count += 1)}`;
  await register('');
  const blank = await captured();
  await removeVehicle(services.db, admin, { rego, key: undefined });
  await register('');
  expect(await send(blank)).toMatchObject({ recorded: false, reason: 'registered-again' });
});

test('another VIN by now: refused', async () => {
  expect(await send(await captured({ vin: 'JALFSR34T97000126' }))).toMatchObject({
    recorded: false,
    reason: 'vin-differs',
  });
});

test('somebody else’s visit of that day stays as it is: neither takes in the other', async () => {
  const fields = await captured();
  services.now = () => new Date('2026-11-20T05:00:00Z');
  expect(await recordHonestSet(services, admin, rego)).toMatchObject({ recorded: true });
  services.now = () => NOW;
  expect(await send(fields)).toMatchObject({ recorded: true });
  expect((await sets()).map(({ captureId }) => captureId === null)).toEqual([true, false]);
});

test('a form with reception whose answer was lost, kept on the phone: recorded once, and a changed one says so', async () => {
  const fields = await captured();
  const id = fields['capture_id'];
  const all = allOf(fields);
  const form = (ticket: string) => sentForm(id, new Map([...all, ['ticket_number', [ticket]]]));
  const input = honestSet(`VIN${rego}`, 'STEER DRIVE', new Date('2026-11-20T03:05:00Z'));
  const record = (ticket: string) =>
    recordCalibrationSet(services, tech, { rego, input, photos: [], key: undefined, form: form(ticket) });
  const online = await record('7');
  const visitId = online.recorded ? online.setId : '';
  expect(await send({ ...fields, ticket_number: '7' })).toMatchObject({ visitId, isAgain: true, isSame: true });
  expect(await send({ ...fields, ticket_number: '8' })).toMatchObject({ visitId, isAgain: true, isSame: false });
  // Changed and sent again with reception it is another visit, and the id stays with the first.
  expect(await record('9')).toMatchObject({ recorded: true });
  expect((await sets()).map(({ captureId, capturedAt }) => [captureId, capturedAt])).toEqual([
    [id, null],
    [null, null],
  ]);
});

test('of somebody else’s phone nothing is sent but a file, and the record names whose it was', async () => {
  const fields = await captured();
  expect(await send(fields, admin)).toMatchObject({ recorded: false, reason: 'not-yours' });
  const answer = await send({ ...fields, from_file: 'yes', was_there: 'yes' }, admin);
  expect(answer).toMatchObject({ recorded: true, state: 'counts', by: null });
  const [set] = await sets();
  const actor = await services.db
    .selectFrom('actor')
    .select('personId')
    .where('id', '=', set?.capturedBy ?? 0)
    .executeTakeFirst();
  expect(actor?.personId).toBe(tech.personId);
});

test('anybody who was not at the truck, or did not answer: the visit waits, whatever the policy, and says so', async () => {
  await enforce(services.db, { checks: { truck: 'off' } });
  for (const was_there of ['no', '']) {
    const sent = await send(await captured({ from_file: 'yes', was_there }), admin);
    expect(sent).toMatchObject({ recorded: true, state: 'waits' });
    expect(sent.recorded ? sent.words : '').toContain('sent by another who was not at the truck');
    const page = await visitPage(services, admin, sent.recorded ? sent.visitId : '');
    expect(page?.facts).toContainEqual({ label: 'Captured by', value: 'Jo Nguyen, sent by Mia' });
  }
});

test('what a slip or an old form is refused for is said', async () => {
  expect(await send(await captured({ STEER_empty_weight: '15640', STEER_loaded_weight: '5' }))).toMatchObject({
    recorded: false,
    reason: 'values-wrong',
    errors: { STEER_loaded_weight: expect.any(String) },
  });
  expect(await send(await captured({ form_version: '99' }))).toMatchObject({ recorded: false, reason: 'form-version' });
  expect(await send(await captured({ capture_id: 'mine' }))).toMatchObject({
    recorded: false,
    reason: 'form-malformed',
  });
});

test('the time of a visit is by the clock that the phone showed; a phone that showed none meant the registry’s', async () => {
  const place = { name: `Far West ${rego}`, place: 'Kewdale', state: 'WA' };
  const { id } = await addReference(services.db, admin, { input: referenceInput(place), key: undefined });
  const weighed = { weighbridge: `${place.name}, Kewdale WA`, reference_id: id };
  const visitedAt = async () => (await sets())[0]?.visitedAt.toISOString();
  const old = await send(await captured(weighed));
  expect(await visitedAt()).toBe('2026-11-20T03:05:00.000Z');
  expect(old.recorded && old.words).toContain(
    'Time of the visit: 20 November 2026, 11:05 am Perth (2:05 pm in Sydney).',
  );
  rego = `FIELD${(count += 1)}`;
  await register();
  const sent = await send(await captured({ ...weighed, visit_zone: 'Australia/Perth' }));
  expect(await visitedAt()).toBe('2026-11-20T06:05:00.000Z');
  expect(sent.recorded && sent.words).toContain('2:05 pm Perth (5:05 pm in Sydney).');
});
