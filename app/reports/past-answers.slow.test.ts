// What was said of one truck on a day, wherever it is asked for: page, API, list, combination, paper. The truck's visit
// was set aside later, and its plate changed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { answerCombination } from '#app/combination/answer-combination.server.ts';
import { receiptFile } from '#app/combination/receipt-file.server.ts';
import { checkList } from '#app/check-list/check-list.server.ts';
import { askedDay } from '#app/check-list/asked-day.server.ts';
import { addDays, instantOfDay } from '#app/platform/time/calendar.ts';
import { utf8 } from '#app/tlog/bytes.ts';
import { nodeSha256 } from '#app/tlog/sha256.server.ts';
import { keepSignedDay } from '#app/transparency-log/log-of-day.server.ts';
import { openLogFolder } from '#app/transparency-log/log-folder.server.ts';
import { logKey } from '#app/transparency-log/log-key.server.ts';
import { publishLog } from '#app/transparency-log/publish.server.ts';
import { pastPage, readPast } from '#app/vehicle-page/past-page.server.ts';
import { readPastProof } from '#app/vehicles/past-proof.ts';
import { decideVisit } from '#app/visits/decide-visit.server.ts';
import { apiApp } from '#server/api.ts';
import { hasPaperReaders, textOf } from '#test/paper-readers.ts';
import { openGround, setClock, ZONE, type Ground } from '#test/past-histories.ts';
import { replateTo } from '#test/plates.ts';
import { enforce } from '#test/policy.ts';
import { recordHonestSet, visitsOf } from '#test/visits.ts';
import { addTruck } from '#test/withdrawals.ts';
import { answerReport } from './answer-report.server.ts';

let ground: Ground;
let day: string;

async function publish(): Promise<void> {
  const { services } = ground;
  const [key, folder] = [await logKey(services.config), openLogFolder(services.config)];
  await publishLog({ db: services.db, folder, key });
  await keepSignedDay(services.db, { folder, key: key.verifier, zone: ZONE, at: services.now() });
}

async function nextDay(): Promise<void> {
  ground.day = addDays(ground.day, 1);
  await setClock(ground, 10);
}

beforeAll(async () => {
  ground = await openGround();
  const { services, admins, tech } = ground;
  ({ day } = ground);
  await addTruck(services, admins[0], 'PAST1');
  await recordHonestSet(services, tech, 'PAST1');
  await publish();
  await nextDay();
  const [visit] = await visitsOf(services, 'PAST1');
  const input = { decision: 'set-aside', reason: 'wrong-truck', note: '', openedState: visit?.state ?? '' } as const;
  const moment = { now: services.now(), key: undefined };
  expect(await decideVisit(services.db, admins[1], { visitId: visit?.id ?? '', input, ...moment })).toMatchObject({
    decided: true,
  });
  await nextDay();
  await enforce(services.db, { dueSoonDays: 50 });
  await replateTo(services, admins[0], 'PAST1', { text: 'LATER1', state: 'NSW' });
  await nextDay();
  await publish();
});
afterAll(() => ground.services.stop());

async function pageOn(rego: string, on: string) {
  const found = await readPast(ground.services, rego, on);
  if ('none' in found) throw new Error(found.none);
  return pastPage(ground.services, found);
}

test('the page says what it said, what proves it, and what was changed since', async () => {
  const page = await pageOn('PAST1', day);
  expect(page).toMatchObject({
    rego: 'PAST1',
    judgement: { word: 'Valid' },
    policyVersion: 1,
    now: 'LATER1',
    changed: 2,
    mismatches: [],
    log: { signed: expect.stringContaining('8:00 am') },
  });
  expect(page.sentence).toMatch(
    /^At the end of that day the registry said: next calibration due on .*, in 182 days\.$/,
  );
  expect(page.visits[0]?.rows.map(({ axle }) => axle)).toEqual(['Steer', 'Drive']);
  const words = page.changes.map((change) => change.words).join(' ');
  expect(words).toContain('was set aside: recorded on the wrong truck. The answer above rested on it.');
  expect(words).toContain('A vehicle’s plate was changed');
  expect((await pageOn('PAST1', addDays(day, 1))).judgement.word).toBe('Not validated');
  expect((await pageOn('PAST1', addDays(day, 1))).log?.signed).toBe('not signed that day');
  // By the plate of now it is found under the one of then, and by that it is another truck's, or none's, later.
  expect((await pageOn('LATER1', day)).rego).toBe('PAST1');
  expect((await pageOn('PAST1', addDays(day, 2))).rego).toBe('LATER1');
});

test('the API says the same, and its proof verifies', async () => {
  const api = apiApp(ground.services);
  const said = await (await api.request(`/vehicles/PAST1/on/${day}`)).json();
  expect(said).toMatchObject({ rego: 'PAST1', on: day, verdict: 'valid', policy_version: 1, rego_today: 'LATER1' });
  const file = await (await api.request(`/vehicles/PAST1/on/${day}/proof`)).text();
  const { verifier: key } = await logKey(ground.services.config);
  const answer = await readPastProof(nodeSha256, utf8(file), { key, zone: ZONE, rego: 'PAST1' });
  expect(answer).toMatchObject({ result: 'proved', sentence: expect.stringContaining('it said “Valid”') });
  for (const [path, status, words] of [
    [`/vehicles/NOBODY/on/${day}`, 404, 'no vehicle had the rego NOBODY here'],
    ['/vehicles/PAST1/on/2020-01-01', 404, 'What was said before cannot be proved.'],
    [`/vehicles/PAST1/on/${ground.day}`, 404, 'That day is not over yet.'],
    ['/vehicles/PAST1/on/soon/proof', 404, 'This is no day.'],
  ] as const) {
    const refused = await api.request(path);
    expect([path, refused.status]).toEqual([path, status]);
    expect(z.object({ detail: z.string() }).parse(await refused.json()).detail).toContain(words);
  }
});

test('a list and a combination take the day too, without a colour', async () => {
  const { services } = ground;
  const lines = ['PAST1', 'LATER1', 'NOBODY'].map((text, place) => ({ number: place + 1, text, isHeading: false }));
  const asked = async (on: string) => {
    const found = await askedDay(services, on, lines.length);
    if ('refusal' in found) throw new Error(found.refusal);
    return checkList(services, lines, { show: '', page: 1, told: '', day: found });
  };
  const then = await asked(day);
  expect(then.rows.map(({ answer, verdict }) => [answer, verdict])).toEqual([
    ['It said “Valid”', null],
    ['Not found', null],
    ['Not found', null],
  ]);
  expect(then.asAt).toContain('the past, not today’s answer');
  expect((await asked('')).rows.map(({ verdict }) => verdict)).toEqual(['not-validated', 'not-validated', null]);
  // Today by its date is today, and looks so.
  expect(await asked(ground.day)).toMatchObject({ on: '', rows: [{ verdict: 'not-validated' }, {}, {}] });
  expect(await askedDay(services, '2020-01-01', 1)).toMatchObject({ refusal: expect.stringContaining('log began on') });
  expect(await askedDay(services, day, 1001)).toMatchObject({ refusal: expect.stringContaining('at most 1000 lines') });
  const combination = await answerCombination(services, ['PAST1'], day);
  expect(combination).toMatchObject({ ok: true, shown: { label: 'It said “Valid”', isPast: true, policyVersion: 1 } });
  expect(await answerCombination(services, ['LATER1'])).toMatchObject({ ok: true, shown: { policyVersion: 2 } });
  const early = await answerCombination(services, ['PAST1'], '2020-01-01');
  expect(early).toMatchObject({ ok: false, error: expect.stringContaining('log began on') });
  // What goes with a receipt is as at then, too.
  const end = instantOfDay(addDays(day, 1), ZONE).getTime() - 1;
  expect(combination).toMatchObject({ moment: new Date(end) });
  const query = new URLSearchParams({ unit: 'PAST1', on: '2020-01-01' });
  const none = await receiptFile(services, { file: 'receipt.pdf', query, origin: 'https://registry.example' });
  expect(await none.text()).toContain('log began on');
});

test('on paper it is marked as of the past', async () => {
  const asked = { client: '192.0.2.1', origin: 'https://registry.example' };
  const answer = await answerReport(ground.services, { file: `PAST1-on-${day}.pdf`, ...asked });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  const pdf = new Uint8Array(await answer.arrayBuffer());
  if (hasPaperReaders()) {
    const text = (await textOf(pdf)).join(' ').replaceAll(/\s+/g, ' ');
    for (const words of ['The past, ', 'It said “Valid”', 'This is not today’s answer', 'Since then: ', '/on/'])
      expect(text).toContain(words);
  }
  for (const file of ['PAST1-on-2020-01-01.pdf', `PAST1-on-${day}.csv`, 'PAST1-on-soon.pdf'])
    expect((await answerReport(ground.services, { file, ...asked })).status).toBe(404);
});
