// Ways in which an admin, or an import that somebody prepared, makes an overdue truck look good. After none of them
// does the public read anything better. What technicians might do is in ways-to-cheat.slow.test.ts.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import { addDays } from '#app/platform/time/calendar.ts';
import { changePolicy } from '#app/policy/change-policy.server.ts';
import { confirmProposal } from '#app/policy/decide-proposal.server.ts';
import { currentPolicy, findProposal } from '#app/policy/queries.server.ts';
import { decideValidation } from '#app/vehicles/decide-validation.server.ts';
import { removeVehicle } from '#app/vehicles/remove-vehicle.server.ts';
import { isDueInForce } from '#app/vehicles/verdict.ts';
import { exportedReadings, exportedTruck } from '#test/exports.ts';
import { importInto } from '#test/import-run.ts';
import { FAR, openOverdueTruck, OVERDUE, REGO, TODAY, type OverdueTruck } from '#test/overdue-truck.ts';
import { addPerson, addSeen, signedIn, VISITOR } from '#test/people.ts';
import { enforce, policyInput } from '#test/policy.ts';
import { liveVehicle, recordHonestSet, recordSingles } from '#test/visits.ts';
import { listCalibrations } from '#app/readings/queries.server.ts';

const LIGHT = { DRIVE: { loaded_weight: '9000' } };

let truck: OverdueTruck;
beforeEach(async () => {
  truck = await openOverdueTruck();
  expect(await truck.read()).toEqual(OVERDUE);
});
afterEach(async () => {
  expect(await truck.close()).toEqual([]);
});

test('the tick without a visit that counts', async () => {
  await truck.register('CHEAT2', { vin: '6T9OTHER', scale_serial_number: 'S2', next_calibration_due: FAR });
  expect((await truck.read('CHEAT2')).verdict).toBe('never-calibrated');
  await recordSingles(truck.services, truck.tech, 'CHEAT2', 'STEER');
  await decideValidation(truck.services.db, truck.admin, { rego: 'CHEAT2', validated: false, reason: '' });
  await decideValidation(truck.services.db, truck.admin, { rego: 'CHEAT2', validated: true, reason: 'seen' });
  expect((await truck.read('CHEAT2')).verdict).toBe('not-validated');
});

test.each([
  ['the same VIN', {}],
  ['the same VIN in other letters', { vin: '6t9 cheat 0001', scale_serial_number: '' }],
  ['the same scale, another VIN', { vin: '6T9OTHER' }],
])('removal, and registration again under another rego: %s', async (_what, more) => {
  await removeVehicle(truck.services.db, truck.admin, { rego: REGO });
  await truck.register('CHEAT2', more);
  expect(await recordHonestSet(truck.services, truck.tech, 'CHEAT2')).toMatchObject({ state: 'waits' });
  expect(await truck.read('CHEAT2')).toEqual({ verdict: 'not-validated', dueOn: null });
});

test('an import with a far due date, over a truck with a visit here', async () => {
  await importInto(
    truck.services,
    exportedTruck('CHEAT2', '2026-06-30', exportedReadings('DRIVE', new Date('2026-01-01'))),
  );
  expect(await recordHonestSet(truck.services, truck.tech, 'CHEAT2', { due_date: '2026-12-01' })).toMatchObject({
    state: 'counts',
  });
  const before = await truck.read('CHEAT2');
  const prepared = {
    ...exportedReadings('DRIVE', new Date('2026-01-01')),
    ...exportedReadings('DRIVE', new Date('2026-11-20'), { nudge: 4, dueOn: '2036-11-01' }),
  };
  await importInto(truck.services, exportedTruck('CHEAT2', '2036-11-01', prepared));
  expect(await truck.read('CHEAT2')).toEqual(before);
  expect((await truck.states('CHEAT2')).toSorted()).toEqual(['counts', 'taken-over', 'waits']);
});

test('an import of a truck whose entries lie in the future', async () => {
  // What was done lies before the day after tomorrow: later entries are not taken, and the due date rests on nothing.
  const ahead = exportedReadings('DRIVE', new Date('2030-11-01T01:00:00Z'), { dueOn: '2031-10-30' });
  const { report } = await importInto(truck.services, exportedTruck('CHEAT2', '2031-10-30', ahead));
  expect(report.of('Calibrations', 'refused')).toBe(4);
  expect(await truck.read('CHEAT2')).toEqual({ verdict: 'never-calibrated', dueOn: '2031-10-30' });
  expect(isDueInForce(await liveVehicle(truck.services, 'CHEAT2'))).toBe(false);
  // Those of tomorrow make it due at most the longest interval later.
  const tomorrow = exportedReadings('DRIVE', new Date('2026-11-22T01:00:00Z'), { dueOn: '2031-10-30' });
  await importInto(truck.services, exportedTruck('CHEAT3', '2031-10-30', { ...ahead, ...tomorrow }));
  expect((await truck.read('CHEAT3')).dueOn).toBe(addDays(TODAY, 366));
  // Nor does it outlive the visits to come.
  expect(await recordHonestSet(truck.services, truck.tech, 'CHEAT3')).toMatchObject({ state: 'counts' });
  expect((await truck.read('CHEAT3')).dueOn).toBe(addDays(TODAY, 182));
  // Nor do such entries rule as a visit, even where the policy does not ask who saw the truck.
  const further = exportedReadings('DRIVE', new Date('2026-11-22T02:00:00Z'), { nudge: 4, dueOn: '2032-10-30' });
  await enforce(truck.services.db, { checks: { truck: 'off' } });
  await importInto(truck.services, exportedTruck('CHEAT3', '2031-10-30', { ...ahead, ...tomorrow, ...further }));
  expect((await truck.states('CHEAT3')).toSorted()).toEqual(['counts', 'taken-over', 'waits']);
  expect((await truck.read('CHEAT3')).dueOn).toBe(addDays(TODAY, 182));
});

test('a policy loosened for a minute', async () => {
  const second = await addSeen(truck.services, 'admin', 'ruth@registry.example', 'Ruth');
  const change = async (check_agrees: string) =>
    changePolicy(truck.services, truck.admin, {
      input: policyInput(await currentPolicy(truck.services.db), { check_agrees }),
      key: undefined,
    });
  expect(await change('noted')).toEqual({ changed: false, proposed: true });
  // It is only proposed.
  expect(await truck.record({ readings: LIGHT })).toMatchObject({ state: 'waits' });
  const proposal = await findProposal(truck.services.db);
  expect(await confirmProposal(truck.services, truck.admin, { id: proposal?.id ?? '', key: undefined })).toMatchObject({
    reason: 'own',
  });
  expect(await truck.read()).toEqual(OVERDUE);
  // Even when it has come into force, and is tightened again, what was recorded before is judged by its own.
  expect(await confirmProposal(truck.services, second, { id: proposal?.id ?? '', key: undefined })).toMatchObject({
    confirmed: true,
  });
  await truck.correct({});
  expect(await truck.states()).toEqual(['counts', 'waits']);
  expect(await change('must')).toEqual({ changed: true, version: 3 });
  await truck.correct({});
  expect(await truck.states()).toEqual(['counts', 'waits']);
  expect(await truck.read()).toEqual(OVERDUE);
});

test('an account admitted yesterday, whose visit its admin lets count', async () => {
  await addSeen(truck.services, 'admin', 'ruth@registry.example', 'Ruth');
  const { name, email, personId } = truck.admin;
  const addedBy = await truck.services.db.transaction().execute((tx) => findOrAddActor(tx, { name, email, personId }));
  const admitted = { addedBy, addedAt: new Date('2026-11-20T01:00:00Z') };
  await truck.services.db.updateTable('technician').set(admitted).where('id', '=', truck.tech.recordId).execute();
  await truck.record({ readings: LIGHT });
  expect(await truck.accept(truck.admin)).toEqual({ decided: false, reason: 'admitted-by-you' });
  truck.services.setNow('2027-02-17T01:00:00Z');
  expect(await truck.accept(truck.admin)).toEqual({ decided: false, reason: 'admitted-by-you' });
  expect(await truck.read()).toEqual(OVERDUE);
});

test('the recorder decides: in a second session, or with an account in another role', async () => {
  await addSeen(truck.services, 'admin', 'ruth@registry.example', 'Ruth');
  await addPerson(truck.services.db, 'technician', truck.admin.email, { name: 'M. K.', password: null });
  const asTechnician: SignedIn = { ...truck.admin, role: 'technician', name: 'M. K.', sessionId: 'another' };
  const other = await signedIn(truck.services, truck.admin.email, { ...VISITOR, userAgent: 'another browser' });
  for (const recorder of [truck.admin, asTechnician]) {
    await truck.record({ readings: LIGHT }, recorder);
    for (const decider of [truck.admin, other.who])
      expect(await truck.accept(decider)).toEqual({ decided: false, reason: 'own-visit' });
  }
  // Anybody who corrected a reading of it is a recorder too.
  await truck.record({ readings: LIGHT });
  await truck.correct({}, truck.admin);
  expect(await truck.accept(other.who)).toEqual({ decided: false, reason: 'own-visit' });
  expect(await truck.read()).toEqual(OVERDUE);
});

test('a visit without a due date, or with a far one, that an admin lets count', async () => {
  await truck.record({ due_date: null });
  expect(await truck.accept(truck.admin)).toEqual({ decided: false, reason: 'due-date' });
  await truck.record({ due_date: FAR });
  expect(await truck.accept(truck.admin)).toEqual({ decided: false, reason: 'due-date' });
  expect(await truck.read()).toEqual(OVERDUE);
});

test('an import that restates the entries of a visit recorded here', async () => {
  await importInto(truck.services, exportedTruck('CHEAT2', '2026-06-30', {}));
  const half = { due_date: '2026-12-01', axles: ['STEER'] } as const;
  await recordHonestSet(truck.services, truck.tech, 'CHEAT2', half);
  const { id } = await liveVehicle(truck.services, 'CHEAT2');
  const before = await listCalibrations(truck.services.db, id);
  const [first] = before.toReversed();
  const restated = exportedReadings('STEER', new Date(first?.id ?? 0), { nudge: 301, dueOn: '2027-11-20' });
  const { lines } = await importInto(truck.services, exportedTruck('CHEAT2', '2026-06-30', restated));
  expect(lines.filter((line) => line.includes('was recorded here'))).toHaveLength(4);
  expect(await listCalibrations(truck.services.db, id)).toEqual(before);
});
