// Ways to make an overdue truck look good without calibrating it. After none of them does the public read anything better.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import { addDays } from '#app/platform/time/calendar.ts';
import { changePolicy } from '#app/policy/change-policy.server.ts';
import { confirmProposal } from '#app/policy/decide-proposal.server.ts';
import { currentPolicy, findProposal } from '#app/policy/queries.server.ts';
import { decideValidation } from '#app/vehicles/decide-validation.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { removeVehicle } from '#app/vehicles/remove-vehicle.server.ts';
import { updateVehicle } from '#app/vehicles/update-vehicle.server.ts';
import { exportedReadings, exportedTruck } from '#test/exports.ts';
import { importInto } from '#test/import-run.ts';
import { differencesFromLog } from '#test/leaves.ts';
import { addPerson, addSeen, signedIn, VISITOR } from '#test/people.ts';
import { enforce, policyInput } from '#test/policy.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import {
  correctVisit,
  honestSet,
  liveVehicle,
  publicVerdict,
  recordHonestSet,
  recordSingles,
  visitsOf,
} from '#test/visits.ts';
import { closeExpired } from './close-visit.server.ts';
import { decideVisit, type DecideVisitAnswer } from './decide-visit.server.ts';
import { READING_FIELDS } from './set-grid.ts';
import { readSet } from './set-entry.server.ts';

const ZONE = 'Australia/Sydney';
const REGO = 'CHEAT1';
const OVERDUE = { verdict: 'overdue', dueOn: '2026-07-11' };
const TODAY = '2026-11-21';
const FAR = addDays(TODAY, 367);
const JUNK = { empty_volt: '0.1', empty_weight: '100', loaded_volt: '0.2', loaded_weight: '200' };
const LIGHT = { DRIVE: { loaded_weight: '9000' } };

let services: TestServices;
let admin: SignedIn;
let tech: SignedIn;

beforeEach(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  admin = await addSeen(services, 'admin', 'mia@registry.example', 'Mia');
  tech = await addSeen(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
  services.setNow('2026-01-10T01:00:00Z');
  await register(REGO);
  expect(await recordHonestSet(services, tech, REGO, { nudge: 300 })).toMatchObject({ state: 'counts' });
  services.setNow('2026-11-21T01:00:00Z');
  expect(await read()).toEqual(OVERDUE);
});
afterEach(async () => {
  expect(await differencesFromLog(services.db)).toEqual([]);
  await services.stop();
});

const truckFields = {
  vin: '6T9CHEAT',
  scale_serial_number: 'S1',
  axle_groups: 'STEER DRIVE',
  calibration_validated: 'yes',
};
const register = (rego: string, more: Record<string, string> = {}, who = admin) =>
  registerVehicle(services, who, vehicleInput({ rego, ...truckFields, ...more }), NO_FILES, undefined);
const read = (rego = REGO) => publicVerdict(services, rego);
const record = (change: Parameters<typeof recordHonestSet>[3] = {}, who = tech) =>
  recordHonestSet(services, who, REGO, change);
const singles = (axle: 'STEER' | 'DRIVE', given: Parameters<typeof recordSingles>[4] = {}) =>
  recordSingles(services, tech, REGO, axle, given);
const states = async (rego = REGO) => (await visitsOf(services, rego)).map(({ state }) => state);
const newest = async () => (await visitsOf(services, REGO)).at(-1)?.id ?? '';
const correct = (change: Parameters<typeof correctVisit>[4], who = tech) =>
  newest().then((id) => correctVisit(services, who, REGO, id, change));
const accept = async (who: SignedIn): Promise<DecideVisitAnswer> => {
  const input = { decision: 'accepted', reason: 'weighed-again', note: '', openedState: 'waits' } as const;
  return decideVisit(services.db, who, await newest(), input, { now: services.now(), key: undefined });
};
const twelveHoursLater = async () => {
  services.setNow('2026-11-21T14:00:00Z');
  await closeExpired(services.db, { now: services.now(), zone: ZONE });
};

/** The form of a set as it is sent. */
function formOf(change: Record<string, string>) {
  const { axles } = honestSet('', 'STEER DRIVE', services.now());
  const cells = axles.flatMap(({ axle, readings }) =>
    READING_FIELDS.map(({ field }) => [`${axle}_${field}`, readings[field]] as const),
  );
  const visit = { confirmed: 'yes', vin: truckFields.vin, visit_date: TODAY, visit_time: '09:30' };
  const fields = new Map(Object.entries({ ...visit, ...Object.fromEntries(cells), ...change }));
  const rules = { zone: ZONE, now: services.now(), longestIntervalDays: 366 };
  return readSet(fields, new Map([['axle', ['STEER', 'DRIVE']]]), rules);
}

test('a junk reading on the overdue truck', async () => {
  await singles('STEER', { readings: JUNK, only: ['empty_volt'], dueOn: addDays(TODAY, 366) });
  expect(await read()).toEqual(OVERDUE);
  await twelveHoursLater();
  expect(await states()).toEqual(['counts', 'partial']);
  expect(await read()).toEqual(OVERDUE);
});

test('junk of every axle group, twice: the second is a copy of the first', async () => {
  for (let time = 0; time < 2; time += 1) {
    await record({ readings: { STEER: JUNK, DRIVE: JUNK } });
    expect(await read()).toEqual(OVERDUE);
  }
  expect(await states()).toEqual(['counts', 'waits', 'waits']);
});

test('axle groups left out', async () => {
  await record({ axles: ['STEER'] });
  await singles('DRIVE');
  await twelveHoursLater();
  expect(await states()).toEqual(['counts', 'partial', 'partial']);
  expect(await read()).toEqual(OVERDUE);
});

test('axle groups taken off the truck’s list before', async () => {
  for (const axle_groups of ['STEER', '']) {
    const { version } = await liveVehicle(services, REGO);
    const form = vehicleInput({ rego: REGO, ...truckFields, axle_groups, version: String(version) });
    const answer = await updateVehicle(services, tech, REGO, form, NO_FILES, undefined);
    expect(answer).toEqual({ updated: false, reason: 'axle-group-removed' });
  }
  await record({ axles: ['STEER'] });
  expect(await read()).toEqual(OVERDUE);
});

test.each([
  ['as they were', {}],
  ['with a zero behind', { STEER: { empty_volt: '0.840' }, DRIVE: { loaded_volt: '3.180' } }],
])('the last visit’s numbers again, %s', async (_how, readings) => {
  expect(await record({ nudge: 300, readings })).toMatchObject({ state: 'waits' });
  expect(await read()).toEqual(OVERDUE);
});

test('a due date that is blank, or far, in single entries', async () => {
  await expect(singles('STEER', { dueOn: FAR })).rejects.toThrow('more than 366 days');
  await singles('STEER', { dueOn: '' });
  await singles('DRIVE', { dueOn: '' });
  expect(await states()).toEqual(['counts', 'waits']);
  expect(await read()).toEqual(OVERDUE);
});

test('a due date that is blank, or far, in a set', async () => {
  expect(formOf({ due_date: addDays(TODAY, 366) }).errors).toEqual({});
  expect(formOf({ due_date: FAR }).errors).toEqual({ due_date: expect.stringContaining('more than 366 days') });
  expect(await record({ due_date: null })).toMatchObject({ state: 'waits' });
  // Whatever sends it past the form, the check holds it back.
  expect(await record({ due_date: FAR })).toMatchObject({ state: 'waits' });
  expect(await read()).toEqual(OVERDUE);
});

test('a due date that is blank, or far, in a correction', async () => {
  for (const answer of await correct({ due_date: FAR })) expect(answer).toMatchObject({ reason: 'due-date' });
  expect(await read()).toEqual(OVERDUE);
  for (const answer of await correct({ due_date: '' })) expect(answer).toMatchObject({ corrected: true });
  expect(await read()).toEqual({ verdict: 'not-validated', dueOn: null });
});

test('a correction that stretches the due date, long after the visit', async () => {
  await correct({ due_date: '2027-01-11' });
  expect(await states()).toEqual(['waits']);
  expect(await read()).toEqual({ verdict: 'not-validated', dueOn: null });
});

test('corrections that stretch the due date by small steps, and go back in between', async () => {
  const due = '2026-12-20';
  expect(await record({ due_date: due })).toMatchObject({ state: 'counts' });
  services.setNow('2026-11-30T01:00:00Z');
  await correct({ due_date: '2026-12-05' });
  expect(await read()).toEqual({ verdict: 'due-soon', dueOn: '2026-12-05' });
  for (let step = 1; step < 4; step += 1) {
    await correct({ due_date: addDays('2026-12-05', step) });
    expect(await read()).toEqual(OVERDUE);
  }
  await correct({ due_date: '2026-12-05' });
  expect(await states()).toEqual(['counts', 'waits']);
});

test('a correction that makes one’s own visit wait, to fall back to a later date', async () => {
  expect(await record({ due_date: addDays(TODAY, 366) })).toMatchObject({ state: 'counts' });
  services.setNow('2026-11-22T01:00:00Z');
  expect(await record({ due_date: '2026-12-05' })).toMatchObject({ state: 'counts' });
  const before = await read();
  expect(before).toEqual({ verdict: 'due-soon', dueOn: '2026-12-05' });
  for (const change of [{ value: '1' }, { due_date: '' }]) {
    await correct(change);
    expect((await states()).at(-1)).toBe('waits');
    expect(await read()).toEqual(before);
  }
});

test('the tick without a visit that counts', async () => {
  await register('CHEAT2', { vin: '6T9OTHER', scale_serial_number: 'S2', next_calibration_due: FAR });
  expect((await read('CHEAT2')).verdict).toBe('never-calibrated');
  await recordSingles(services, tech, 'CHEAT2', 'STEER');
  await decideValidation(services.db, admin, 'CHEAT2', { validated: false, reason: '' });
  await decideValidation(services.db, admin, 'CHEAT2', { validated: true, reason: 'seen' });
  expect((await read('CHEAT2')).verdict).toBe('not-validated');
});

test.each([
  ['the same VIN', {}],
  ['the same VIN in other letters', { vin: '6t9 cheat', scale_serial_number: '' }],
  ['the same scale, another VIN', { vin: '6T9OTHER' }],
])('removal, and registration again under another rego: %s', async (_what, more) => {
  await removeVehicle(services.db, admin, REGO);
  await register('CHEAT2', more);
  expect(await recordHonestSet(services, tech, 'CHEAT2')).toMatchObject({ state: 'waits' });
  expect(await read('CHEAT2')).toEqual({ verdict: 'not-validated', dueOn: null });
});

test('an import with a far due date, over a truck with a visit here', async () => {
  await importInto(services, exportedTruck('CHEAT2', '2026-06-30', exportedReadings('DRIVE', new Date('2026-01-01'))));
  expect(await recordHonestSet(services, tech, 'CHEAT2', { due_date: '2026-12-01' })).toMatchObject({
    state: 'counts',
  });
  const before = await read('CHEAT2');
  const prepared = {
    ...exportedReadings('DRIVE', new Date('2026-01-01')),
    ...exportedReadings('DRIVE', new Date('2026-11-20'), { nudge: 4, dueOn: '2036-11-01' }),
  };
  await importInto(services, exportedTruck('CHEAT2', '2036-11-01', prepared));
  expect(await read('CHEAT2')).toEqual(before);
  expect((await states('CHEAT2')).toSorted()).toEqual(['counts', 'taken-over', 'waits']);
});

test('an import of a truck whose entries lie in the future', async () => {
  const ahead = exportedReadings('DRIVE', new Date('2030-11-01T01:00:00Z'), { dueOn: '2031-10-30' });
  await importInto(services, exportedTruck('CHEAT2', '2031-10-30', ahead));
  expect((await read('CHEAT2')).dueOn).toBe(addDays(TODAY, 366));
  // Nor does it outlive the visits to come.
  expect(await recordHonestSet(services, tech, 'CHEAT2')).toMatchObject({ state: 'counts' });
  expect((await read('CHEAT2')).dueOn).toBe(addDays(TODAY, 182));
  // Nor do such entries rule as a visit, even where the policy does not ask who saw the truck.
  const further = exportedReadings('DRIVE', new Date('2031-11-01T01:00:00Z'), { nudge: 4, dueOn: '2032-10-30' });
  await enforce(services.db, { checks: { truck: 'off' } });
  await importInto(services, exportedTruck('CHEAT2', '2031-10-30', { ...ahead, ...further }));
  expect((await states('CHEAT2')).toSorted()).toEqual(['counts', 'taken-over', 'waits']);
  expect((await read('CHEAT2')).dueOn).toBe(addDays(TODAY, 182));
});

test('a policy loosened for a minute', async () => {
  const second = await addSeen(services, 'admin', 'ruth@registry.example', 'Ruth');
  const change = async (check_agrees: string) =>
    changePolicy(services, admin, policyInput(await currentPolicy(services.db), { check_agrees }), undefined);
  expect(await change('noted')).toEqual({ changed: false, proposed: true });
  // It is only proposed.
  expect(await record({ readings: LIGHT })).toMatchObject({ state: 'waits' });
  const proposal = await findProposal(services.db);
  expect(await confirmProposal(services, admin, proposal?.id ?? '', undefined)).toMatchObject({ reason: 'own' });
  expect(await read()).toEqual(OVERDUE);
  // Even when it has come into force, and is tightened again, what was recorded before is judged by its own.
  expect(await confirmProposal(services, second, proposal?.id ?? '', undefined)).toMatchObject({ confirmed: true });
  await correct({});
  expect(await states()).toEqual(['counts', 'waits']);
  expect(await change('must')).toEqual({ changed: true, version: 3 });
  await correct({});
  expect(await states()).toEqual(['counts', 'waits']);
  expect(await read()).toEqual(OVERDUE);
});

test('an account admitted yesterday, whose visit its admin lets count', async () => {
  await addSeen(services, 'admin', 'ruth@registry.example', 'Ruth');
  const { name, email, personId } = admin;
  const addedBy = await services.db.transaction().execute((tx) => findOrAddActor(tx, { name, email, personId }));
  const admitted = { addedBy, addedAt: new Date('2026-11-20T01:00:00Z') };
  await services.db.updateTable('technician').set(admitted).where('id', '=', tech.recordId).execute();
  await record({ readings: LIGHT });
  expect(await accept(admin)).toEqual({ decided: false, reason: 'admitted-by-you' });
  services.setNow('2027-02-17T01:00:00Z');
  expect(await accept(admin)).toEqual({ decided: false, reason: 'admitted-by-you' });
  expect(await read()).toEqual(OVERDUE);
});

test('the recorder decides: in a second session, or with an account in another role', async () => {
  await addSeen(services, 'admin', 'ruth@registry.example', 'Ruth');
  await addPerson(services.db, 'technician', admin.email, { name: 'M. K.', password: null });
  const asTechnician: SignedIn = { ...admin, role: 'technician', name: 'M. K.', sessionId: 'another' };
  const other = await signedIn(services, admin.email, { ...VISITOR, userAgent: 'another browser' });
  for (const recorder of [admin, asTechnician]) {
    await record({ readings: LIGHT }, recorder);
    for (const decider of [admin, other.who])
      expect(await accept(decider)).toEqual({ decided: false, reason: 'own-visit' });
  }
  // Whoever corrected a reading of it is a recorder too.
  await record({ readings: LIGHT });
  await correct({}, admin);
  expect(await accept(other.who)).toEqual({ decided: false, reason: 'own-visit' });
  expect(await read()).toEqual(OVERDUE);
});
