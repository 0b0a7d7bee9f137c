import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { erasePerson } from '#app/people/erase-person.server.ts';
import { removeTechnician } from '#app/technicians/remove-technician.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { newFinding } from '#test/findings.ts';
import { addSignedIn } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { recordHonestSet } from '#test/visits.ts';
import { answerFinding, askTechnician, decideFinding, noteOpened } from './decide-finding.server.ts';
import { findingPage } from './finding-page.server.ts';
import { myFindings } from './my-findings.server.ts';

let services: TestServices;
let mia: SignedIn;
let noah: SignedIn;
let jo: SignedIn;
let id: string;
let visit: string;
let count = 0;

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  mia = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  noah = await addSignedIn(services, 'admin', 'noah@registry.example', 'Noah');
});
afterAll(() => services.stop());
beforeEach(async () => {
  services.setNow('2026-11-21T01:00:00Z');
  jo = await addSignedIn(services, 'technician', `jo${(count += 1)}@scales.example`, `Jo ${count}`);
  const rego = `FIND${count}`;
  await registerVehicle(services, mia, {
    input: vehicleInput({ rego, vin: `VIN${rego}`, axle_groups: 'STEER' }),
    choice: NO_FILES,
    key: undefined,
  });
  const recorded = await recordHonestSet(services, jo, rego);
  if (!recorded.recorded) throw new Error(recorded.reason);
  visit = recorded.setId;
  id = await newFinding(services.db, jo.personId, { visitIds: [visit] });
});

const acting = () => ({ db: services.db, now: services.now, zone: services.config.timeZone });
const decide = (who: SignedIn, outcome: Parameters<typeof decideFinding>[2]['outcome'], openedState = 'open') =>
  decideFinding(acting(), who, { id, outcome, words: 'Looked at.', openedState, key: undefined });
const page = (who: SignedIn, only: 'admins' | 'technician' = 'admins') => findingPage(services, who, { id, only });
const kinds = async () =>
  (
    await services.db.selectFrom('activityLog').select(['kind']).where('subjectId', '=', id).orderBy('index').execute()
  ).map(({ kind }) => kind);

test('the technician is asked first, answers, and then something is done', async () => {
  expect(await decide(mia, 'suspend')).toEqual({ done: false, reason: 'not-asked' });
  expect(await page(jo, 'technician')).toBeUndefined();
  expect(await askTechnician(acting(), mia, { id, key: undefined })).toEqual({ done: true });
  expect(await decide(mia, 'suspend', 'asked')).toEqual({ done: false, reason: 'not-asked' });
  expect(await page(jo, 'technician')).toMatchObject({ technician: jo.name, answerUntil: '5 December 2026' });
  expect(await answerFinding(acting(), jo, { id, words: 'Twins of one fleet.', key: undefined })).toEqual({
    done: true,
  });
  expect(await decide(mia, 'suspend', 'asked')).toEqual({ done: true });
  expect((await page(mia))?.steps.map(({ words, text }) => `${words}: ${text}`)).toEqual([
    'Technician asked: ',
    'Answer of the technician: Twins of one fleet.',
    'Technician suspended: Looked at.',
  ]);
  expect(await kinds()).toEqual(['pattern.asked', 'pattern.answered', 'pattern.decided']);
});

test('without an answer something is done after fourteen days', async () => {
  await askTechnician(acting(), mia, { id, key: undefined });
  services.setNow('2026-12-04T12:00:00Z');
  expect(await decide(mia, 'set-aside', 'asked')).toEqual({ done: false, reason: 'not-asked' });
  services.setNow('2026-12-05T12:00:00Z');
  expect(await decide(mia, 'set-aside', 'asked')).toEqual({ done: true });
});

test('what does nothing to anybody is decided at once, and once', async () => {
  expect(await decide(mia, 'explained')).toEqual({ done: true });
  expect(await decide(noah, 'watch')).toEqual({ done: false, reason: 'stale' });
  expect(await page(jo, 'technician')).toBeUndefined();
  expect(await myFindings(services.db, jo.personId)).toEqual([]);
});

test('anybody who recorded a visit, accepted one, or is meant, does not decide', async () => {
  const own = await newFinding(services.db, mia.personId, { visitIds: [visit] });
  expect(
    await decideFinding(acting(), mia, {
      id: own,
      outcome: 'watch',
      words: 'Me.',
      openedState: 'open',
      key: undefined,
    }),
  ).toEqual({
    done: false,
    reason: 'own-visits',
  });
  const { id: actorId } = await services.db
    .selectFrom('actor')
    .select('id')
    .where('personId', '=', noah.personId)
    .executeTakeFirstOrThrow();
  await services.db
    .insertInto('visitDecision')
    .values({ visitId: visit, decision: 'accepted', isAlone: false, decidedBy: actorId })
    .execute();
  expect(await decide(noah, 'watch')).toEqual({ done: false, reason: 'accepted-by-you' });
  expect(await decide(mia, 'watch')).toEqual({ done: true });
});

test('nobody else than the technician answers, and not before being asked', async () => {
  expect(await answerFinding(acting(), jo, { id, words: 'Now.', key: undefined })).toEqual({
    done: false,
    reason: 'unknown',
  });
  await askTechnician(acting(), mia, { id, key: undefined });
  expect(await answerFinding(acting(), noah, { id, words: 'For Jo.', key: undefined })).toEqual({
    done: false,
    reason: 'unknown',
  });
  expect(await page(noah, 'technician')).toBeUndefined();
});

test('who looks is noted once a day', async () => {
  await noteOpened(acting(), mia, id);
  await noteOpened(acting(), mia, id);
  services.setNow('2026-11-22T03:00:00Z');
  await noteOpened(acting(), mia, id);
  await noteOpened(acting(), noah, id);
  expect(await kinds()).toEqual(['pattern.opened', 'pattern.opened', 'pattern.opened']);
});

test('erasing a person leaves what came of it, and nothing that names them', async () => {
  await askTechnician(acting(), mia, { id, key: undefined });
  await answerFinding(acting(), jo, { id, words: 'It was me.', key: undefined });
  await decide(mia, 'explained', 'asked');
  expect(await removeTechnician(services, mia, { email: jo.email, key: undefined })).toMatchObject({ removed: true });
  expect(await erasePerson(services, mia, { personId: jo.personId, reason: 'on request' })).toMatchObject({
    erased: true,
  });
  expect(await page(mia)).toMatchObject({ technician: 'Erased person', state: 'decided', records: [] });
  const left = await services.db
    .selectFrom('patternFinding')
    .innerJoin('patternStep', 'findingId', 'patternFinding.id')
    .selectAll()
    .where('patternFinding.id', '=', id)
    .execute();
  expect(JSON.stringify(left)).not.toMatch(new RegExp(`It was me|Looked at|${jo.personId}|${visit}`));
});

test('a technician who left cannot be asked, and is decided about without an answer', async () => {
  await removeTechnician(services, mia, { email: jo.email, key: undefined });
  expect(await askTechnician(acting(), mia, { id, key: undefined })).toEqual({ done: false, reason: 'no-access' });
  expect(await decide(mia, 'set-aside')).toEqual({ done: true });
});
