// The life of a report, and what nobody learns of who sent it.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { decideVisit } from '#app/visits/decide-visit.server.ts';
import { erasePerson } from '#app/people/erase-person.server.ts';
import { eraseReporter } from '#app/people/erase-reporter.server.ts';
import { answerReport } from '#app/reports/answer-report.server.ts';
import { removeTechnician } from '#app/technicians/remove-technician.server.ts';
import { vehiclePage } from '#app/vehicle-page/vehicle-page.server.ts';
import { differencesFromLog } from '#test/leaves.ts';
import { addSeen } from '#test/people.ts';
import { takeMails } from '#test/queued-mails.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { publicVerdict, recordHonestSet, visitsOf } from '#test/visits.ts';
import { addTruck, addWeighbridge } from '#test/withdrawals.ts';
import { asOffice, asTechnician, report, REPORTER, REPORTER_BY_MAIL, take } from '#test/wrong-records.ts';
import { keepReports } from './keep-reports.server.ts';
import { reportsOfAddress, reportsPage } from './lists.server.ts';
import { openReports } from './open-reports.server.ts';
import { actsSince, findLink, findReport, partsIn } from './queries.server.ts';
import { PER_ADDRESS, PER_CLIENT, takeTry } from './receive-report.server.ts';
import { reportPage } from './report-page.server.ts';

let services: TestServices;
let mia: SignedIn;
let noah: SignedIn;
let jo: SignedIn;
let rego: string;
let visit: string;
let count = 0;

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  mia = await addSeen(services, 'admin', 'mia@registry.example', 'Mia');
  noah = await addSeen(services, 'admin', 'noah@registry.example', 'Noah');
});
afterAll(() => services.stop());
beforeEach(async () => {
  services.setNow('2026-12-01T01:00:00Z');
  rego = `WRONG${(count += 1)}`;
  jo = await addSeen(services, 'technician', `jo${count}@scales.example`, `Jo ${count}`);
  await addTruck(services, mia, rego);
  const recorded = await recordHonestSet(services, jo, rego);
  if (!recorded.recorded) throw new Error(recorded.reason);
  visit = recorded.setId;
  services.setNow('2026-12-01T02:00:00Z');
  await takeMails(services);
});

const DONE = { done: true };
const no = (reason: string) => ({ done: false, reason });
const about = () => ({ vehicle: rego, visit });
const stored = async (id: string) => {
  const found = await findReport(services.db, id);
  if (found === undefined) throw new Error('the report is gone');
  return found;
};
const pageOf = async (id: string, by: Parameters<typeof reportPage>[2]) => reportPage(services, id, by);
async function shown() {
  const found = await vehiclePage(services, rego, { asked: new URLSearchParams(), origin: '', who: null });
  if (found.state !== 'live') throw new Error(found.state);
  const note = found.page.evidence.notes.find(({ look }) => look === 'report');
  const item = found.page.timeline.items.find((one) => 'words' in one && one.words.startsWith('A report'));
  return { note: note?.lead ?? null, item: item !== undefined && 'words' in item ? item.words : null };
}
/** Confirmed, and with the technician. */
async function askedReport(email: string): Promise<string> {
  const { id } = await report(services, about(), { email });
  expect(await take(services, REPORTER_BY_MAIL, id, 'confirmed')).toEqual(DONE);
  expect(await take(services, asOffice(noah), id, 'asked')).toEqual(DONE);
  return id;
}
async function setAside() {
  const [{ state: openedState } = { state: 'counts' }] = await visitsOf(services, rego);
  const input = { decision: 'set-aside', reason: 'not-shown', note: '', openedState } as const;
  return decideVisit(services.db, noah, { visitId: visit, input, now: services.now(), key: undefined });
}

test('a report is received, confirmed, asked, answered, decided with the act behind it, and closes', async () => {
  const before = await publicVerdict(services, rego);
  const { id } = await report(services, about());
  expect(await take(services, { as: 'reporter', byMail: false }, id, 'confirmed')).toEqual(no('unknown'));
  expect(await shown()).toEqual({ note: null, item: null });
  expect(await take(services, REPORTER_BY_MAIL, id, 'confirmed')).toEqual(DONE);
  expect(await shown()).toEqual({ note: null, item: null });
  expect(await take(services, asOffice(noah), id, 'decided', { decision: 'right' })).toEqual(no('stale'));
  expect(await take(services, asTechnician(jo), id, 'answered')).toEqual(no('unknown'));
  expect(await take(services, asOffice(noah), id, 'asked')).toEqual(DONE);
  expect(await shown()).toEqual({ note: 'A report is open since 1 December 2026.', item: null });
  expect(await publicVerdict(services, rego)).toEqual(before);
  expect(await take(services, asOffice(noah), id, 'decided', { decision: 'right' })).toEqual(no('not-answered'));
  expect(await take(services, asTechnician(jo), id, 'answered', { words: 'It was the 13th.' })).toEqual(DONE);
  expect(await take(services, asOffice(noah), id, 'decided', { decision: 'set-aside' })).toEqual(no('no-act'));
  expect(await setAside()).toMatchObject({ decided: true });
  expect(await actsSince(services.db, await stored(id))).toMatchObject([{ kind: 'visit.set-aside', name: 'Noah' }]);
  expect(await take(services, asOffice(noah), id, 'decided', { decision: 'set-aside' })).toEqual(DONE);
  expect(await shown()).toEqual({
    note: null,
    item: 'A report about the visit of 1 Dec 2026 was decided: the visit was set aside.',
  });
  const page = await pageOf(id, REPORTER_BY_MAIL);
  expect(page).toMatchObject({
    heading: 'Decided: the visit was set aside',
    lead: 'On 1 December 2026, by an administrator who had no part in it.',
    may: ['second-look'],
  });
  expect(page.said.map(({ who }) => who)).toEqual(['You', 'The office']);
  services.setNow('2027-01-02T01:00:00Z');
  expect(await pageOf(id, REPORTER_BY_MAIL)).toMatchObject({ heading: 'Closed', may: [] });
  expect((await differencesFromLog(services.db)).filter((sentence) => sentence.includes('report'))).toEqual([]);
});

test('nobody decides who recorded or accepted it, or decided it before; the second look is another admin’s', async () => {
  await recordHonestSet(services, mia, rego);
  const { rows } = await sql<{
    id: string;
  }>`select id from visit where vehicle_id = (select vehicle_id from visit where id = ${visit})
    order by opened_at desc`.execute(services.db);
  const own = rows.find(({ id }) => id !== visit)?.id ?? '';
  const { id } = await report(services, { vehicle: rego, visit: own });
  await take(services, REPORTER_BY_MAIL, id, 'confirmed');
  for (const step of ['asked', 'spam'] as const)
    expect(await take(services, asOffice(mia), id, step)).toEqual(no('not-yours'));
  expect((await reportsPage(services, mia.personId, { state: 'open', text: rego, page: 1 })).list.items).toMatchObject([
    { notYours: 'you recorded it' },
  ]);
  expect(await take(services, asOffice(noah), id, 'asked')).toEqual(DONE);
  await take(services, asTechnician(mia), id, 'answered');
  expect(await take(services, asOffice(mia), id, 'decided', { decision: 'right' })).toEqual(no('not-yours'));
  expect(await take(services, asOffice(noah), id, 'decided', { decision: 'right' })).toEqual(DONE);
  expect(await take(services, REPORTER_BY_MAIL, id, 'second-look')).toEqual(DONE);
  // Both had a part now, so nobody without one is left.
  expect(await take(services, asOffice(noah), id, 'decided', { decision: 'right' })).toEqual(DONE);
  expect(await take(services, REPORTER_BY_MAIL, id, 'second-look')).toEqual(no('second-look-used'));
  expect((await pageOf(id, REPORTER_BY_MAIL)).lead).toContain(
    'by the only administrator, who had a part in the record',
  );
});

test('sent twice it is one report and one step; of two admins at once one decides', async () => {
  const key = randomUUID();
  const [one, two] = await Promise.all([report(services, about(), { key }), report(services, about(), { key })]);
  expect(one.id).toBe(two.id);
  expect(one.token).not.toBe(two.token);
  const again = { key: randomUUID(), words: '' };
  expect(await take(services, REPORTER_BY_MAIL, one.id, 'confirmed', again)).toEqual(DONE);
  expect(await take(services, REPORTER_BY_MAIL, one.id, 'confirmed', again)).toEqual(DONE);
  await take(services, asOffice(noah), one.id, 'asked');
  await take(services, asTechnician(jo), one.id, 'answered');
  const decided = { decision: 'right' } as const;
  const answers = await Promise.all(
    [mia, noah].map((who) => take(services, asOffice(who), one.id, 'decided', decided)),
  );
  expect(answers.toSorted((a, b) => Number(b.done) - Number(a.done))).toEqual([DONE, no('stale')]);
});

test('no leaf, activity or other person’s mail has the reporter’s address, words or token', async () => {
  const { id, token } = await report(services, about());
  await take(services, REPORTER_BY_MAIL, id, 'confirmed');
  await take(services, REPORTER_BY_MAIL, id, 'added', { words: REPORTER.words });
  await take(services, asOffice(noah), id, 'asked');
  await take(services, asTechnician(jo), id, 'answered');
  await take(services, asOffice(noah), id, 'decided', { decision: 'right' });
  const secrets = [REPORTER.email, 'malleegrain', REPORTER.words, token];
  const { rows } = await sql<{ text: string }>`select entry as text from log_leaf
    union all select value::text from leaf_opening
    union all select d.details || coalesce(d.changes::text, '') || l.subject_id || l.topics::text
      from activity_log l join activity_detail d using (index)`.execute(services.db);
  const mails = await takeMails(services);
  const others = mails.filter(({ to }) => to !== REPORTER.email).map(({ text, html }) => text + html);
  for (const text of [...rows.map((row) => row.text), ...others])
    for (const secret of secrets) expect(text).not.toContain(secret);
  const own = mails.filter(({ to }) => to === REPORTER.email);
  expect(own).toHaveLength(3);
  for (const { text } of own) expect(text).not.toContain(REPORTER.words);
  const [link = ''] = /[\w-]{43}/.exec(own[0]?.text ?? '') ?? [];
  expect(await findLink(services.db, link, { now: services.now() })).toMatchObject({ reportId: id, byMail: true });
  expect(JSON.stringify(await pageOf(id, asOffice(noah)))).not.toContain('malleegrain');
  expect(JSON.stringify(await pageOf(id, asTechnician(jo)))).not.toContain('malleegrain');
});

test('the reporter is told after 30, 60 and 75 days, once each, and an unconfirmed report is deleted', async () => {
  const email = 'told@yard.example';
  const id = await askedReport(email);
  const { id: unread } = await report(services, about());
  await takeMails(services);
  const told = async (day: string) => {
    services.setNow(`${day}T03:00:00Z`);
    await keepReports(services);
    await keepReports(services);
    return (await takeMails(services)).filter(({ to }) => to === email).length;
  };
  expect(await told('2026-12-05')).toBe(0);
  expect(await findReport(services.db, unread)).toBeUndefined();
  expect([await told('2026-12-30'), await told('2026-12-31'), await told('2027-01-29')]).toEqual([0, 1, 0]);
  // Two days are missed: one mail.
  expect([await told('2027-02-20'), await told('2027-03-20')]).toEqual([1, 0]);
  expect(await pageOf(id, asOffice(noah))).toMatchObject({ isSoon: true });
});

test('a reporter is erased: address, words and links go, and what was decided stays', async () => {
  const email = 'erased@yard.example';
  const id = await askedReport(email);
  const { db } = services;
  await db.transaction().execute((tx) => eraseReporter(tx, sql`email = ${email}`));
  expect(await stored(id)).toMatchObject({ email: null, state: 'asked' });
  expect(await reportsOfAddress(services, email)).toEqual([]);
  expect((await pageOf(id, asOffice(noah))).said).toEqual([]);
  expect(await db.selectFrom('wrongReportLink').selectAll().where('reportId', '=', id).execute()).toEqual([]);
  expect(await takeMails(services)).toEqual([]);
  await take(services, asTechnician(jo), id, 'answered');
  expect(await take(services, asOffice(noah), id, 'decided', { decision: 'right' })).toEqual(DONE);
  expect(await takeMails(services)).toEqual([]);
  expect((await differencesFromLog(db)).filter((sentence) => sentence.includes('report'))).toEqual([]);
});

test('a technician is erased: their words go, and nobody is asked any more', async () => {
  const id = await askedReport(REPORTER.email);
  await take(services, asTechnician(jo), id, 'answered', { words: 'It was me.' });
  await removeTechnician(services, mia, { email: jo.email, key: undefined });
  expect(await erasePerson(services, mia, { personId: jo.personId, reason: 'asked' })).toMatchObject({ erased: true });
  expect(JSON.stringify(await pageOf(id, asOffice(noah)))).not.toContain('It was me.');
  expect(await stored(id)).toMatchObject({ personId: null });
});

test('a report taken back is open no more; one of a weighbridge stands on its page', async () => {
  const id = await askedReport(REPORTER.email);
  expect(await take(services, REPORTER_BY_MAIL, id, 'taken-back')).toEqual(DONE);
  expect(await shown()).toEqual({ note: null, item: null });
  const bridge = await addWeighbridge(services, mia, `Example Creek ${count}`);
  services.setNow('2026-12-01T03:00:00Z');
  const { id: other } = await report(services, { weighbridge: bridge.id }, { kind: 'other' });
  await take(services, REPORTER_BY_MAIL, other, 'confirmed');
  expect(await partsIn(services.db, await stored(other))).toMatchObject([{ name: 'Mia', part: 'changed' }]);
  // Nobody is to be asked, so the office has it.
  expect(await take(services, asOffice(noah), other, 'asked')).toEqual(DONE);
  expect(await stored(other)).toMatchObject({ state: 'opened' });
  expect(await openReports(services.db, ['reference_id', bridge.id])).toBe('A report is open since 1 December 2026.');
  expect((await differencesFromLog(services.db)).filter((sentence) => sentence.includes('report'))).toEqual([]);
});

test('one that is closed as spam is not called taken back', async () => {
  const email = 'spam@yard.example';
  const { id } = await report(services, about(), { email });
  await take(services, REPORTER_BY_MAIL, id, 'confirmed');
  expect(await take(services, asOffice(noah), id, 'spam')).toEqual(DONE);
  expect(await reportsOfAddress(services, email)).toMatchObject([{ state: 'Closed', due: '', on: '' }]);
});

test('a client and an address send so many an hour', async () => {
  const limited = { ...services, config: { ...services.config, rateLimits: true } };
  for (let n = 0; n < PER_ADDRESS.max; n += 1)
    expect(await takeTry(limited, `192.0.2.${n}`, 'fleet@yard.example')).toEqual({ allowed: true });
  expect(await takeTry(limited, '192.0.2.200', 'fleet@yard.example')).toMatchObject({ allowed: false });
  for (let n = 0; n < PER_CLIENT.max; n += 1) await takeTry(limited, '192.0.2.99');
  expect(await takeTry(limited, '192.0.2.99')).toMatchObject({ allowed: false });
  // A report as PDF has a limit of its own, which is of a minute.
  services.setNow('2026-12-01T02:02:00Z');
  const asked = { file: `${rego}.pdf`, client: '192.0.2.99', origin: 'https://registry.example' };
  expect((await answerReport(limited, asked)).status).toBe(200);
  expect(await takeTry(limited, '192.0.2.99')).toMatchObject({ allowed: false });
});
