// What the page, the API and the report say of what a verdict rests on.
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { correctionSchema } from '#app/recording/calibration-entry.ts';
import { closeExpired } from '#app/visits/close-visit.server.ts';
import { correctCalibration } from '#app/recording/correct-calibration.server.ts';
import { decideVisit } from '#app/visits/decide-visit.server.ts';
import { listCalibrations } from '#app/readings/queries.server.ts';
import type { Decision, DecisionReason } from '#app/visits/visit.ts';
import { findVehicle, type Vehicle } from '#app/vehicles/queries.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { updateVehicle } from '#app/vehicles/update-vehicle.server.ts';
import { exportVehicles } from '#app/vehicles/export-vehicles.server.ts';
import { apiApp } from '#server/api.ts';
import { enterLeaves } from '#test/leaves.ts';
import { reportOf } from '#test/reports.ts';
import { addSignedIn } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { recordHonestSet, recordSingles, type SetChange } from '#test/visits.ts';
import { uploadPhoto } from '#test/photos.ts';
import { newReference, newVerification } from '#test/references.ts';
import { allAnswers } from '#app/check-list/check-list.server.ts';
import { vehiclePage } from './vehicle-page.server.ts';

let services: TestServices;
let mia: SignedIn;
let tech: SignedIn;
let rego: string;
let count = 0;
const FAR = { DRIVE: { loaded_weight: '14000' } };
const OWN = 'Only the technician’s own figures.';

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  mia = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia Kowalski');
  tech = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
});
afterAll(() => services.stop());
beforeEach(async () => {
  services.setNow('2026-05-20T01:00:00Z');
  rego = `EVI${(count += 1)}`;
  await registerVehicle(services, mia, { input: form(), choice: NO_FILES, key: undefined });
});

const form = (more: Record<string, string> = {}) =>
  vehicleInput({
    rego,
    vin: `6T9EVI${count}`,
    scale_serial_number: `E${count}`,
    axle_groups: 'STEER DRIVE',
    calibration_validated: 'yes',
    ...more,
  });
async function vehicle(): Promise<Vehicle> {
  const found = await findVehicle(services.db, rego);
  if (found.state !== 'live') throw new Error(found.state);
  return found.vehicle;
}
async function page(who: SignedIn | null = null) {
  const found = await vehiclePage(services, rego, { asked: new URLSearchParams(), origin: 'http://localhost', who });
  if (found.state !== 'live') throw new Error(found.state);
  return found.page;
}
const json = async () => {
  const { evidence, waiting, waiting_total } = await (await apiApp(services).request(`/vehicles/${rego}`)).json();
  return { evidence, waiting, waiting_total };
};
const report = () => reportOf(services, rego);
async function decide(who: SignedIn, decision: Decision, reason: DecisionReason | '', openedState: string) {
  const { id } = await services.db
    .selectFrom('visit')
    .select('id')
    .where('vehicleId', '=', (await vehicle()).id)
    .orderBy('visitedOn', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  const input = { decision, reason, note: 'PRIVATE-NOTE', openedState };
  expect(
    await decideVisit(services.db, who, { visitId: id, input, now: services.now(), key: undefined }),
  ).toMatchObject({
    decided: true,
  });
}
const words = ({ line }: { line: { lead: string; rest: string } | null }) => `${line?.lead ?? ''}${line?.rest ?? ''}`;

test('a truck of which nothing is recorded rests on nothing', async () => {
  expect((await page()).evidence).toEqual({
    line: null,
    notes: [],
    ruling: null,
    waiting: null,
    lastCalibrated: null,
  });
  expect(await json()).toEqual({ evidence: null, waiting: [], waiting_total: 0 });
});

test('a first visit that counts rests on the technician’s own figures, and says so', async () => {
  await recordHonestSet(services, tech, rego, { weighbridge: 'Example Creek' });
  const { evidence, history, mismatches } = await page();
  expect(words(evidence)).toBe(
    `${OWN} No calibration before to compare it with · the technician names Example Creek weighbridge, which is not in the register`,
  );
  expect(evidence).toMatchObject({ notes: [], waiting: null, lastCalibrated: { day: '20 May 2026', remark: '' } });
  expect(evidence.ruling).toMatchObject({ visit: 'Visit of 20 May 2026', word: 'Counts', policyVersion: 1 });
  expect(evidence.ruling?.groups.map(({ title, checks }) => [title, checks.length])).toEqual([
    ['Required for a visit to count', 7],
    ['Noted only', 4],
  ]);
  expect(history.visits[0]?.state).toEqual({ state: 'counts', words: 'Counts' });
  expect(mismatches).toEqual([]);
  const answer = await json();
  expect(answer.evidence).toMatchObject({
    state: 'counts',
    visited_on: '2026-05-20',
    due_on: '2026-11-18',
    decision: null,
  });
  expect(answer.evidence?.checks[0]).toEqual({
    check: 'complete',
    name: 'Complete',
    rule: 'must',
    answer: 'passed',
    sentence: 'All 2 axle groups have their four readings: Steer, Drive.',
  });
});

test('a visit that waits is named with what differs, and the verdict stays on the one before', async () => {
  await recordHonestSet(services, tech, rego, { ticket_number: '40718' });
  const before = await page();
  services.setNow('2026-10-01T01:00:00Z');
  await recordHonestSet(services, tech, rego, { readings: FAR });
  const { evidence, judgement, nextDue, timeline } = await page();
  expect({ verdict: judgement.verdict, nextDue }).toEqual({ verdict: 'valid', nextDue: before.nextDue });
  expect(words(evidence)).toBe(`${OWN} No calibration before to compare it with · with a ticket number`);
  expect(evidence.notes).toHaveLength(1);
  expect(evidence.notes[0]?.lead).toMatch(
    /^A visit of 1 October 2026 waits for an administrator: Drive differs by [\d,]+\u00a0kg at 16,500\u00a0kg from 20 May 2026 \(limit 500\u00a0kg\)\.$/,
  );
  const card = evidence.waiting;
  expect(evidence.notes[0]?.card).toBe(card?.id);
  expect(card?.groups.map(({ title }) => title)).toEqual(['Why it waits', 'Noted only']);
  expect(card?.foot).toMatch(
    /^\d of 11 passed: complete, within the interval, .*\. Noted checks never hold a visit back\.$/,
  );
  expect(card?.groups[0]?.checks).toMatchObject([{ check: 'agrees', look: 'failed', answer: 'Failed' }]);
  expect(evidence.lastCalibrated?.day).toBe('20 May 2026');
  expect(await json()).toMatchObject({
    evidence: { state: 'counts', visited_on: '2026-05-20' },
    waiting: [{ state: 'waits', visited_on: '2026-10-01', why: [expect.stringMatching(/^Drive differs by/)] }],
  });
  expect(timeline.items).toContainEqual(
    expect.objectContaining({ words: 'Calibrated by Jo Nguyen: Steer, Drive. Waits' }),
  );
  const paper = await report();
  expect(paper.evidence.notes[0]?.lead).toBe(evidence.notes[0]?.lead);
  expect(paper.visits[0]?.state?.words).toBe('Waits');
  expect(paper.item).toContainEqual({ label: 'Last calibrated', value: '20 May 2026' });
});

const DRIVE = { empty_volt: '0.92', empty_weight: '4800', loaded_volt: '3.18', loaded_weight: '15660' };

test.each([
  [
    'a replaced sensor, that the technician says so',
    { begins: { DRIVE: 'sensor_replaced' as const } },
    'not compared with the calibration before: the technician says that the sensor was replaced',
  ],
  [
    'a scale that was adjusted, how far it was out',
    {
      extras: { as_found_empty: '4800', as_found_loaded: '15700' },
      readings: { DRIVE: { ...DRIVE, loaded_weight: '14900' } },
    },
    'The scale was 800\u00a0kg out when found, and was adjusted',
  ],
])('the public line says of %s', async (_what, change, said) => {
  await recordHonestSet(services, tech, rego, { readings: { DRIVE } });
  const first = words((await page()).evidence);
  expect(first).toContain('No calibration before to compare it with');
  expect(first).not.toContain('the technician says');
  services.setNow('2026-10-01T01:00:00Z');
  const visit = await recordHonestSet(services, tech, rego, change);
  if (visit.recorded && visit.state === 'waits') await decide(mia, 'accepted', 'sensor-replaced', 'waits');
  const now = words((await page()).evidence);
  expect(now.toLowerCase()).toContain(said.toLowerCase());
  expect(now).not.toContain('agree');
});

test('alone an admin says that nobody else looked; beside another, that another looked; the public reads no name and no note', async () => {
  await recordHonestSet(services, tech, rego);
  services.setNow('2026-10-01T01:00:00Z');
  await recordHonestSet(services, tech, rego, { readings: FAR });
  // No kilograms by figures that wait.
  expect((await page()).lines?.shown?.day).toBe('20 May 2026');
  await decide(mia, 'accepted', 'sensor-replaced', 'waits');
  expect(words((await page()).evidence)).toContain(
    `${OWN} 1 of 2 axles agree with the calibration before · accepted by the only administrator, so nobody else looked: sensor replaced`,
  );
  const noa = await addSignedIn(services, 'admin', 'noa@registry.example', 'Noa Levi');
  expect((await page()).lines?.shown?.day).toBe('1 October 2026');
  await decide(noa, 'set-aside', 'does-not-fit', 'accepted');
  const aside = await page();
  // Neither its lines nor kilograms by them: the figures do not fit this truck.
  expect([aside.lines?.shown?.day, (await report()).lines?.day]).toEqual(['20 May 2026', '20 May 2026']);
  expect(aside.evidence.notes).toMatchObject([
    { look: 'other', lead: 'A visit of 1 October 2026 was set aside: the figures do not fit this truck.' },
  ]);
  expect(aside.history.visits[0]?.state).toEqual({
    state: 'set-aside',
    words: 'Set aside: The figures do not fit this truck',
  });
  expect(aside.evidence.lastCalibrated?.day).toBe('20 May 2026');
  await decide(noa, 'accepted', 'weighed-again', 'set-aside');
  const shown = await page();
  expect(words(shown.evidence)).toMatch(
    /accepted by an administrator who did not record it: weighed again with the same result$/,
  );
  expect(shown.evidence.ruling?.about).toBe(
    'Accepted by an administrator who did not record it: weighed again with the same result. Decided on 1 October 2026. Next calibration due on 1 April 2027.',
  );
  expect(shown.timeline.items.flatMap((item) => (item.kind === 'decision' ? item.words : []))).toEqual([
    'Visit of 1 Oct 2026: accepted',
    'Visit of 1 Oct 2026: set aside',
    'Visit of 1 Oct 2026: accepted',
  ]);
  expect((await json()).evidence?.decision).toMatchObject({
    decision: 'accepted',
    reason: 'weighed-again',
    only_administrator: false,
    administrator_added_days: null,
  });
  const seenByAll = JSON.stringify([shown, await json(), await report()]);
  expect(seenByAll).not.toMatch(/Noa|Mia|PRIVATE-NOTE/);
  expect(words((await page(mia)).evidence)).toContain('by an administrator (Noa Levi) who did not record it');
  expect(JSON.stringify(await page(mia))).not.toContain('PRIVATE-NOTE');
});

test('readings without a visit are taken over; single readings that miss some are partial', async () => {
  const { id } = await vehicle();
  const at = new Date('2025-03-03T01:00:00Z');
  await services.db
    .insertInto('calibration')
    .values({
      rego,
      id: at.getTime(),
      vehicleId: id,
      axle: 'STEER',
      attribute: 'Empty Volt',
      value: '0.8',
      calibratedAt: at,
      origin: 'imported',
    })
    .execute();
  await sql`update vehicle set last_calibrated_at = ${at}, next_calibration_due_on = '2026-06-01' where id = ${id}`.execute(
    services.db,
  );
  await enterLeaves(services.db);
  const former = 'Taken over from the former register · not held against the checks of visits';
  const before = await page();
  expect(words(before.evidence)).toBe(former);
  expect(before.evidence.ruling).toMatchObject({ word: 'Taken over', groups: [], visit: 'Up to 3 March 2025' });
  expect(before.history.visits[0]?.state?.words).toBe('Taken over');
  expect((await json()).evidence).toMatchObject({ visit: null, state: 'taken-over', visited_on: '2025-03-03' });
  await recordSingles(services, tech, rego, 'STEER');
  expect((await page()).evidence.notes[0]?.lead).toBe('A visit of 20 May 2026 is still being recorded.');
  services.setNow('2026-05-21T01:00:00Z');
  await closeExpired(services.db, { now: services.now(), zone: 'Australia/Sydney' });
  const after = await page();
  expect(words(after.evidence)).toBe(former);
  expect(after.evidence.notes).toMatchObject([
    { lead: 'A visit of 20 May 2026 is partial: Drive has 0 of its 4 readings.', card: null },
  ]);
  expect(after.history.visits.map(({ state }) => state?.words)).toEqual(['Partial: Steer only', 'Taken over']);
  expect((await json()).evidence).toMatchObject({ visit: null, state: 'taken-over', visited_on: '2025-03-03' });
});

test('where none counts, the last calibration is the last recorded, and the page says so', async () => {
  await recordSingles(services, tech, rego, 'STEER');
  expect((await page()).evidence).toMatchObject({
    line: null,
    ruling: null,
    lastCalibrated: { day: '20 May 2026', remark: 'does not count' },
  });
});

test('a due date that an admin set says so', async () => {
  await recordHonestSet(services, tech, rego);
  const { version } = await vehicle();
  const input = form({ next_calibration_due: '2026-08-01', reason: 'Wear', version: String(version) });
  expect(await updateVehicle(services, mia, { rego, input, choice: NO_FILES, key: undefined })).toMatchObject({
    updated: true,
  });
  const { evidence, nextDue } = await page();
  expect(nextDue).toBe('1 August 2026');
  expect(words(evidence)).toMatch(/ · due date set by hand$/);
  expect(evidence.ruling?.about).toContain('Next calibration due on 1 August 2026, set by hand.');
  expect((await json()).evidence).toMatchObject({ due_on: '2026-08-01', set_by_hand: true });
});

test('a due date that was kept from a visit, which a correction ended, says so', async () => {
  await recordHonestSet(services, tech, rego);
  services.setNow('2026-05-21T01:00:00Z');
  await recordHonestSet(services, tech, rego, { due_date: '2026-08-01' });
  const wrong = await listCalibrations(services.db, (await vehicle()).id);
  const id = wrong.find(({ attribute, dueOn }) => attribute === 'Empty Volt' && dueOn === '2026-08-01')?.id ?? 0;
  const input = correctionSchema.parse({
    axle: 'STEER',
    attribute: 'Empty Volt',
    value: '11',
    reason: 'Typed wrong',
    due_date: '2026-08-01',
  });
  const moment = { now: services.now(), zone: 'Australia/Sydney', key: undefined };
  await correctCalibration(services.db, tech, { rego, id, input, ...moment });
  const { evidence, nextDue } = await page();
  expect(nextDue).toBe('1 August 2026');
  expect(words(evidence)).toMatch(
    / · due date kept from a later visit that was corrected, so that no visit states it$/,
  );
  expect(evidence.ruling?.about).toContain(
    'on 1 August 2026, kept from a later visit that was corrected, so that no visit states it.',
  );
  expect((await json()).evidence).toMatchObject({ due_on: '2026-08-01', set_by_hand: false });
});

test('a visit or a decision that was altered behind the log shows as one that differs from it', async () => {
  await recordHonestSet(services, tech, rego);
  services.setNow('2026-10-01T01:00:00Z');
  await recordHonestSet(services, tech, rego, { readings: FAR });
  await decide(mia, 'set-aside', 'does-not-fit', 'waits');
  expect((await page()).mismatches).toEqual([]);
  const alter = (statement: ReturnType<typeof sql>) =>
    services.db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      await statement.execute(tx);
    });
  const { id: vehicleId } = await vehicle();
  const own = sql`select id from visit where vehicle_id = ${vehicleId}`;
  // What a page found stays said, until a check of the whole history finds nothing.
  const forget = () => services.db.deleteFrom('historyCheck').execute();
  await alter(sql`update visit set state = 'accepted' where state = 'set-aside' and id in (${own})`);
  expect((await page()).mismatches).toEqual([expect.stringMatching(/^visit .*: its state is not what was logged/)]);
  await alter(sql`update visit set state = 'set-aside' where state = 'accepted' and id in (${own})`);
  expect((await page()).mismatches).toEqual([expect.stringMatching(/^visit .*: its state is not what was logged/)]);
  await forget();
  expect((await page()).mismatches).toEqual([]);
  await alter(sql`update visit_decision set reason = 'asked-for' where visit_id in (${own})`);
  expect((await page()).mismatches).toEqual([
    expect.stringMatching(/^visit_decision .*: its reason is not what was logged/),
  ]);
  await alter(sql`update visit_decision set reason = 'does-not-fit' where visit_id in (${own})`);
  await forget();
  await alter(sql`delete from visit where state = 'counts' and id in (${own})`);
  expect((await page()).mismatches).toEqual([expect.stringMatching(/^visit .* the record is gone/)]);
});

test('a trailer that was not behind the truck: the public line, the history, the API and the report say so', async () => {
  await registerVehicle(services, mia, {
    input: form({ rego: 'TRAILING', vin: 'T1', scale_serial_number: '', axle_groups: 'STEER TRAILERA' }),
    choice: NO_FILES,
    key: undefined,
  });
  rego = 'TRAILING';
  expect(await recordHonestSet(services, tech, rego, { axles: ['STEER'], not_behind: 'TRAILERA' })).toMatchObject({
    state: 'counts',
  });
  const { evidence, history } = await page();
  expect(words(evidence)).toContain('Trailer A not behind the truck, the technician says');
  expect(history.visits.map(({ beside }) => beside).join('')).toContain('Trailer A not behind the truck');
  const sets = await (await apiApp(services).request(`/vehicles/${rego}/sets`)).json();
  expect(sets.items).toMatchObject([{ axle_type: 'STEER', not_behind: ['TRAILERA'], matches_log: true }]);
  expect(JSON.stringify(await report())).toContain('Trailer A not behind the truck');
});

test('a register weighbridge and a number that anybody can type are no evidence: a photo with them is', async () => {
  const { id, name } = await newReference(services.db, mia.personId, 'Example Creek');
  await newVerification(services.db, mia.personId, id, {});
  const named = { weighbridge: name, reference_id: id };
  const short = async () =>
    (await allAnswers(services.db, [{ number: 1, text: rego, isHeading: false }], '2026-06-30')).map((answer) =>
      answer.kind === 'found' ? answer.restsOn : answer.kind,
    );
  const said = async (change: SetChange) => {
    services.setNow(`2026-05-${(day += 1)}T01:00:00Z`);
    expect(await recordHonestSet(services, tech, rego, change)).toMatchObject({ state: 'counts' });
    return [words((await page()).evidence).startsWith(OWN), ...(await short())];
  };
  let day = 20;
  const own = [true, 'Only the technician’s own figures'];
  expect(await said({ ...named, ticket_number: '40718' })).toEqual(own);
  expect(await said({ photo: await uploadPhoto(services, tech, '#101010') })).toEqual(own);
  const ofTicket = { ticket_number: '40719', photo: await uploadPhoto(services, tech, '#205020') };
  expect(await said(ofTicket)).toEqual([false, '2 of 2 axles agree']);
  expect(await said({ ...named, photo: await uploadPhoto(services, tech, '#602060') })).toEqual([
    false,
    '2 of 2 axles agree, verified weighbridge',
  ]);
  // The same picture again shows nothing of this visit.
  expect(await said({ ...named, photo: await uploadPhoto(services, tech, '#602060') })).toEqual(own);
});

test('the last calibration of API and CSV is that of the visit that rules, as on the page', async () => {
  await recordHonestSet(services, tech, rego);
  services.setNow('2026-06-01T01:00:00Z');
  await recordHonestSet(services, tech, rego, { readings: FAR });
  const { last_calibrated_at: at } = await (await apiApp(services).request(`/vehicles/${rego}`)).json();
  expect([at, (await page()).evidence.lastCalibrated?.day]).toEqual(['2026-05-20T01:00:00.000Z', '20 May 2026']);
  const url = new URL(`https://registry.example/vehicles/export?rego=${rego}`);
  const [names = '', row = ''] = (await (await exportVehicles(services, url, url.origin)).text()).split('\r\n');
  expect(row.split(',')[names.split(',').indexOf('last_calibrated_at')]).toBe(at);
});

test('where nothing counts, API and CSV name no last calibration, as the page says that the newest does not count', async () => {
  await recordHonestSet(services, tech, rego, { readings: { STEER: { loaded_volt: '0.10' } } });
  const { last_calibrated_at: at } = await (await apiApp(services).request(`/vehicles/${rego}`)).json();
  expect([at, (await page()).evidence.lastCalibrated?.remark]).toEqual([null, 'does not count']);
  const url = new URL(`https://registry.example/vehicles/export?rego=${rego}`);
  const [names = '', row = ''] = (await (await exportVehicles(services, url, url.origin)).text()).split('\r\n');
  expect(row.split(',')[names.split(',').indexOf('last_calibrated_at')]).toBe('');
});
