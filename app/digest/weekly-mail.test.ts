// A technician's own trucks: on the phone, in the list, on the dashboard, and in the weekly mail.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dashboardPage } from '#app/dashboard/dashboard-page.server.ts';
import { fieldData } from '#app/field/field-data.server.ts';
import { ownHref } from '#app/vehicles/list-query.ts';
import { vehicleListPage } from '#app/vehicles/vehicle-list-page.server.ts';
import { addDueTruck } from '#test/due-trucks.ts';
import { enterLeaves } from '#test/leaves.ts';
import { clickOnce } from '#test/one-click.ts';
import { addSeen } from '#test/people.ts';
import { takeMails } from '#test/queued-mails.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { choose, findByStopLink, listChoices, stopMails } from './choose-told.server.ts';
import { sendWeeklyMails } from './weekly-mail.server.ts';

let services: TestServices;
let tech: Awaited<ReturnType<typeof addSeen>>;
let other: Awaited<ReturnType<typeof addSeen>>;

// Of 2019, as taken over from the former database, under a name that she has no more. 23 November 2026 is a Monday.
beforeAll(async () => {
  services = await createTestServices({ PUBLIC_URL: 'https://registry.example', REGISTRY_NAME: 'Registry' });
  const { db } = services;
  tech = await addSeen(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
  other = await addSeen(services, 'technician', 'pat@scales.example', 'Pat Lee');
  await addTruck('LATER1', '2027-08-01', tech.personId);
  await addTruck('SOON1', '2026-12-01', tech.personId);
  await addTruck('OVER1', '2026-11-01', tech.personId);
  await addTruck('SOLD1', '2020-11-01', tech.personId);
  await addTruck('NODUE1', null, tech.personId);
  await addTruck('PATS1', '2027-05-01', other.personId);
  await enterLeaves(db);
});
afterAll(() => services.stop());

function addTruck(rego: string, nextCalibrationDueOn: string | null, personId: string): Promise<string> {
  const who = { personId, name: 'J. Tran', email: 'former@scales.example' };
  return addDueTruck(services.db, { rego, nextCalibrationDueOn, who });
}
async function mailsAt(moment: string) {
  services.setNow(moment);
  await sendWeeklyMails(services, () => false);
  return takeMails(services);
}

test('a phone has all trucks of a technician, by due date, those taken over too', async () => {
  services.setNow('2026-11-21T00:00:00Z');
  const { trucks } = await fieldData(services, tech, []);
  expect(trucks.map(({ rego }) => rego).toSorted()).toEqual(['LATER1', 'NODUE1', 'OVER1', 'SOLD1', 'SOON1']);
  expect(trucks.every(({ isOwn }) => isOwn)).toBe(true);
});

test('“Mine” in the list and on the dashboard', async () => {
  const list = await vehicleListPage(services, new URL(ownHref(tech.personId), 'https://registry.example'));
  expect(list.rows.map(({ rego }) => rego)).toEqual(['SOLD1', 'OVER1', 'SOON1', 'LATER1', 'NODUE1']);
  const { ownDue } = await dashboardPage(services, { role: 'technician', personId: tech.personId });
  expect(ownDue).toEqual({ to: ownHref(tech.personId, ['overdue', 'due-soon']), count: 3 });
  expect((await dashboardPage(services, { role: 'admin', personId: tech.personId })).ownDue).toBeNull();
});

test('one mail a week to whom something is due, from Monday at six on, and none to whom nothing is', async () => {
  expect(await mailsAt('2026-11-22T18:30:00Z')).toEqual([]);
  const [mail, ...more] = await mailsAt('2026-11-22T19:30:00Z');
  expect(more).toEqual([]);
  expect([mail?.to, mail?.subject]).toEqual(['jo@scales.example', '2 trucks of yours due: Registry']);
  expect(mail?.text).toContain('OVER1: overdue since 1 November 2026\nSOON1: due on 1 December 2026');
  expect(mail?.text).toContain(`https://registry.example${ownHref(tech.personId)}`);
  expect(mail?.text).not.toMatch(/SOLD1|LATER1|PATS1/);
  for (const later of ['2026-11-22T20:00:00Z', '2026-11-29T12:00:00Z']) expect(await mailsAt(later)).toEqual([]);
  expect(await mailsAt('2026-11-29T20:00:00Z')).toHaveLength(1);
});

test('it ends by one click, in the outbox too, and begins again in the settings', async () => {
  services.setNow('2026-12-08T00:00:00Z');
  await sendWeeklyMails(services, () => false);
  const queued = await services.db.selectFrom('mail').selectAll().execute();
  const [mail] = await takeMails(services);
  expect(mail?.headers?.['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
  expect(await clickOnce([mail ?? {}])).toEqual([200]);
  const [, token = ''] = /follow\/mine\/([\w-]{43})/.exec(mail?.headers?.['List-Unsubscribe'] ?? '') ?? [];
  expect(await findByStopLink(services.db, token)).toEqual({
    personId: tech.personId,
    stops: 'weekly',
    isStopped: false,
  });
  for (let time = 0; time < 2; time += 1) await stopMails(services.db, { personId: tech.personId, stops: 'weekly' });
  const again = queued.map(({ kind, recipient, facts }) => ({ kind, recipient, facts: JSON.stringify(facts) }));
  await services.db.insertInto('mail').values(again).execute();
  expect([again.length, await takeMails(services)]).toEqual([1, []]);
  expect(await mailsAt('2026-12-15T00:00:00Z')).toEqual([]);
  expect(await findByStopLink(services.db, token)).toMatchObject({ isStopped: true });
  expect(await listChoices(services.db, tech.personId, 'technician')).toMatchObject({ weekly: 'never', due: 'six' });
  await choose(services.db, tech.personId, { weekly: 'monday' });
  expect(await mailsAt('2026-12-15T01:00:00Z')).toHaveLength(1);
});

test('anybody who is a technician no more gets none', async () => {
  await sql`update technician set deleted_at = now() where person_id = ${tech.personId}::uuid`.execute(services.db);
  expect(await mailsAt('2026-12-22T00:00:00Z')).toEqual([]);
});
