// What a technician learns of a visit: before it is saved, while it is open, and after it closed.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { findVehicle, type Vehicle } from '#app/vehicles/queries.server.ts';
import { addReference } from '#app/references/add-reference.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { addSignedIn } from '#test/people.ts';
import { referenceInput } from '#test/references.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { honestReadings, recordHonestSet, recordSingles } from '#test/visits.ts';
import { finishVisit } from '#app/visits/close-visit.server.ts';
import { decideVisit } from '#app/visits/decide-visit.server.ts';
import { myVisitsPage } from './my-visits-page.server.ts';
import { findOwnVisit } from './own-visit.server.ts';
import type { OwnVisit } from './own-visit.ts';
import { previewTyped } from './preview-visit.server.ts';
import { listCalibrations } from '#app/readings/queries.server.ts';
import { recordCalibrationSet } from './record-calibration-set.server.ts';
import { outcomeWords, previewLine, previewWords, type VisitOutcome } from '#app/visits/visit-outcome.ts';

const ZONE = 'Australia/Sydney';
let services: TestServices;
let admin: SignedIn;
let tech: SignedIn;
let other: SignedIn;
let rego: string;
let count = 0;

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  admin = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  tech = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
  other = await addSignedIn(services, 'technician', 'sam@scales.example', 'Sam Hill');
});
afterAll(() => services.stop());
beforeEach(() => {
  services.setNow('2026-11-20T22:41:00Z');
  return addTruck();
});

async function addTruck(axleGroups = 'STEER DRIVE'): Promise<void> {
  count += 1;
  rego = `OWN${count}`;
  const fields = { rego, vin: `6T9OWN${count}`, scale_serial_number: `O${count}`, axle_groups: axleGroups };
  await registerVehicle(services, admin, { input: vehicleInput(fields), choice: NO_FILES, key: undefined });
}

async function vehicle(): Promise<Vehicle> {
  const found = await findVehicle(services.db, rego);
  if (found.state !== 'live') throw new Error('removed');
  return found.vehicle;
}

async function ownVisit(who: SignedIn = tech): Promise<OwnVisit | null> {
  const truck = await vehicle();
  const readings = await listCalibrations(services.db, truck.id);
  const rules = { policy: await currentPolicy(services.db), zone: ZONE, now: services.now() };
  return findOwnVisit(services.db, truck, { personId: who.personId, readings, ...rules });
}

const leadOf = (outcome: VisitOutcome | null | undefined, subject = 'This visit') =>
  outcome == null ? outcome : previewWords(outcome, subject).lead;

/** The fields of the form of a set, complete. */
async function typed(change: Record<string, string> = {}, axles: readonly ('STEER' | 'DRIVE')[] = ['STEER', 'DRIVE']) {
  const fields = new Map<string, string>(
    Object.entries({
      rego,
      vin: (await vehicle()).vin,
      visit_date: '2026-11-21',
      visit_time: '09:30',
      due_date: '2027-05-22',
      ...Object.fromEntries(
        axles.flatMap((axle) =>
          Object.entries(honestReadings(axle, 0)).map(([field, value]) => [`${axle}_${field}`, value]),
        ),
      ),
      ...change,
    }),
  );
  return { fields, all: new Map([['axle', axles]]) };
}
const preview = async (form: Awaited<ReturnType<typeof typed>>) =>
  (await previewTyped(services, tech, { rego, ...form })).preview;

test('a due date beyond the limit is refused at its field, and the rest of the preview stays', async () => {
  const { read, preview: shown } = await previewTyped(services, tech, {
    rego,
    ...(await typed({ due_date: '2029-05-22' })),
  });
  expect(read.errors['due_date']).toMatch(/more than 366 days after the calibration/);
  expect(leadOf(shown)).toBe('This visit will wait for an administrator: no due date is stated.');
});

test('an open visit says what is missing and what follows when it ends, to its technician alone', async () => {
  expect(await ownVisit()).toBeNull();
  await recordSingles(services, tech, rego, 'STEER');
  const open = await ownVisit();
  expect(open).toMatchObject({
    state: 'open',
    words: 'Open since 9:41 am: Steer complete, Drive 0 of 4',
    isConfirmed: true,
  });
  expect(open?.state === 'open' ? leadOf(open.ifFinished, 'If you finish now, it') : '').toBe(
    'If you finish now, it will not count: Drive has 0 of its 4 readings.',
  );
  expect(await ownVisit(other)).toBeNull();
  // After 12 hours it takes no more readings.
  services.setNow('2026-11-21T10:42:00Z');
  expect(await ownVisit()).toBeNull();
});

test('without the truck’s confirmation an open visit would wait', async () => {
  await recordSingles(services, tech, rego, 'STEER', { confirmed: false });
  const open = await ownVisit();
  expect(open).toMatchObject({ isConfirmed: false });
  expect(open?.state === 'open' ? leadOf(open.ifFinished) : '').toContain('This visit will wait for an administrator:');
});

test('the answer to the reading that completes a visit says what became of it', async () => {
  const first = await recordSingles(services, tech, rego, 'STEER');
  expect(first.map((answer) => answer.recorded && answer.closed)).toEqual([undefined, undefined, undefined, undefined]);
  const last = (await recordSingles(services, tech, rego, 'DRIVE')).at(-1);
  const closed = last?.recorded === true ? last.closed : undefined;
  expect(closed).toEqual({ state: 'counts', dueOn: '2027-05-22', reasons: [] });
  expect(closed && outcomeWords(closed).lead).toBe('Recorded. It counts: due 22 May 2027.');
  expect(await ownVisit()).toMatchObject({ state: 'closed', outcome: closed });
  // It is an answer, not a sign on the truck: anybody who comes back later finds it in the history.
  services.setNow('2036-11-20T22:52:00Z');
  expect(await ownVisit()).toBeNull();
});

test('a visit is finished once; the second time, and by anybody else, it is not open', async () => {
  await recordSingles(services, tech, rego, 'STEER');
  const open = await ownVisit();
  const visit = { rego, visitId: open?.id ?? '' };
  const clock = { now: services.now(), zone: ZONE, key: newIdempotencyKey() };
  expect(await finishVisit(services.db, other, { ...visit, ...clock })).toEqual({
    finished: false,
    reason: 'not-open',
  });
  const done = await finishVisit(services.db, tech, { ...visit, ...clock });
  expect(done).toMatchObject({ finished: true, closed: { state: 'partial' } });
  expect(done.finished && outcomeWords(done.closed).lead).toBe(
    'Recorded. It does not count: Drive has 0 of its 4 readings.',
  );
  expect(await finishVisit(services.db, tech, { ...visit, ...clock })).toEqual(done);
  const again = await finishVisit(services.db, tech, { ...visit, ...clock, key: newIdempotencyKey() });
  expect(again).toEqual({ finished: false, reason: 'not-open' });
});

test('what is typed is previewed by the checks that it is held against, and nothing is written', async () => {
  const before = await services.db.selectFrom('activityState').select('size').executeTakeFirstOrThrow();
  expect(leadOf(await preview(await typed()))).toBe('This visit will count: due 22 May 2027.');
  expect(leadOf(await preview(await typed({}, ['DRIVE'])))).toBe(
    'This visit will not count: Steer has 0 of its 4 readings.',
  );
  expect(leadOf(await preview(await typed({ due_date: '' })))).toBe(
    'This visit will wait for an administrator: no due date is stated.',
  );
  expect(leadOf(await preview(await typed({ visit_date: '2026-11-10' })))).toContain(
    'recorded 11 days after the visit',
  );
  // A slip that is not confirmed yet.
  const slip = await preview(await typed({ DRIVE_loaded_weight: '45000' }));
  expect(slip).toMatchObject({ state: 'waits', reasons: [{ advice: 'Check the readings.' }] });
  expect(await preview(await typed({ DRIVE_loaded_weight: '' }))).toBeNull();
  expect(await preview(await typed({ visit_date: 'soon' }))).toBeNull();
  expect(await services.db.selectFrom('activityState').select('size').executeTakeFirstOrThrow()).toEqual(before);
});

test('a preview says in one line which axle groups hold the visit back, else which checks, and what is only noted', async () => {
  const lineOf = async (change: Record<string, string>, axles?: readonly ('STEER' | 'DRIVE')[]) => {
    const found = await preview(await typed(change, axles));
    const { lead, rest } = found === null ? { lead: '', rest: '' } : previewLine(found);
    return `${lead} ${rest}`;
  };
  expect(await lineOf({})).toBe('Will count. Noted: no weighbridge, no ticket, no photo');
  expect(await lineOf({ photo: 'yes', ticket_number: 'A-1' })).toBe('Will count. Noted: no weighbridge');
  expect(await lineOf({}, ['DRIVE'])).toBe('Will not count: Steer');
  expect(await lineOf({ DRIVE_loaded_weight: '45000', due_date: '' })).toBe('Will wait: Drive, due date');
  await recordHonestSet(services, tech, rego);
  services.setNow('2027-04-01T01:00:00Z');
  const later = { visit_date: '2027-04-01', visit_time: '11:50', due_date: '2027-09-30' };
  const lighter = { DRIVE_loaded_weight: '9000', STEER_loaded_weight: '4800' };
  expect(await lineOf({ ...later, ...lighter })).toBe('Will wait: Steer, Drive');
  // What the technician says of a group holds it back, too.
  expect(await lineOf({ ...later, DRIVE_sensor_replaced: 'yes' })).toBe('Will wait: Drive');
});

test('a preview and the saved visit agree, also where the line before differs', async () => {
  await recordHonestSet(services, tech, rego);
  services.setNow('2027-04-01T01:00:00Z');
  const change = { visit_date: '2027-04-01', visit_time: '11:50', due_date: '2027-09-30' };
  const differing = await preview(await typed({ ...change, DRIVE_loaded_weight: '9000' }));
  expect(differing?.state).toBe('waits');
  const saved = await recordHonestSet(services, tech, rego, {
    nudge: 0,
    readings: { DRIVE: { loaded_weight: '9000' } },
  });
  expect(saved).toMatchObject({ state: 'waits' });
  expect(await ownVisit()).toMatchObject({
    state: 'closed',
    outcome: { dueOn: differing?.dueOn, reasons: differing?.reasons },
  });
});

test('of a truck of which no axle groups are known, a visit waits, and the technician learns what to do', async () => {
  await addTruck('');
  expect(await preview(await typed())).toMatchObject({
    state: 'waits',
    reasons: [{ advice: 'Say on the vehicle’s record which axle groups carry a sensor.' }],
  });
});

test('my visits: newest first with what became of each, by state and by rego, mine alone', async () => {
  const person = await addSignedIn(services, 'technician', 'pat@scales.example', 'Pat Lee');
  await recordHonestSet(services, person, rego);
  const counted = rego;
  await addTruck();
  services.setNow('2026-11-20T23:00:00Z');
  await recordHonestSet(services, person, rego, { due_date: null });
  const waiting = rego;
  await addTruck();
  services.setNow('2026-11-20T23:30:00Z');
  await recordSingles(services, person, rego, 'STEER');
  const asked = { text: '', page: 1 };
  const all = await myVisitsPage(services, person, { shown: 'all', ...asked });
  expect(all.list.items).toMatchObject([
    { rego, state: 'open', words: 'Open since 10:30 am: Steer complete, Drive 0 of 4' },
    { rego: waiting, word: 'Waits', words: 'No due date is stated.', ifFinished: null },
    { rego: counted, word: 'Counts', words: 'Due 22 May 2027.', day: '21 Nov 2026' },
  ]);
  expect(all.counts).toEqual({ all: 3, open: 1, waits: 1, partial: 0, 'set-aside': 0 });
  expect((await myVisitsPage(services, person, { shown: 'waits', ...asked })).list.items).toMatchObject([
    { rego: waiting },
  ]);
  const found = await myVisitsPage(services, person, { shown: 'all', text: counted.toLowerCase(), page: 1 });
  expect(found.list.items.map((one) => one.rego)).toEqual([counted]);
  expect((await myVisitsPage(services, person, { shown: 'all', text: '%', page: 1 })).list.total).toBe(0);

  // By the day of the visit, not of its recording.
  await addTruck();
  await recordHonestSet(services, person, rego, { visitedAt: new Date('2026-11-18T01:00:00Z') });
  const late = await myVisitsPage(services, person, { shown: 'all', ...asked });
  expect(late.list.items.map((one) => one.day)).toEqual(['21 Nov 2026', '21 Nov 2026', '21 Nov 2026', '18 Nov 2026']);
  expect(late.list.items.at(-1)).toMatchObject({ rego });

  const id = all.list.items[1]?.id ?? '';
  const input = { decision: 'set-aside', reason: 'wrong-truck', note: 'private', openedState: 'waits' } as const;
  await decideVisit(services.db, admin, { visitId: id, input, now: services.now(), key: undefined });
  const after = await myVisitsPage(services, person, { shown: 'set-aside', ...asked });
  expect(after.list.items).toMatchObject([{ word: 'Set aside', words: 'Recorded on the wrong truck.' }]);
});

test('without scripts the place of the weighbridge gives the clock, in the answer and after saving', async () => {
  const place = { name: 'Far West', place: 'Kewdale', state: 'WA' };
  await addReference(services.db, admin, { input: referenceInput(place), key: undefined });
  const form = await typed({
    confirmed: 'yes',
    weighbridge: 'Far West, Kewdale WA',
    visit_time: '06:30',
    visit_zone: '',
  });
  const { read } = await previewTyped(services, tech, { rego, ...form });
  expect(read.zone).toBe('Australia/Perth');
  expect(read.input?.visitedAt.toISOString()).toBe('2026-11-20T22:30:00.000Z');
  if (read.input === undefined) throw new Error('refused');
  await recordCalibrationSet(services, tech, { rego, input: read.input, photos: [], key: undefined });
  expect(await ownVisit()).toMatchObject({ when: '21 November 2026, 6:30 am Perth (9:30 am in Sydney)' });
  // A text that is none of the register says nothing of a place.
  const free = await previewTyped(services, tech, { rego, ...(await typed({ weighbridge: 'Kewdale WA' })) });
  expect(free.read.zone).toBe(ZONE);
});
