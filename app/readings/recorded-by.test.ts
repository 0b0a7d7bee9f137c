// The readings that a person recorded under all their names, compared with brute force.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import { addPerson, type Person } from '#test/people.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { recordedBy } from './recorded-by.server.ts';

const REGOS = ['XV04KL', 'XV11QT', 'ABC123'] as const;
let database: TestDatabase;
let own: Person;
const mine: { rego: string; id: number }[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  own = await addPerson(db, 'technician', 'jo@site.example', { name: 'Jo' });
  const other = await addPerson(db, 'technician', 'al@site.example', { name: 'Al' });
  const actors = await db
    .transaction()
    .execute(async (tx) => [
      await findOrAddActor(tx, { personId: own.personId, name: 'Jo', email: 'jo@site.example' }),
      await findOrAddActor(tx, { personId: own.personId, name: 'Jo Renamed', email: 'jo@site.example' }),
      await findOrAddActor(tx, { personId: other.personId, name: 'Al', email: 'al@site.example' }),
    ]);
  const vehicles = await db
    .insertInto('vehicle')
    .values(REGOS.map((rego) => ({ rego })))
    .returning(['id', 'rego'])
    .execute();
  const readings = Array.from({ length: 72 }, (_, index) => {
    const { id: vehicleId, rego } = vehicles[index % vehicles.length] ?? { id: '', rego: '' };
    const whose = (index * 7) % 3;
    if (whose < 2) mine.unshift({ rego, id: index });
    return {
      rego,
      id: index,
      vehicleId,
      axle: 'STEER' as const,
      attribute: 'Empty Volt' as const,
      value: '1',
      calibratedAt: new Date(Date.UTC(2026, 0, 1 + index)),
      technicianId: actors[whose] ?? null,
    };
  });
  await db.insertInto('calibration').values(readings).execute();
});
afterAll(() => database.drop());

test.each(['', 'xv', 'XV 11', '4kl', 'ZZZ', '%%'])(
  'each page of what “%s” finds, the newest first, and the total',
  async (text) => {
    const needle = text.toUpperCase().replace(' ', '');
    const expected = mine.filter(({ rego }) => text === '' || rego.includes(needle));
    const found: { rego: string; id: number }[] = [];
    for (let page = 1; ; page += 1) {
      const answer = await recordedBy({ db: database.db, config: { timeZone: 'Australia/Sydney' } }, own.personId, {
        page,
        perPage: 10,
        text,
      });
      expect([answer.total, answer.pages]).toEqual([expected.length, Math.max(1, Math.ceil(expected.length / 10))]);
      found.push(...answer.items.map(({ rego, id }) => ({ rego, id })));
      if (page >= answer.pages) break;
    }
    expect(found).toEqual(expected);
  },
);
