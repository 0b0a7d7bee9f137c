// Ways in which a technician makes an overdue truck look good without calibrating it. After none of them does the
// public read anything better. Invented lines and changed VINs are in ways-to-cheat-with-figures.slow.test.ts; what
// admins and imports might do in ways-to-cheat-in-the-office.slow.test.ts.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addDays } from '#app/platform/time/calendar.ts';
import { updateVehicle } from '#app/vehicles/update-vehicle.server.ts';
import { FAR, openOverdueTruck, OVERDUE, REGO, TODAY, TRUCK, type OverdueTruck } from '#test/overdue-truck.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { honestSet, liveVehicle } from '#test/visits.ts';
import { recordCalibrationSet } from '#app/recording/record-calibration-set.server.ts';
import { READING_FIELDS } from '#app/readings/set-grid.ts';
import { readSet } from '#app/recording/set-entry.ts';

const JUNK = { empty_volt: '0.1', empty_weight: '100', loaded_volt: '0.2', loaded_weight: '200' };

let truck: OverdueTruck;
beforeEach(async () => {
  truck = await openOverdueTruck();
  expect(await truck.read()).toEqual(OVERDUE);
});
afterEach(async () => {
  expect(await truck.close()).toEqual([]);
});

/** The form of a set as it is sent. */
function formOf(change: Record<string, string>) {
  const { axles } = honestSet('', 'STEER DRIVE', truck.services.now());
  const cells = axles.flatMap(({ axle, readings }) =>
    READING_FIELDS.map(({ field }) => [`${axle}_${field}`, readings[field]] as const),
  );
  const visit = { confirmed: 'yes', vin: TRUCK.vin, visit_date: TODAY, visit_time: '09:30' };
  const fields = new Map(Object.entries({ ...visit, ...Object.fromEntries(cells), ...change }));
  const rules = { zone: truck.services.config.timeZone, now: truck.services.now(), longestIntervalDays: 366 };
  return readSet(fields, new Map([['axle', ['STEER', 'DRIVE']]]), rules);
}

test('a junk reading on the overdue truck', async () => {
  await truck.singles('STEER', { readings: JUNK, only: ['empty_volt'], dueOn: addDays(TODAY, 366) });
  expect(await truck.read()).toEqual(OVERDUE);
  await truck.twelveHoursLater();
  expect(await truck.states()).toEqual(['counts', 'partial']);
  expect(await truck.read()).toEqual(OVERDUE);
});

test('junk of every axle group, twice: the second is a copy of the first', async () => {
  for (let time = 0; time < 2; time += 1) {
    await truck.record({ readings: { STEER: JUNK, DRIVE: JUNK } });
    expect(await truck.read()).toEqual(OVERDUE);
  }
  expect(await truck.states()).toEqual(['counts', 'waits', 'waits']);
});

test('axle groups left out', async () => {
  await truck.record({ axles: ['STEER'] });
  await truck.singles('DRIVE');
  await truck.twelveHoursLater();
  expect(await truck.states()).toEqual(['counts', 'partial', 'partial']);
  expect(await truck.read()).toEqual(OVERDUE);
});

test('axle groups taken off the truck’s list before', async () => {
  for (const axle_groups of ['STEER', '']) {
    const { version } = await liveVehicle(truck.services, REGO);
    const form = vehicleInput({ rego: REGO, ...TRUCK, axle_groups, version: String(version) });
    const answer = await updateVehicle(truck.services, truck.tech, {
      rego: REGO,
      input: form,
      choice: NO_FILES,
      key: undefined,
    });
    expect(answer).toEqual({ updated: false, reason: 'axle-group-removed' });
  }
  await truck.record({ axles: ['STEER'] });
  expect(await truck.read()).toEqual(OVERDUE);
});

test('another trailer, stated for axle groups of the truck itself, so that they need not agree', async () => {
  const stated = { STEER_other_trailer: 'yes', DRIVE_other_trailer: 'yes', DRIVE_loaded_volt: '2.10' };
  const { input } = formOf({ ...stated, due_date: addDays(TODAY, 182) });
  if (input === undefined) throw new Error('the form was refused');
  const recorded = await recordCalibrationSet(truck.services, truck.tech, {
    rego: REGO,
    input,
    photos: [],
    key: undefined,
  });
  expect(recorded).toMatchObject({ state: 'waits' });
  expect(await truck.read()).toEqual(OVERDUE);
});

test.each([
  ['as they were', {}],
  ['with a zero behind', { STEER: { empty_volt: '0.840' }, DRIVE: { loaded_volt: '3.180' } }],
])('the last visit’s numbers again, %s', async (_how, readings) => {
  expect(await truck.record({ nudge: 300, readings })).toMatchObject({ state: 'waits' });
  expect(await truck.read()).toEqual(OVERDUE);
});

test('a due date that is blank, or far, in single entries', async () => {
  await expect(truck.singles('STEER', { dueOn: FAR })).rejects.toThrow('more than 366 days');
  await truck.singles('STEER', { dueOn: '' });
  await truck.singles('DRIVE', { dueOn: '' });
  expect(await truck.states()).toEqual(['counts', 'waits']);
  expect(await truck.read()).toEqual(OVERDUE);
});

test('a due date that is blank, or far, in a set', async () => {
  expect(formOf({ due_date: addDays(TODAY, 366) }).errors).toEqual({});
  expect(formOf({ due_date: FAR }).errors).toEqual({ due_date: expect.stringContaining('more than 366 days') });
  expect(await truck.record({ due_date: null })).toMatchObject({ state: 'waits' });
  // Whatever sends it past the form, the check holds it back.
  expect(await truck.record({ due_date: FAR })).toMatchObject({ state: 'waits' });
  expect(await truck.read()).toEqual(OVERDUE);
});

test('a due date that is blank, or far, in a correction', async () => {
  for (const answer of await truck.correct({ due_date: FAR })) expect(answer).toMatchObject({ reason: 'due-date' });
  expect(await truck.read()).toEqual(OVERDUE);
  for (const answer of await truck.correct({ due_date: '' })) expect(answer).toMatchObject({ corrected: true });
  expect(await truck.read()).toEqual({ verdict: 'not-validated', dueOn: null });
});

test('a correction that stretches the due date, long after the visit', async () => {
  await truck.correct({ due_date: '2027-01-11' });
  expect(await truck.states()).toEqual(['waits']);
  expect(await truck.read()).toEqual({ verdict: 'not-validated', dueOn: null });
});

test('corrections that stretch the due date by small steps, and go back in between', async () => {
  const due = '2026-12-20';
  expect(await truck.record({ due_date: due })).toMatchObject({ state: 'counts' });
  truck.services.setNow('2026-11-30T01:00:00Z');
  await truck.correct({ due_date: '2026-12-05' });
  expect(await truck.read()).toEqual({ verdict: 'due-soon', dueOn: '2026-12-05' });
  for (let step = 1; step < 4; step += 1) {
    await truck.correct({ due_date: addDays('2026-12-05', step) });
    expect(await truck.read()).toEqual(OVERDUE);
  }
  await truck.correct({ due_date: '2026-12-05' });
  expect(await truck.states()).toEqual(['counts', 'waits']);
});

test('a correction that makes one’s own visit wait, to fall back to a later date', async () => {
  expect(await truck.record({ due_date: addDays(TODAY, 366) })).toMatchObject({ state: 'counts' });
  truck.services.setNow('2026-11-22T01:00:00Z');
  expect(await truck.record({ due_date: '2026-12-05' })).toMatchObject({ state: 'counts' });
  const before = await truck.read();
  expect(before).toEqual({ verdict: 'due-soon', dueOn: '2026-12-05' });
  for (const change of [{ value: '1' }, { due_date: '' }]) {
    await truck.correct(change);
    expect((await truck.states()).at(-1)).toBe('waits');
    expect(await truck.read()).toEqual(before);
  }
});
