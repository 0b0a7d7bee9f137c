// A follower hears of a due date that moves under the same verdict, once, and what it rests on.
import type { Insertable } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { VisitTable } from '#database/visit-tables.ts';
import { composeMail } from '#server/compose-mail.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { notifyFollowers } from './notify-followers.server.ts';

let services: TestServices;
let vehicleId: string;
beforeAll(async () => {
  services = await createTestServices();
  services.setNow('2026-11-21T00:00:00Z');
  const lastCalibratedAt = new Date('2026-11-01T01:00:00Z');
  const dueOn = '2027-06-30';
  const vehicle = { rego: 'AAA1', nextCalibrationDueOn: dueOn, calibrationValidated: true, lastCalibratedAt };
  ({ id: vehicleId } = await services.db
    .insertInto('vehicle')
    .values(vehicle)
    .returning('id')
    .executeTakeFirstOrThrow());
  const follower = { email: 'sam@fleet.example', vehicleId, askedAt: services.now(), confirmedOn: '2026-11-20' };
  await services.db
    .insertInto('follower')
    .values({ ...follower, lookOn: '2026-11-20', told: JSON.stringify({ AAA1: { state: 'Valid', dueOn } }) })
    .execute();
});
afterAll(() => services.stop());

const addVisit = (visitedOn: string, values: Partial<Insertable<VisitTable>>) => {
  const at = new Date(`${visitedOn}T01:00:00Z`);
  const visit = { vehicleId, visitedAt: at, visitedOn, openedAt: at, closedAt: at, judged: 'counts' } as const;
  return services.db
    .insertInto('visit')
    .values({ ...visit, state: 'counts', ...values })
    .execute();
};

/** The mails after the due date has moved there: looked for twice. */
async function told(nextCalibrationDueOn: string) {
  const { db } = services;
  await db.updateTable('vehicle').set({ nextCalibrationDueOn, restsOn: 'visit' }).where('id', '=', vehicleId).execute();
  for (let time = 0; time < 2; time += 1) await notifyFollowers(services, () => false);
  const waiting = await db.selectFrom('mail').selectAll().orderBy('id').execute();
  await db.deleteFrom('mail').execute();
  return Promise.all(waiting.map((mail) => db.transaction().execute((tx) => composeMail(services)(tx, mail))));
}

test('a due date that moves under the same verdict is told once, with what it rests on', async () => {
  await addVisit('2026-11-20', { dueOn: '2027-09-01' });
  const [moved, ...more] = await told('2027-09-01');
  expect(more).toEqual([]);
  expect(moved?.subject).toMatch(/^AAA1: due date changed:/);
  expect(moved?.text).toContain('The due date of the scale calibration of AAA1 has changed. The verdict is: Valid.');
  expect(moved?.text).toContain('The due date is that of the visit of 20 November 2026, which counts.');
  // As a withdrawal does: its check fails, the visit waits, and the due date falls back.
  const sentence = 'The reference it was weighed on was withdrawn for 19 to 21 November 2026.';
  const checks = JSON.stringify([{ check: 'reference', rule: 'must', answer: 'failed', sentence }]);
  await services.db.updateTable('visit').set({ state: 'waits', beforeRecall: 'counts', checks }).execute();
  await addVisit('2026-11-01', { dueOn: '2027-06-30', state: 'accepted' });
  const [back] = await told('2027-06-30');
  expect(back?.text).toContain(
    `The due date is that of the visit of 1 November 2026, which an administrator accepted. The visit of 20 November 2026 waits for an administrator: ${sentence}`,
  );
  await services.db.updateTable('visit').set({ handDueOn: '2027-02-01' }).where('state', '=', 'accepted').execute();
  const [byHand] = await told('2027-02-01');
  expect(byHand?.text).toContain('An administrator set the due date by hand.');
  expect(await told('2027-02-01')).toEqual([]);
});
