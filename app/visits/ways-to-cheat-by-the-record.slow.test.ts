// Ways to make an overdue truck look good by what its record says: the list of its axle groups, its due date, its
// rego, and when its visit was. Each test is titled as the way
// stands in the table of evidence, section 7. What technicians might type at a visit is in ways-to-cheat.slow.test.ts.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { allAnswers } from '#app/check-list/check-list.server.ts';
import { addDays } from '#app/platform/time/calendar.ts';
import { addReference } from '#app/references/add-reference.server.ts';
import { addVerification } from '#app/references/add-verification.server.ts';
import { removeVehicle, restoreVehicle } from '#app/vehicles/remove-vehicle.server.ts';
import { vehiclePage } from '#app/vehicle-page/vehicle-page.server.ts';
import { updateVehicle, type UpdateAnswer } from '#app/vehicles/update-vehicle.server.ts';
import { dueWords, isDueInForce } from '#app/vehicles/verdict.ts';
import { apiApp } from '#server/api.ts';
import { exportedReadings, exportedTruck } from '#test/exports.ts';
import { importInto } from '#test/import-run.ts';
import { openOverdueTruck, OVERDUE, REGO, TODAY, TRUCK, type OverdueTruck } from '#test/overdue-truck.ts';
import { referenceInput } from '#test/references.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { honestSet, liveVehicle, recordHonestSet, type SetChange } from '#test/visits.ts';
import { decideVisit } from './decide-visit.server.ts';
import { recordCalibrationSet } from '#app/recording/record-calibration-set.server.ts';

const DAY_MS = 86_400_000;

let truck: OverdueTruck;
beforeEach(async () => {
  truck = await openOverdueTruck();
  expect(await truck.read()).toEqual(OVERDUE);
});
afterEach(async () => {
  expect(await truck.close()).toEqual([]);
});

/** The form of the record, with its due date as it stands. */
async function update(who: SignedIn, more: Record<string, string>): Promise<UpdateAnswer> {
  const { version, nextCalibrationDueOn: due } = await liveVehicle(truck.services, REGO);
  const kept = { ...TRUCK, version: String(version), next_calibration_due: due ?? '' };
  const form = vehicleInput({ rego: REGO, ...kept, ...more });
  return updateVehicle(truck.services, who, { rego: REGO, input: form, choice: NO_FILES, key: undefined });
}
const listOf = async () => (await liveVehicle(truck.services, REGO)).axleGroups;
const REMOVED = { updated: false, reason: 'axle-group-removed' };

test('list one group of an unlisted truck with history, read one: refused, and the visit waits', async () => {
  expect(await update(truck.admin, { axle_groups: '', reason: 'Not known' })).toEqual({ updated: true });
  for (const axle_groups of ['STEER', 'STEER TRAILERA', 'DRIVE'])
    expect(await update(truck.tech, { axle_groups })).toEqual(REMOVED);
  expect(await truck.record({ axles: ['STEER'] })).toMatchObject({ state: 'waits' });
  expect(await truck.read()).toEqual(OVERDUE);
  // What was read there is the least that it can have, for 24 months.
  expect(await update(truck.tech, { axle_groups: 'STEER DRIVE' })).toEqual({ updated: true });
  expect(await update(truck.admin, { axle_groups: '', reason: 'Not known' })).toEqual({ updated: true });
  truck.services.setNow('2028-01-11T01:00:00Z');
  expect(await update(truck.tech, { axle_groups: 'STEER' })).toEqual({ updated: true });
});

test('take a group off the list: only an admin does, and says why', async () => {
  for (const axle_groups of ['STEER', ''])
    expect(await update(truck.tech, { axle_groups, reason: 'No sensor' })).toEqual(REMOVED);
  const unsaid = await update(truck.admin, { axle_groups: 'STEER' });
  expect(unsaid).toEqual({ updated: false, reason: 'axle-group-without-reason' });
  expect(await truck.record({ axles: ['STEER'] })).toMatchObject({ state: 'partial' });
  expect(await truck.read()).toEqual(OVERDUE);
  expect(await update(truck.admin, { axle_groups: 'STEER', reason: 'Sensor taken off' })).toEqual({ updated: true });
  expect(await truck.record({ axles: ['STEER'] })).toMatchObject({ state: 'counts' });
});

test('one axle only: partial, and a visit that counts makes the list longer', async () => {
  expect(await truck.record({ axles: ['DRIVE'] })).toMatchObject({ state: 'partial' });
  expect(await listOf()).toBe('STEER DRIVE');
  expect(await truck.record({ axles: ['STEER', 'DRIVE', 'TRAILERA'] })).toMatchObject({ state: 'counts' });
  expect(await listOf()).toBe('STEER DRIVE TRAILERA');
  truck.services.setNow('2026-11-22T01:00:00Z');
  const stood = await truck.read();
  expect(await truck.record({ axles: ['STEER', 'DRIVE'], due_date: addDays(TODAY, 300) })).toMatchObject({
    state: 'partial',
  });
  expect(await truck.read()).toEqual(stood);
});

test('a group that an accepted visit read joins the list', async () => {
  expect(await update(truck.admin, { axle_groups: '', reason: 'Not known' })).toEqual({ updated: true });
  expect(await truck.record({ axles: ['STEER', 'TRAILERB'] })).toMatchObject({ state: 'waits' });
  expect(await truck.accept(truck.admin)).toMatchObject({ decided: true });
  expect(await listOf()).toBe('STEER TRAILERB');
});

test('due date by hand: on an empty truck it is kept, and not in force', async () => {
  await truck.register('CHEAT2', {
    vin: '6T9OTHER',
    scale_serial_number: '',
    next_calibration_due: addDays(TODAY, 90),
  });
  expect((await truck.read('CHEAT2')).verdict).toBe('never-calibrated');
  const found = await liveVehicle(truck.services, 'CHEAT2');
  expect([dueWords(found), isDueInForce(found)]).toEqual(['19 February 2027 (not in force)', false]);
  const answer = await (await apiApp(truck.services).request('/vehicles/CHEAT2')).json();
  expect(answer).toMatchObject({
    next_calibration_due: addDays(TODAY, 90),
    due_in_force: false,
    valid_calibration: false,
  });
  // A visit that waits brings it no force, nor does one that counts: that has a date of its own.
  expect(await recordHonestSet(truck.services, truck.tech, 'CHEAT2', { due_date: null })).toMatchObject({
    state: 'waits',
  });
  expect((await truck.read('CHEAT2')).verdict).toBe('not-validated');
  expect(await recordHonestSet(truck.services, truck.tech, 'CHEAT2')).toMatchObject({ state: 'counts' });
  expect(await truck.read('CHEAT2')).toEqual({ verdict: 'valid', dueOn: addDays(TODAY, 182) });
});

test('due date by hand: on a calibrated truck without a visit that rules it is refused, and later ones have a limit', async () => {
  await truck.correct({ due_date: '' });
  expect(await truck.read()).toEqual({ verdict: 'not-validated', dueOn: null });
  const typed = { next_calibration_due: addDays(TODAY, 30), reason: 'the owner asked' };
  expect(await update(truck.admin, typed)).toEqual({ updated: false, reason: 'due-without-visit' });
  // A technician's form has no such field.
  expect(await update(truck.tech, typed)).toEqual({ updated: true });
  expect(await truck.read()).toEqual({ verdict: 'not-validated', dueOn: null });
});

test.each([
  ['with its VIN', { vin: TRUCK.vin, scale_serial_number: '' }],
  ['with its scale', { vin: '6T9OTHER' }],
  ['without a VIN', { vin: '', scale_serial_number: '' }],
  ['with an invented VIN and another scale', { vin: '6T9INVENTED', scale_serial_number: '' }],
])('look-alike rego, %s: its visit waits', async (_how, more) => {
  await truck.register('CHEATI', more);
  expect(await recordHonestSet(truck.services, truck.tech, 'CHEATI')).toMatchObject({ state: 'waits' });
  expect((await truck.read('CHEATI')).verdict).toBe('not-validated');
  expect(await truck.read()).toEqual(OVERDUE);
});

test('look-alike rego: it waits once, until an admin lets a visit count; the truck that was there first does not', async () => {
  await truck.register('CHEATI', { vin: '6T9INVENTED', scale_serial_number: '' });
  const { services, tech, admin } = truck;
  const sent = await recordHonestSet(services, tech, 'CHEATI');
  expect(sent).toMatchObject({ state: 'waits' });
  expect(await truck.record()).toMatchObject({ state: 'counts' });
  services.setNow('2026-11-21T02:00:00Z');
  expect(await truck.accept(admin, sent.recorded ? sent.setId : '')).toMatchObject({ decided: true });
  services.setNow('2026-11-22T01:00:00Z');
  expect(await recordHonestSet(services, tech, 'CHEATI')).toMatchObject({ state: 'counts' });
});

test.each([
  ['with its VIN and scale', {}, /^Another record has the same VIN and scale serial number and rego/],
  [
    'without them',
    { vin: '', scale_serial_number: '' },
    /^Another record has the same rego \(that record was removed\)/,
  ],
  ['with other ones', { vin: '6T9OTHER', scale_serial_number: '' }, /has the same rego \(that record was removed\)\.$/],
])('removed and registered again, %s: its visit waits, and says why', async (_how, more, why) => {
  await removeVehicle(truck.services.db, truck.admin, { rego: REGO });
  await truck.register(REGO, more);
  expect(await truck.record()).toMatchObject({ state: 'waits' });
  expect(await truck.read()).toEqual({ verdict: 'not-validated', dueOn: null });
  const page = await vehiclePage(truck.services, REGO, {
    asked: new URLSearchParams(),
    origin: 'https://registry.example',
    who: null,
  });
  expect(JSON.stringify(page)).toContain('(that record was removed)');
  const { id } = await liveVehicle(truck.services, REGO);
  const [visit] = await truck.services.db.selectFrom('visit').select('checks').where('vehicleId', '=', id).execute();
  expect(visit?.checks).toContainEqual(
    expect.objectContaining({ check: 'truck', answer: 'failed', sentence: expect.stringMatching(why) }),
  );
});

test('removed and registered again: it waits once, until an admin lets a visit count', async () => {
  await removeVehicle(truck.services.db, truck.admin, { rego: REGO });
  const other = { vin: '6T9OTHER', scale_serial_number: '' };
  await truck.register(REGO, other);
  const sent = (nudge: number) => truck.record({ nudge });
  expect(await sent(0)).toMatchObject({ state: 'waits' });
  // Not by its technician: to correct it, or to record another.
  await truck.correct({});
  expect(await sent(2)).toMatchObject({ state: 'waits' });
  truck.services.setNow('2026-11-21T02:00:00Z');
  expect(await truck.accept(truck.admin)).toMatchObject({ decided: true });
  truck.services.setNow('2026-11-22T01:00:00Z');
  expect(await sent(4)).toMatchObject({ state: 'counts' });
  // The record that was first under the rego is none that was registered again.
  await removeVehicle(truck.services.db, truck.admin, { rego: REGO });
  const [first] = await truck.services.db
    .selectFrom('vehicle')
    .select('id')
    .where('rego', '=', REGO)
    .orderBy('addedAt')
    .execute();
  expect(await restoreVehicle(truck.services.db, truck.admin, { id: first?.id ?? '' })).toMatchObject({
    restored: true,
  });
  expect(await sent(306)).toMatchObject({ state: 'counts' });
});

test('plate changed and the old one added again: the visits of both wait', async () => {
  // Without plate periods a new plate is another record of the same truck.
  await truck.register('CHEAT9');
  expect(await recordHonestSet(truck.services, truck.tech, 'CHEAT9')).toMatchObject({ state: 'waits' });
  await removeVehicle(truck.services.db, truck.admin, { rego: REGO });
  await truck.register(REGO, { scale_serial_number: '' });
  expect(await truck.record()).toMatchObject({ state: 'waits' });
  for (const rego of ['CHEAT9', REGO]) expect((await truck.read(rego)).verdict).toBe('not-validated');
});

test('older than ‘prompt’: it waits', async () => {
  for (const days of [8, 200]) {
    const visitedAt = new Date(truck.services.now().getTime() - days * DAY_MS);
    expect(await truck.record({ visitedAt, due_date: addDays(TODAY, 100) })).toMatchObject({ state: 'waits' });
  }
  expect(await truck.read()).toEqual(OVERDUE);
});

test('agreeing with one’s own waiting visit: a visit that waits is no calibration before', async () => {
  const light = { DRIVE: { loaded_weight: '9000' } };
  for (let time = 0; time < 3; time += 1)
    expect(await truck.record({ readings: light })).toMatchObject({ state: 'waits' });
  expect(await truck.read()).toEqual(OVERDUE);
});

test('single readings: as the same visit in one form', async () => {
  await truck.singles('STEER', { nudge: 7 });
  await truck.singles('DRIVE', { nudge: 7, readings: { loaded_weight: '9000' } });
  expect(await truck.states()).toEqual(['counts', 'waits']);
  expect(await truck.read()).toEqual(OVERDUE);
});

test('from the outbox dated yesterday: as the same visit online', async () => {
  const light = { DRIVE: { loaded_weight: '9000' } };
  const yesterday = new Date(truck.services.now().getTime() - DAY_MS);
  const { id } = await liveVehicle(truck.services, REGO);
  const sent = async (change: SetChange) => {
    const input = honestSet(TRUCK.vin, 'STEER DRIVE', yesterday, change);
    const form = { id: randomUUID(), sha256: 'a'.repeat(64) };
    const capture = { capturedAt: yesterday, vehicleId: id, captor: null, wasThere: true };
    return recordCalibrationSet(truck.services, truck.tech, {
      rego: REGO,
      input,
      photos: [],
      key: undefined,
      form,
      capture,
    });
  };
  const online = await truck.record({ visitedAt: yesterday, readings: light });
  expect(online).toMatchObject({ state: 'waits' });
  expect(await sent({ readings: light })).toMatchObject({ state: 'waits' });
  expect(await sent({ axles: ['STEER'] })).toMatchObject({ state: 'partial' });
  expect(await truck.read()).toEqual(OVERDUE);
  expect(await sent({})).toMatchObject({ state: 'counts' });
});

test('register weighbridge and any ticket number: it counts, in own words', async () => {
  const { services, admin } = truck;
  const input = referenceInput();
  const added = await addReference(services.db, admin, { input, key: undefined });
  if (!added.added) throw new Error(added.reason);
  const period = { certificateNumber: 'VC-1', fromOn: '2026-03-10', toOn: '2027-03-09' };
  await addVerification(services, admin, { referenceId: added.id, period, file: '', key: undefined });
  const typed = { weighbridge: input.name, reference_id: added.id, ticket_number: '1' };
  expect(await truck.record(typed)).toMatchObject({ state: 'counts' });
  const [line] = await allAnswers(truck.services.db, [{ number: 1, text: REGO, isHeading: false }], TODAY);
  expect(line).toMatchObject({ verdict: 'valid', restsOn: 'Only the technician’s own figures' });
});

test('corrections buy no time: a late visit stays accepted, and keeps its earlier date', async () => {
  const visitedAt = new Date(truck.services.now().getTime() - 20 * DAY_MS);
  expect(await truck.record({ visitedAt, due_date: addDays(TODAY, 100) })).toMatchObject({ state: 'waits' });
  expect(await truck.accept(truck.admin)).toMatchObject({ decided: true });
  for (const [corrected, stands] of [
    [200, 100],
    [60, 60],
    [90, 60],
  ] as const) {
    await truck.correct({ due_date: addDays(TODAY, corrected) });
    expect(await truck.states()).toEqual(['counts', 'accepted']);
    expect(await truck.read()).toEqual({ verdict: 'valid', dueOn: addDays(TODAY, stands) });
  }
});

test('a visit that disagrees with a taken-over line waits, and is accepted for that reason', async () => {
  const before = exportedReadings('DRIVE', new Date('2026-05-01T01:00:00Z'), { readings: { loaded_weight: '9000' } });
  await importInto(truck.services, exportedTruck('CHEAT2', '2026-06-30', before));
  const recorded = await recordHonestSet(truck.services, truck.tech, 'CHEAT2');
  expect(recorded).toMatchObject({ state: 'waits' });
  const input = { decision: 'accepted', reason: 'taken-over-line', note: '', openedState: 'waits' } as const;
  const id = recorded.recorded ? recorded.setId : '';
  const moment = { now: truck.services.now(), key: undefined };
  expect(await decideVisit(truck.services.db, truck.admin, { visitId: id, input, ...moment })).toMatchObject({
    decided: true,
  });
  expect(await truck.read('CHEAT2')).toEqual({ verdict: 'valid', dueOn: addDays(TODAY, 182) });
});
