import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { removeVehicle } from '#app/vehicles/remove-vehicle.server.ts';
import { addSeen } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { recordHonestSet } from '#test/visits.ts';
import { answerList } from './answer-list.server.ts';
import type { LineAnswer } from './line-answer.ts';
import { readList } from './read-list.server.ts';

const TODAY = '2026-11-24';
const VIN = '6T9HZ8FM2PA100418';
let services: TestServices;
let admin: SignedIn;
let tech: SignedIn;

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  services.setNow(`${TODAY}T01:00:00Z`);
  admin = await addSeen(services, 'admin', 'mia@registry.example', 'Mia');
  tech = await addSeen(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
  for (const [rego, vin] of [
    ['XV04KL', VIN],
    ['1GH551', '6T9ONE'],
    ['1GH553', '6T9ONE'],
    ['1GH558', ''],
    ['GONE1', ''],
  ] as const) {
    const fields = { rego, vin, axle_groups: 'STEER DRIVE', calibration_validated: 'yes' };
    await registerVehicle(services, admin, { input: vehicleInput(fields), choice: NO_FILES, key: undefined });
  }
  await recordHonestSet(services, tech, 'XV04KL');
  await removeVehicle(services.db, admin, { rego: 'GONE1' });
});
afterAll(() => services.stop());

async function answersTo(text: string): Promise<LineAnswer[]> {
  const read = readList(text);
  if (!read.ok) throw new Error(read.message);
  const answers: LineAnswer[] = [];
  for await (const batch of answerList(services.db, read.lines, TODAY)) answers.push(...batch);
  return answers;
}

test('each line is answered, in the order of the list, by a whole rego or a whole VIN', async () => {
  const list = ['Rego', 'XV04KL', 'xv-04 kl', VIN, '1GH558', '', 'ABC-12#4', 'X'.repeat(31), 'GONE1', 'NT88QZ'];
  expect(await answersTo(list.join('\n'))).toEqual([
    { number: 1, asked: 'Rego', kind: 'heading' },
    {
      number: 2,
      asked: 'XV04KL',
      kind: 'found',
      rego: 'XV04KL',
      verdict: 'valid',
      matchesLog: true,
      dueOn: '2027-05-25',
      restsOn: 'Only the technician’s own figures',
      byVin: false,
      sameAs: null,
    },
    expect.objectContaining({ number: 3, asked: 'xv-04 kl', rego: 'XV04KL', verdict: 'valid', sameAs: 2 }),
    expect.objectContaining({ number: 4, asked: VIN, rego: 'XV04KL', byVin: true, sameAs: 2 }),
    expect.objectContaining({
      number: 5,
      rego: '1GH558',
      verdict: 'never-calibrated',
      dueOn: null,
      restsOn: 'No calibration has been recorded',
    }),
    { number: 6, asked: '', kind: 'empty' },
    { number: 7, asked: 'ABC-12#4', kind: 'unreadable', why: '“#” cannot be in a rego or a VIN' },
    {
      number: 8,
      asked: 'X'.repeat(31),
      kind: 'unreadable',
      why: 'It has 31 letters and digits, and a VIN at most 30',
    },
    { number: 9, asked: 'GONE1', kind: 'not-found', near: [], removedAt: expect.any(Date) },
    { number: 10, asked: 'NT88QZ', kind: 'not-found', near: [], removedAt: null },
  ]);
});

test('what is no whole rego or VIN never gets the verdict of a truck', async () => {
  expect(await answersTo('xvo4kl\n1GH55\n6T9ONE\nXV04K\nXV')).toEqual([
    { number: 1, asked: 'xvo4kl', kind: 'not-found', near: ['XV04KL'], removedAt: null },
    { number: 2, asked: '1GH55', kind: 'several', total: 3, regos: ['1GH551', '1GH553', '1GH558'] },
    { number: 3, asked: '6T9ONE', kind: 'several', total: 2, regos: ['1GH551', '1GH553'] },
    { number: 4, asked: 'XV04K', kind: 'several', total: 1, regos: ['XV04KL'] },
    { number: 5, asked: 'XV', kind: 'not-found', near: [], removedAt: null },
  ]);
});

test('only the first 100 lines without an answer are looked up by what they resemble; all are answered', async () => {
  const answers = await answersTo(`${Array.from({ length: 120 }, (_, nth) => `QQ${nth}Q`).join('\n')}\nxvo4kl\nXV04KL`);
  expect(answers).toHaveLength(122);
  expect(answers.at(-2)).toEqual({ number: 121, asked: 'xvo4kl', kind: 'not-found', near: [], removedAt: null });
  expect(answers.at(-1)).toMatchObject({ kind: 'found', rego: 'XV04KL' });
});

test('a truck whose record is not what was logged has no verdict that anyone may rely on', async () => {
  const alter = (make: string) =>
    services.db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      await sql`update vehicle set make = ${make} where rego = 'XV04KL'`.execute(tx);
    });
  const { make } = await services.db
    .selectFrom('vehicle')
    .select('make')
    .where('rego', '=', 'XV04KL')
    .executeTakeFirstOrThrow();
  await alter('Another');
  expect(await answersTo('XV04KL')).toMatchObject([
    { matchesLog: false, restsOn: 'What is stored is not what was logged' },
  ]);
  await alter(make);
  // What was found stays said until the whole history is checked.
  expect(await answersTo('XV04KL')).toMatchObject([{ matchesLog: false }]);
  await services.db.deleteFrom('historyCheck').execute();
  expect(await answersTo('XV04KL')).toMatchObject([{ matchesLog: true }]);
});
