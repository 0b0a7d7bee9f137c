// Who is told what, when, and once.
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import { requestRegistration } from '#app/applications/request-registration.server.ts';
import { decideVisit } from '#app/visits/decide-visit.server.ts';
import { composeMail } from '#server/compose-mail.ts';
import { applicationOf } from '#test/applications.ts';
import { addDueTruck } from '#test/due-trucks.ts';
import { newFinding } from '#test/findings.ts';
import { enterLeaves } from '#test/leaves.ts';
import { addSeen } from '#test/people.ts';
import { takeMails } from '#test/queued-mails.ts';
import { newReference, newWithdrawal } from '#test/references.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { recordHonestSet } from '#test/visits.ts';
import { addTruck } from '#test/withdrawals.ts';
import { asOffice, asTechnician, report, REPORTER, REPORTER_BY_MAIL, take } from '#test/wrong-records.ts';
import { choose, listChoices, stopMails } from './choose-told.server.ts';
import { sendDigests } from './send-digests.server.ts';
import { STOPPABLE } from './topics.ts';
import { sendWeeklyMails } from './weekly-mail.server.ts';

const ZONE = 'Australia/Sydney';
let services: TestServices;
let mia: SignedIn;
let ruth: SignedIn;
let jo: SignedIn;
let made = 0;

beforeAll(async () => {
  services = await createTestServices({
    RATE_LIMITS: 'off',
    PUBLIC_URL: 'https://registry.example',
    REGISTRY_NAME: 'Registry',
    TIME_ZONE: ZONE,
  });
  mia = await addSeen(services, 'admin', 'mia@registry.example', 'Mia Kowalski');
  ruth = await addSeen(services, 'admin', 'ruth@registry.example', 'Ruth');
  jo = await addSeen(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
});
afterAll(() => services.stop());
// Nothing is left to tell in the next test.
afterEach(async () => {
  const { db } = services;
  await sql`update visit set state = 'set-aside' where state = 'waits'`.execute(db);
  await sql`update application set decision = 'deleted', decided_at = now() where decision is null`.execute(db);
  await sql`update pattern_finding set state = 'decided'`.execute(db);
  await sql`update reference_withdrawal set dropped_at = now(), dropped_by = proposed_by
    where dropped_at is null`.execute(db);
  for (const table of ['toldItem', 'digest', 'tellChoice', 'mail'] as const) await db.deleteFrom(table).execute();
  await sql`delete from weekly_mail`.execute(db);
});

const look = async (moment: string) => {
  services.setNow(moment);
  await sendDigests(services, () => false);
  // Applicants hear of their own request.
  return (await takeMails(services)).filter(({ to }) => !to.endsWith('@x.example'));
};
const later = (minutes: number) => new Date(services.now().getTime() + minutes * 60_000).toISOString();

/** A visit of Jo that waits since now. */
async function waiting(): Promise<{ id: string; rego: string }> {
  const rego = `TELL${(made += 1)}`;
  await addTruck(services, mia, rego);
  const visitedAt = new Date(services.now().getTime() - 30 * 86_400_000);
  const recorded = await recordHonestSet(services, jo, rego, { visitedAt });
  expect(recorded).toMatchObject({ state: 'waits' });
  return { id: recorded.recorded ? recorded.setId : '', rego };
}
const apply = () =>
  requestRegistration(services, '192.0.2.1', { input: applicationOf(`new${(made += 1)}@x.example`), key: undefined });

test('a visit that waits reaches each admin at once, in one mail for all, and never again', async () => {
  services.setNow('2026-11-20T02:00:00Z');
  const [one, two] = [await waiting(), await waiting()];
  const mails = await look(later(1));
  expect(mails.map(({ to }) => to).toSorted()).toEqual(['mia@registry.example', 'ruth@registry.example']);
  const [mail] = mails;
  expect(mail?.subject).toBe('2 visits wait: Registry');
  expect(mail?.text).toMatch(/^Hello (Mia Kowalski|Ruth),\n\n2 visits wait\n {2}/);
  expect(mail?.text).toContain('2 alike');
  expect(mail?.html).toContain('<a href="https://registry.example/visits">2 alike</a>');
  expect(mail?.headers).toHaveProperty('List-Unsubscribe');
  expect(await look(later(20))).toEqual([]);
  // What comes meanwhile waits ten minutes at most.
  const three = await waiting();
  expect(await look(later(1))).toHaveLength(2);
  const four = await waiting();
  expect(await look(later(1))).toEqual([]);
  const [next] = await look(later(10));
  expect(next?.text).toContain(`${four.rego}  `);
  expect(next?.text).toContain(`https://registry.example/visits/${four.id}`);
  for (const { rego } of [one, two, three]) expect(next?.text).not.toContain(`${rego} `);
});

test('what was decided before the mail leaves is not in it, and a mail of nothing does not leave', async () => {
  services.setNow('2026-11-21T02:00:00Z');
  const { id } = await waiting();
  services.setNow(later(1));
  expect(await sendDigests(services, () => false)).toBe(2);
  const input = { decision: 'set-aside', reason: 'does-not-fit', note: 'PRIVATE', openedState: 'waits' } as const;
  await decideVisit(services.db, mia, { visitId: id, input, now: services.now(), key: undefined });
  const facts = await services.db.selectFrom('mail').select('facts').execute();
  expect(JSON.stringify(facts)).not.toMatch(/TELL|example/);
  expect((await takeMails(services)).filter(({ to }) => to !== jo.email)).toEqual([]);
  const [told] = await look(later(1));
  expect([told?.to, told?.subject]).toEqual([jo.email, '1 visit of yours was decided: Registry']);
  expect(told?.text).toContain('was set aside: it does not count. The reason: The figures do not fit this truck.');
  expect(told?.text).not.toContain('PRIVATE');
});

test('a report reaches each admin when it is confirmed and answered, and its technician when they are asked', async () => {
  services.setNow('2026-12-20T02:00:00Z');
  const { id: visit, rego } = await waiting();
  await sql`update visit set state = 'counts' where id = ${visit}`.execute(services.db);
  const { id } = await report(services, { vehicle: rego, visit });
  const told = async () =>
    (await look(later(11))).filter(({ to }) => to !== REPORTER.email).map(({ to, subject }) => [to, subject]);
  expect(await told()).toEqual([]);
  const waits = [mia, ruth].map(({ email }) => [email, '1 report waits: Registry']).toSorted();
  expect(await take(services, REPORTER_BY_MAIL, id, 'confirmed')).toEqual({ done: true });
  expect((await told()).toSorted()).toEqual(waits);
  expect(await take(services, asOffice(ruth), id, 'asked')).toEqual({ done: true });
  expect(await told()).toEqual([[jo.email, '1 answer is wanted from you: Registry']]);
  expect(await take(services, asTechnician(jo), id, 'answered')).toEqual({ done: true });
  expect((await told()).toSorted()).toEqual(waits);
  expect(await take(services, asOffice(ruth), id, 'decided', { decision: 'right' })).toEqual({ done: true });
  expect(await told()).toEqual([]);
});

test('nobody is told of their own decision, nor who has lost access', async () => {
  services.setNow('2026-12-05T02:00:00Z');
  const { id } = await waiting();
  await sql`update technician set deleted_at = now() where person_id = ${jo.personId}::uuid`.execute(services.db);
  const input = { decision: 'set-aside', reason: 'does-not-fit', note: '', openedState: 'waits' } as const;
  await decideVisit(services.db, mia, { visitId: id, input, now: services.now(), key: undefined });
  expect(await look(later(1))).toEqual([]);
  await sql`update technician set deleted_at = null where person_id = ${jo.personId}::uuid`.execute(services.db);
  expect(await look(later(1))).toHaveLength(1);
});

test('at six, once a day, also on the days on which the clock changes; a quiet week sends nothing', async () => {
  for (const { personId } of [mia, ruth])
    await choose(services.db, personId, Object.fromEntries(STOPPABLE.map(({ topic }) => [topic, 'six'])));
  // In Sydney the clock goes back on 4 April 2027, and forward on 3 October 2027, at night.
  for (const [before, six] of [
    ['2027-04-03T19:59:00Z', '2027-04-03T20:00:00Z'],
    ['2027-10-02T18:59:00Z', '2027-10-02T19:00:00Z'],
  ] as const) {
    services.setNow(new Date(Date.parse(before) - 4 * 3_600_000).toISOString());
    await apply();
    expect(await look(before)).toEqual([]);
    expect((await look(six)).map(({ subject }) => subject)).toEqual(Array(2).fill('1 application: Registry'));
    await apply();
    expect(await look(later(23 * 60))).toEqual([]);
    expect(await look(later(60))).toHaveLength(2);
  }
  const start = services.now().getTime();
  const hours = Array.from({ length: 7 * 24 }, (_, hour) => new Date(start + hour * 3_600_000).toISOString());
  for (const hour of hours) expect(await look(hour)).toEqual([]);
}, 30_000);

test('what is stopped is not told, and what needs a second admin or an answer is told all the same', async () => {
  services.setNow('2027-11-23T02:00:00Z');
  const { db } = services;
  for (const { personId } of [mia, ruth, jo]) await stopMails(db, { personId, stops: 'all' });
  expect(await listChoices(db, mia.personId, 'admin')).toMatchObject({ visits: 'never', confirmations: 'six' });
  await waiting();
  await apply();
  await newFinding(db, jo.personId);
  const { id: weighbridge } = await newReference(db, mia.personId, 'Pindari Flat');
  const { id: withdrawal } = await newWithdrawal(db, mia.personId, weighbridge);
  const by = await db.transaction().execute((tx) => findOrAddActor(tx, mia));
  const asked = await newFinding(db, jo.personId, { state: 'asked', by });
  const mails = await look('2027-11-23T20:00:00Z');
  expect(mails.map(({ to }) => to).toSorted()).toEqual([jo.email, ruth.email]);
  const textTo = (email: string) => mails.find(({ to }) => to === email)?.text ?? '';
  expect(textTo(ruth.email)).toMatch(
    /^Hello Ruth,\n\n1 proposal needs a second admin\n {2}Pindari Flat {2}Withdraw for /,
  );
  expect(textTo(ruth.email)).toContain(`https://registry.example/references/recalls/${withdrawal}`);
  expect(textTo(jo.email)).toContain(`https://registry.example/my-patterns/${asked}`);
  expect(textTo(jo.email)).not.toMatch(/axle|readings|p =/);
  // The database holds what the page refuses too.
  await expect(choose(db, mia.personId, { confirmations: 'often' as 'six' })).rejects.toThrow(/tell_choice/);
});

test('mails and jobs that failed', async () => {
  services.setNow('2027-11-24T02:00:00Z');
  const { db } = services;
  const failed = { recipient: 'gone@yard.example', facts: '{}', lastError: 'no such user', givenUpAt: services.now() };
  const ids = await db
    .insertInto('mail')
    .values(['password-reset', 'digest', 'digest'].map((kind) => ({ kind, ...failed })))
    .returning('id')
    .execute();
  await db
    .insertInto('job')
    .values({ name: 'sweeping', everyMs: 1000, node: 'one', ranAt: services.now(), error: 'disk full' })
    .execute();
  services.setNow(later(1));
  expect(await sendDigests(services, () => false)).toBe(2);
  const kept = db.deleteFrom('mail').where('givenUpAt', 'is not', null);
  const mails = await db.selectFrom('mail').selectAll().where('givenUpAt', 'is', null).execute();
  expect(mails).toHaveLength(2);
  expect(await sendDigests(services, () => false)).toBe(0);
  const text = await db.transaction().execute(async (tx) => composeMail(services)(tx, mails[0] ?? never()));
  expect(text?.text).toContain('2 mails failed\n  gone@yard.example  A mail was not sent: no such user\n');
  expect(text?.text).toContain('1 job failed\n  Sweeping  disk full\n  https://registry.example/settings/jobs');
  expect(ids).toHaveLength(3);
  await kept.execute();
  await db.deleteFrom('job').execute();
});

test('a truck is told 30 and 14 days before it is due, and none that the mail of Monday has named', async () => {
  services.setNow('2027-11-10T02:00:00Z');
  const truck = await addDue('DUE1', '2027-12-20');
  // An admin chooses nothing of trucks, and hears of none.
  await addDue('DUE2', '2027-12-20', mia);
  expect(await look('2027-11-18T20:00:00Z')).toEqual([]);
  const [mail, ...others] = await look('2027-11-19T20:00:00Z');
  expect(others).toEqual([]);
  expect(mail?.text).toContain('1 truck of yours is due\n  DUE1  Due on 20 December 2027.');
  for (const day of ['2027-11-21', '2027-11-28', '2027-12-04']) expect(await look(`${day}T20:00:00Z`)).toEqual([]);
  expect(await look('2027-12-05T20:00:00Z')).toHaveLength(1);
  expect(await look('2027-12-06T20:00:00Z')).toEqual([]);
  // A Monday.
  await services.db
    .updateTable('vehicle')
    .set({ nextCalibrationDueOn: '2028-01-12' })
    .where('id', '=', truck)
    .execute();
  services.setNow('2027-12-13T19:30:00Z');
  expect(await sendWeeklyMails(services, () => false)).toBe(1);
  expect((await look('2027-12-13T19:31:00Z')).map(({ subject }) => subject)).toEqual([
    '1 truck of yours due: Registry',
  ]);
});

/** A truck that `who` has calibrated. */
async function addDue(rego: string, nextCalibrationDueOn: string, who = jo): Promise<string> {
  const added = await addDueTruck(services.db, { rego, nextCalibrationDueOn, who });
  await enterLeaves(services.db);
  return added;
}

test('two looks at one moment tell once', async () => {
  services.setNow('2027-12-25T02:00:00Z');
  await waiting();
  services.setNow(later(1));
  const told = await Promise.all(Array.from({ length: 4 }, () => sendDigests(services, () => false)));
  // Jo hears of the truck of the test before, whose mark is gone.
  expect(told.reduce((sum, one) => sum + one)).toBe(3);
  const mails = await takeMails(services);
  expect(mails.map(({ to }) => to).toSorted()).toEqual([jo.email, mia.email, ruth.email]);
});

function never(): never {
  throw new Error('no mail');
}
