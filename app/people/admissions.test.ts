// Who was admitted when, by whom, and what limits it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#app/platform/database/database.server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { addPerson } from '#test/people.ts';
import { isInGoodStanding } from './good-standing.ts';
import { admittedBy, admissionsOf } from './admissions.server.ts';
import { hasOtherAdmin } from './two-people.server.ts';

const ZONE = 'Australia/Sydney';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  ({ db } = database);
});
afterAll(() => database.drop());

const newTechnician = (name: string) => addPerson(db, 'technician', `${name}@yard.example`, { password: null });
const goodOn = async (personId: string, days: readonly string[]) => {
  const admissions = await admissionsOf(db, personId, ZONE);
  return days.map((day) => admissions !== null && isInGoodStanding(admissions, day));
};
const setRecord = (
  id: string,
  to: Partial<Record<'addedAt' | 'deletedAt' | 'licenceEndsOn' | 'suspendedFrom', string>>,
) => db.updateTable('technician').set(to).where('id', '=', id).execute();

async function suspend(technicianId: string, fromOn: string, toOn: string | null): Promise<void> {
  const { id: actorId } = await db.selectFrom('actor').select('id').limit(1).executeTakeFirstOrThrow();
  const ended = toOn === null ? {} : { toOn, endedBy: actorId, endedAt: '2026-11-21' };
  await db
    .insertInto('suspension')
    .values({ technicianId, fromOn, reason: 'Asked about.', decidedBy: actorId, decidedAt: '2026-11-20', ...ended })
    .execute();
}

test('the day of admission and that of removal are those of the registry’s zone, and count', async () => {
  const { personId, recordId } = await newTechnician('zoe');
  // 1 June, 8 am and 2 July, half past midnight in Sydney.
  await setRecord(recordId, { addedAt: '2026-05-31T22:00:00Z', deletedAt: '2026-07-01T14:30:00Z' });
  expect(await admissionsOf(db, personId, ZONE)).toEqual([
    { from: '2026-06-01', to: '2026-07-02', suspensions: [], licenceEndsOn: null },
  ]);
  expect(await goodOn(personId, ['2026-05-31', '2026-06-01', '2026-07-02', '2026-07-03'])).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test('an imported technician without a date was admitted long before; a person who was neither is not known', async () => {
  const { personId } = await newTechnician('ivo');
  expect(await goodOn(personId, ['1999-01-01', '2026-11-21'])).toEqual([true, true]);
  const named = await db.insertInto('person').values({ email: null }).returning('id').executeTakeFirstOrThrow();
  expect(await admissionsOf(db, named.id, ZONE)).toBeNull();
});

test('a suspension begins and ends with its days, and one lifted from its first day on has none', async () => {
  const { personId, recordId } = await newTechnician('sue');
  await suspend(recordId, '2026-11-02', '2026-11-04');
  await suspend(recordId, '2026-11-08', '2026-11-07');
  await suspend(recordId, '2026-11-10', null);
  const days = ['2026-11-01', '2026-11-02', '2026-11-04', '2026-11-05', '2026-11-08', '2026-11-10', '2027-11-10'];
  expect(await goodOn(personId, days)).toEqual([true, false, false, true, true, false, false]);
});

test('a licence holds on its last day', async () => {
  const { personId, recordId } = await newTechnician('lou');
  await setRecord(recordId, { licenceEndsOn: '2026-11-20' });
  expect(await goodOn(personId, ['2026-11-20', '2026-11-21'])).toEqual([true, false]);
});

test('anybody who was removed while suspended and is admitted again is in good standing from that day, not before', async () => {
  const { personId, recordId, email } = await newTechnician('ray');
  await setRecord(recordId, { addedAt: '2026-01-10T00:00:00Z', deletedAt: '2026-03-10T00:00:00Z' });
  await suspend(recordId, '2026-03-01', null);
  await db.insertInto('technician').values({ personId, email, addedAt: '2026-05-10T00:00:00Z' }).execute();
  const days = ['2026-02-28', '2026-03-01', '2026-03-10', '2026-05-09', '2026-05-10'];
  expect(await goodOn(personId, days)).toEqual([true, false, false, false, true]);
});

test('a technician who became an admin was in good standing as both', async () => {
  const { personId, recordId, email } = await newTechnician('ada');
  await setRecord(recordId, { addedAt: '2026-01-10T00:00:00Z', deletedAt: '2026-03-10T00:00:00Z' });
  await db.insertInto('admin').values({ personId, email, addedAt: '2026-03-12T00:00:00Z' }).execute();
  expect(await goodOn(personId, ['2026-03-10', '2026-03-11', '2026-03-12'])).toEqual([true, false, true]);
});

test('who admitted a technician is a person, whatever they were called; the newest admission comes first', async () => {
  const mia = await addPerson(db, 'admin', 'mia@registry.example', { name: 'Mia Kowalski', password: null });
  const renamed = { personId: mia.personId, name: 'Mia Novak', email: mia.email };
  const { id: addedBy } = await db.insertInto('actor').values(renamed).returning('id').executeTakeFirstOrThrow();
  const { personId, recordId, email } = await newTechnician('tom');
  expect(await admittedBy(db, personId)).toEqual([]);
  await setRecord(recordId, { addedAt: '2026-01-10T00:00:00Z', deletedAt: '2026-03-10T00:00:00Z' });
  const old = await db.selectFrom('actor').select('id').where('name', '=', 'Mia Kowalski').executeTakeFirstOrThrow();
  await db.updateTable('technician').set({ addedBy: old.id }).where('id', '=', recordId).execute();
  await db.insertInto('technician').values({ personId, email, addedBy, addedAt: '2026-05-10T00:00:00Z' }).execute();
  expect(await admittedBy(db, personId)).toEqual([
    { personId: mia.personId, at: new Date('2026-05-10T00:00:00Z') },
    { personId: mia.personId, at: new Date('2026-01-10T00:00:00Z') },
  ]);
});

test('another admin is one who is there and can sign in', async () => {
  const ali = await addPerson(db, 'admin', 'ali@registry.example', { name: 'Ali Baker' });
  expect(await hasOtherAdmin(db, ali.personId)).toBe(false);
  const bea = await addPerson(db, 'admin', 'bea@registry.example', { name: 'Bea Cole' });
  expect(await hasOtherAdmin(db, ali.personId)).toBe(true);
  await db.updateTable('admin').set({ deletedAt: '2026-11-20' }).where('id', '=', bea.recordId).execute();
  expect(await hasOtherAdmin(db, ali.personId)).toBe(false);
});
