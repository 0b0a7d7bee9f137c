// What one admin can do alone, with an account that they made a minute before: nothing that needs two people, while
// somebody has been an admin for 90 days; where nobody has, the public reads how new the second one is.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { addAdmin } from '#app/admins/add-admin.server.ts';
import { listRemovals } from '#app/admins/queries.server.ts';
import { decideRemoval, endDueRemovals, removeAdmin } from '#app/admins/remove-admin.server.ts';
import { recordCapturedVisit } from '#app/field/record-captured-visit.server.ts';
import { FORM_VERSION } from '#app/field/field.ts';
import { READING_FIELDS, nameOf } from '#app/readings/set-grid.ts';
import { findPersonByEmail } from '#app/access/queries.server.ts';
import { addDays } from '#app/platform/time/calendar.ts';
import { vehiclePage } from '#app/vehicle-page/vehicle-page.server.ts';
import { adminInput } from '#test/admins.ts';
import { apiApp } from '#server/api.ts';
import { openOverdueTruck, OVERDUE, REGO, TODAY, type OverdueTruck } from '#test/overdue-truck.ts';
import { enforce } from '#test/policy.ts';
import { addSeen } from '#test/people.ts';
import { honestReadings, liveVehicle } from '#test/visits.ts';

const LIGHT = { DRIVE: { loaded_weight: '9000' } };
const AXLES = ['STEER', 'DRIVE'] as const;

let truck: OverdueTruck;
beforeEach(async () => {
  truck = await openOverdueTruck();
  expect(await truck.read()).toEqual(OVERDUE);
});
afterEach(async () => {
  expect(await truck.close()).toEqual([]);
});

/** The admin makes a second account, as the form does, and signs in with it. */
async function secondAccount(): Promise<SignedIn> {
  const input = adminInput('mia2@registry.example', { name: 'Second' });
  expect(await addAdmin(truck.services, truck.admin, { input, key: undefined })).toEqual({ added: true });
  const found = await findPersonByEmail(truck.services.db, input.email);
  if (found === undefined) throw new Error('not added');
  const { personId, account } = found;
  return { ...account, personId, sessionId: '', mustChangePassword: false, hasSecondFactor: false };
}
const addRuth = () => addSeen(truck.services, 'admin', 'ruth@registry.example', 'Ruth');
async function publicLine(): Promise<string> {
  const found = await vehiclePage(truck.services, REGO, {
    asked: new URLSearchParams(),
    origin: 'http://localhost',
    who: null,
  });
  if (found.state !== 'live') throw new Error(found.state);
  const { evidence } = found.page;
  return `${evidence.line?.lead ?? ''}${evidence.line?.rest ?? ''}`;
}

test('their own junk is accepted by no second account while another admin of 90 days exists', async () => {
  await addRuth();
  const second = await secondAccount();
  await truck.record({ readings: LIGHT }, truck.admin);
  expect(await truck.accept(truck.admin)).toEqual({ decided: false, reason: 'own-visit' });
  expect(await truck.accept(second)).toEqual({ decided: false, reason: 'too-new' });
  truck.services.setNow('2027-02-18T01:00:00Z');
  expect(await truck.accept(second)).toEqual({ decided: false, reason: 'too-new' });
  expect((await truck.read()).verdict).toBe('overdue');
});

test('nor is a visit of a technician that they corrected', async () => {
  const ruth = await addRuth();
  const second = await secondAccount();
  await truck.record({ readings: LIGHT });
  await truck.correct({}, truck.admin);
  expect(await truck.accept(second)).toEqual({ decided: false, reason: 'too-new' });
  expect(await truck.read()).toEqual(OVERDUE);
  expect(await truck.accept(ruth)).toMatchObject({ decided: true });
});

test('removing the other admin first does not help before that stands, which the others read in a mail', async () => {
  const ruth = await addRuth();
  const second = await secondAccount();
  await truck.record({ readings: LIGHT }, truck.admin);
  expect(await removeAdmin(truck.services, truck.admin, { email: ruth.email })).toEqual({ removed: true });
  const [removal] = await listRemovals(truck.services.db);
  const confirm = { id: removal?.id ?? '', decision: 'confirm' } as const;
  expect(await decideRemoval(truck.services, second, { ...confirm, key: undefined })).toMatchObject({
    reason: 'too-new',
  });
  expect(await truck.accept(second)).toEqual({ decided: false, reason: 'too-new' });
  truck.services.setNow(`${addDays(TODAY, 6)}T01:00:00Z`);
  await endDueRemovals(truck.services);
  expect(await truck.accept(second)).toEqual({ decided: false, reason: 'too-new' });
  expect(await truck.read()).toEqual(OVERDUE);
});

test('where nobody else is of 90 days, the public reads how new the second one is', async () => {
  const second = await secondAccount();
  truck.services.setNow(`${addDays(TODAY, 3)}T01:00:00Z`);
  await truck.record({ readings: LIGHT }, truck.admin);
  expect(await truck.accept(truck.admin)).toEqual({ decided: false, reason: 'own-visit' });
  expect(await truck.accept(second)).toMatchObject({ decided: true });
  expect(await publicLine()).toContain('accepted by an administrator added 3 days ago who did not record it');
  const answer = await apiApp(truck.services).request(`/vehicles/${REGO}`);
  expect(await answer.json()).toMatchObject({ evidence: { decision: { administrator_added_days: 3 } } });
});

test('a single admin decides about their own visit, and the public reads that nobody else looked', async () => {
  await truck.record({ readings: LIGHT }, truck.admin);
  expect(await truck.accept(truck.admin)).toMatchObject({ decided: true });
  expect(await publicLine()).toContain('accepted by the only administrator, so nobody else looked');
});

/** A visit that `by` captured, from its file. */
async function sendFileOf(by: SignedIn, sender: SignedIn, answer: Record<string, string>) {
  const { id, vin } = await liveVehicle(truck.services, REGO);
  const fields: Record<string, string> = {
    ...Object.fromEntries(
      AXLES.flatMap((axle) => {
        const four = honestReadings(axle, 320);
        return READING_FIELDS.map(({ field }) => [nameOf(axle, field), four[field]]);
      }),
    ),
    confirmed: 'yes',
    rego: REGO,
    vin,
    visit_date: TODAY,
    visit_time: '09:00',
    due_date: addDays(TODAY, 182),
    capture_id: crypto.randomUUID(),
    captured_at: `${TODAY}T00:10:00.000Z`,
    captured_by: by.personId,
    from_file: 'yes',
    vehicle_id: id,
    form_version: String(FORM_VERSION),
    ...answer,
  };
  const all = new Map([
    ...Object.entries(fields).map(([name, value]): [string, string[]] => [name, [value]]),
    ['axle', [...AXLES]],
  ]);
  return recordCapturedVisit(truck.services, sender, { fields: new Map(Object.entries(fields)), all });
}

test.each([[{ was_there: 'yes' }], [{ was_there: 'no' }], [{}]])(
  'an admin captures a visit, a technician sends its file (%o), the admin accepts it: refused',
  async (answer) => {
    await enforce(truck.services.db, { everyVisitWaits: true });
    const ruth = await addRuth();
    // An admin who never did anything here.
    const second = await secondAccount();
    for (const captor of [truck.admin, second]) {
      expect(await sendFileOf(captor, truck.tech, answer)).toMatchObject({ recorded: true, state: 'waits' });
      expect(await truck.accept(captor)).toEqual({ decided: false, reason: 'own-visit' });
      const other = captor === second ? truck.admin : second;
      expect(await truck.accept(other)).toMatchObject(
        captor === second ? { decided: true } : { decided: false, reason: 'too-new' },
      );
      if (captor !== second) expect(await truck.read()).toEqual(OVERDUE);
    }
    expect(await truck.accept(ruth)).toMatchObject({ decided: false, reason: 'stale' });
  },
);

test('a file of somebody who is unknown here is refused, and nothing is recorded', async () => {
  const before = await truck.states();
  const nobody = { ...truck.tech, personId: crypto.randomUUID() };
  expect(await sendFileOf(nobody, truck.tech, {})).toMatchObject({ recorded: false, reason: 'captor-unknown' });
  expect(await truck.states()).toEqual(before);
});

test('the words of a new admin end after 90 days', async () => {
  const second = await secondAccount();
  truck.services.setNow(`${addDays(TODAY, 90)}T01:00:00Z`);
  await truck.record({ readings: LIGHT }, truck.admin);
  expect(await truck.accept(second)).toMatchObject({ decided: true });
  expect(await publicLine()).toContain('accepted by an administrator who did not record it');
});
