// Who calibrated, in public: two people of one name differ, and nothing else of them is shown.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import type { SignedIn } from '#app/access/session.server.ts';
import { erasePerson } from '#app/people/erase-person.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { recorderOf } from '#app/readings/recorders.server.ts';
import { vehiclePage } from '#app/vehicle-page/vehicle-page.server.ts';
import { addSignedIn } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { recordHonestSet, recordSingles } from '#test/visits.ts';
import { publicTechnician } from './public-technician.server.ts';

let services: TestServices;
let mia: SignedIn;
let jo: SignedIn;
let other: SignedIn;
let count = 0;

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  services.setNow('2026-05-20T01:00:00Z');
  mia = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia Kowalski');
  jo = await addSignedIn(services, 'technician', 'jo@northern.example', 'J. Nguyen');
  other = await addSignedIn(services, 'technician', 'jim@rivers.example', 'J. Nguyen');
  const addedAt = new Date('2024-03-12T01:00:00Z');
  const company = (companyName: string, who: SignedIn) =>
    services.db
      .updateTable('technician')
      .set({ companyName, address: 'PRIVATE-ADDRESS', repContact: 'PRIVATE-PHONE', tradeLicenceNum: 'PRIVATE-LICENCE' })
      .set({ addedAt })
      .where('personId', '=', who.personId)
      .execute();
  await company('Northern Scales', jo);
  await company('Northern Rivers Weighing', other);
});
afterAll(() => services.stop());

async function truck(): Promise<string> {
  const rego = `BY${(count += 1)}`;
  const fields = { rego, vin: `VINBY${count}`, axle_groups: 'STEER DRIVE', calibration_validated: 'yes' };
  await registerVehicle(services, mia, { input: vehicleInput(fields), choice: NO_FILES, key: undefined });
  return rego;
}
async function page(rego: string) {
  const found = await vehiclePage(services, rego, {
    asked: new URLSearchParams(),
    origin: 'http://localhost',
    who: null,
  });
  if (found.state !== 'live') throw new Error(found.state);
  return found.page;
}
const recorderOfFirst = async (rego: string) => {
  const first = services.db.selectFrom('calibration').select(['rego', 'id']).where('rego', '=', rego).limit(1);
  return recorderOf(services.db, await first.executeTakeFirstOrThrow());
};

test('two people of one name differ by company, day and visits, and each page names the other', async () => {
  const counted = await truck();
  await recordHonestSet(services, jo, counted);
  await recordHonestSet(services, jo, await truck(), { due_date: null });
  await recordSingles(services, jo, await truck(), 'STEER');
  const theirs = await truck();
  await recordHonestSet(services, other, theirs);
  const shown = await publicTechnician(services, jo.personId);
  expect(shown).toEqual({
    name: 'J. Nguyen',
    company: 'Northern Scales',
    facts: [{ label: 'Admitted', value: '12 March 2024' }],
    visits: [
      { word: 'Counts', count: 1 },
      { word: 'Partial', count: 0 },
      { word: 'Waits', count: 1 },
      { word: 'Accepted', count: 0 },
      { word: 'Set aside', count: 0 },
    ],
    total: 2,
    span: '12 months to 20 May 2026',
    others: [{ personId: other.personId, company: 'Northern Rivers Weighing' }],
  });
  expect(JSON.stringify(shown)).not.toMatch(/PRIVATE|@/);
  expect(await publicTechnician(services, other.personId)).toMatchObject({
    company: 'Northern Rivers Weighing',
    total: 1,
    others: [{ personId: jo.personId, company: 'Northern Scales' }],
  });
  // The verdict's card, the history and the entry lead there.
  const { calibratedBy, history } = await page(counted);
  expect(calibratedBy).toEqual({ name: 'J. Nguyen, Northern Scales', personId: jo.personId });
  expect(history.visits[0]?.recorder).toEqual({ name: 'J. Nguyen', personId: jo.personId });
  expect((await page(theirs)).calibratedBy).toEqual({
    name: 'J. Nguyen, Northern Rivers Weighing',
    personId: other.personId,
  });
  expect(await recorderOfFirst(counted)).toEqual({ personId: jo.personId, company: 'Northern Scales' });
});

test('a visit that waits is not who calibrated; an admin who did has a page, and one who did not has none', async () => {
  const rego = await truck();
  await recordHonestSet(services, mia, rego, { due_date: null });
  expect((await page(rego)).calibratedBy).toBeNull();
  expect(await publicTechnician(services, mia.personId)).toMatchObject({
    name: 'Mia Kowalski',
    company: '',
    facts: [{ label: 'Administrator since' }],
  });
  const idle = await addSignedIn(services, 'technician', 'idle@scales.example', 'Never Recorded');
  expect(await publicTechnician(services, idle.personId)).toBeUndefined();
  for (const none of ['x', '00000000-0000-4000-8000-000000000000', 'j@a.example'])
    expect(await publicTechnician(services, none)).toBeUndefined();
});

test('an imported name without an account has no page, and its name no link', async () => {
  const rego = await truck();
  await recordHonestSet(services, jo, rego);
  const { db } = services;
  const { id: personId } = await db
    .insertInto('person')
    .values({ email: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.transaction().execute(async (tx) => {
    const technicianId = await findOrAddActor(tx, { personId, name: 'Old Name', email: '' });
    const values = { rego, axle: 'STEER', attribute: 'Empty Volt', value: '0.7', technicianId } as const;
    const { id: vehicleId } = await tx
      .selectFrom('vehicle')
      .select('id')
      .where('rego', '=', rego)
      .executeTakeFirstOrThrow();
    const at = new Date('2020-01-01T00:00:00Z');
    await tx
      .insertInto('calibration')
      .values({ ...values, id: 7, vehicleId, calibratedAt: at, origin: 'imported' })
      .execute();
  });
  expect(await publicTechnician(services, personId)).toBeUndefined();
  const { history } = await page(rego);
  expect(history.visits.map(({ recorder }) => recorder)).toEqual([
    { name: 'J. Nguyen', personId: jo.personId },
    { name: 'Old Name', personId: null },
  ]);
});

test('who was removed says since when; who was erased has no page, and their name no link', async () => {
  const rego = await truck();
  const leaver = await addSignedIn(services, 'technician', 'leaver@scales.example', 'Lee Vers');
  await recordHonestSet(services, leaver, rego);
  const deletedAt = new Date('2026-05-21T01:00:00Z');
  await services.db.updateTable('technician').set({ deletedAt }).where('personId', '=', leaver.personId).execute();
  expect(await publicTechnician(services, leaver.personId)).toMatchObject({
    name: 'Lee Vers',
    facts: [{ label: 'Admitted' }, { label: 'Removed from this registry', value: '21 May 2026' }],
  });
  expect((await page(rego)).calibratedBy?.personId).toBe(leaver.personId);
  expect(await erasePerson(services, mia, { personId: leaver.personId, reason: 'Asked for it.' })).toMatchObject({
    erased: true,
  });
  expect(await publicTechnician(services, leaver.personId)).toBeUndefined();
  expect((await page(rego)).calibratedBy).toEqual({ name: 'Erased person', personId: null });
});
