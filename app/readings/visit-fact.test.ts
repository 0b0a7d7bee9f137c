// The list of what is said of a visit names each column that a person filled, and says each in words.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { factColumns, factWords, VISIT_FACTS } from './visit-fact.ts';

// What the registry or a phone adds, what a page of its own shows (photos, readings) and what only the office reads.
const OTHERS =
  /^(id|vehicle_id|visited_at|technician_id|notes|axles|recorded_at|(more_)?photo_.*|capture.*|received_at)$/;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('each column of a recorded visit is a fact of the list, or named as another thing', async () => {
  const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = 'calibration_set'`.execute(database.db);
  const said = rows.map(({ name }) => name).filter((name) => !OTHERS.test(name));
  expect(said.toSorted()).toEqual(VISIT_FACTS.map(({ field }) => field).toSorted());
});

test('each that is given is said, and none that is not', () => {
  const none = { weighbridge: '', ticket_number: '', lift_axle: '', not_behind: '' } as const;
  expect(factWords(factColumns(none))).toEqual([]);
  const all = {
    weighbridge: 'Example Creek',
    ticket_number: '7',
    lift_axle: 'raised',
    not_behind: 'TRAILERA',
  } as const;
  expect(factWords(factColumns(all))).toEqual([
    'weighed at Example Creek',
    'ticket 7',
    'lift axle raised',
    'Trailer A not behind the truck',
  ]);
});
