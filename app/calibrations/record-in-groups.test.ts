// Concurrent calibrations are written in one batch. Each result is the same as if it had been written as a single.
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { enterFirstPolicy } from '#app/policy/enter-version.server.ts';
import { idempotencyKeyOf } from '#app/platform/database/idempotency-key.server.ts';
import { lockVehicle } from '#app/vehicles/queries.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { removeVehicle } from '#app/vehicles/remove-vehicle.server.ts';
import { differencesFromLog } from '#test/leaves.ts';
import { addPerson, addSignedIn } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { possibleIds } from '#test/reading-ids.ts';
import { READING_PLACES } from '#test/visits.ts';
import { calibrationSchema } from './calibration-entry.ts';
import { recordCalibration, type RecordAnswer } from './record-calibration.server.ts';

const NOW = new Date('2026-11-21T01:00:00Z');
const DAY_BEFORE = new Date('2026-11-20T01:00:00Z');
const FAILS = '666';
let services: TestServices;
let jo: SignedIn;
let sam: SignedIn;
let max: SignedIn;
let count = 0;
let regos: string[];

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  const { db } = services;
  await addPerson(db, 'admin', 'mia@registry.example', { name: 'Mia' });
  jo = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
  max = await addSignedIn(services, 'technician', 'max@scales.example', 'Max Roy');
  sam = await addSignedIn(services, 'technician', 'sam@scales.example', 'Sam Lee');
  await enterFirstPolicy(db);
  await sql`alter table calibration add constraint fails check (value <> ${sql.lit(FAILS)})`.execute(db);
});
afterAll(() => services.stop());
beforeEach(async () => {
  count += 1;
  regos = ['A', 'B', 'C'].map((letter) => `GRP${count}${letter}`);
  for (const rego of regos) await registerVehicle(services, jo, vehicleInput({ rego }), NO_FILES, undefined);
});

type More = { who?: SignedIn; key?: unknown; place?: number; value?: string; now?: Date };
// A visit has each axle and attribute once: `place` says which of the sixteen.
const inputOf = ({ place = 0, ...more }: Pick<More, 'place' | 'value'>) =>
  calibrationSchema('2026-11-21').parse({ ...READING_PLACES[place], value: '1', ...more });
const record = (rego: string, { who = jo, key = randomUUID(), now = NOW, ...more }: More = {}) =>
  recordCalibration(services.db, who, rego, inputOf(more), { now, zone: 'Australia/Sydney', key });
// Of vehicles that have had a visit: it was Max's, the day before.
const visited = async (...of: string[]) => {
  for (const rego of of) expect((await record(rego, { who: max, now: DAY_BEFORE })).recorded).toBe(true);
};
const addVisited = async (many: number) => {
  const added = Array.from({ length: many }, (_, n) => `GRP${count}N${n}`);
  for (const rego of added) await registerVehicle(services, jo, vehicleInput({ rego }), NO_FILES, undefined);
  await visited(...added);
  return added;
};
const idOf = (answer: RecordAnswer) => (answer.recorded ? answer.id : -1);

// Of the vehicles of this test: each reading of the day with its visit and the transaction that wrote it, and how many
// leaves and entries name it.
async function written() {
  const { rows } = await sql<{
    rego: string;
    id: number;
    value: string;
    name: string;
    visit: string;
    xid: string;
    leaves: number;
    entries: number;
  }>`
    select c.rego, c.id, c.value, a.name, c.visit_id as visit, c.xmin::text as xid,
      (select count(*) from record_leaf l where l.record_table = 'calibration' and l.record_key = c.rego || '/' || c.id) as leaves,
      (select count(*) from activity_log g where g.kind = 'calibration.recorded' and g.subject_id = c.rego || '/' || c.id) as entries
    from calibration c join actor a on a.id = c.technician_id
    where c.rego like ${`GRP${count}%`} and c.id >= ${NOW.getTime()} order by c.rego, c.id`.execute(services.db);
  return rows;
}

async function isProved() {
  expect(await differencesFromLog(services.db)).toEqual([]);
  const { rows } = await sql<{
    size: number;
    entries: number;
  }>`select size, (select count(*) from activity_log) as entries
    from activity_state`.execute(services.db);
  expect(rows[0]?.entries).toBe(rows[0]?.size);
}

test('those of one moment share a transaction; each has its visit, id, name, leaf and entry', async () => {
  const trucks = await addVisited(30);
  const by = (place: number) => (place % 2 === 0 ? jo : sam);
  // Half of them join a visit that is open, and half open one.
  const before = new Map<string, string>();
  for (const [place, rego] of trucks.slice(0, 15).entries()) {
    await record(rego, { who: by(place), place: 1 });
    before.set(rego, (await written()).find((row) => row.rego === rego)?.visit ?? '');
  }
  // Goes at once, as a batch of its own, however long it takes; of a vehicle of its own, so that it is in nobody's way.
  await registerVehicle(services, jo, vehicleInput({ rego: 'FIRST1' }), NO_FILES, undefined);
  const first = record('FIRST1');
  const answers = await Promise.all(trucks.map((rego, place) => record(rego, { value: `${place}.0`, who: by(place) })));
  expect((await first).recorded).toBe(true);
  const rows = await written();
  expect(rows).toHaveLength(45);
  const ofBatch = trucks.map((rego, place) => rows.find((row) => row.rego === rego && row.value === `${place}.0`));
  expect(new Set(ofBatch.map((row) => row?.xid)).size).toBe(1);
  for (const [place, answer] of answers.entries()) {
    const joins = before.get(trucks[place] ?? '');
    expect(answer).toEqual({ recorded: true, id: NOW.getTime() + (joins === undefined ? 0 : 1) });
    const name = place % 2 === 0 ? 'Jo Nguyen' : 'Sam Lee';
    expect(ofBatch[place]).toMatchObject({ id: idOf(answer), name, leaves: 1, entries: 1 });
    if (joins !== undefined) expect(ofBatch[place]?.visit).toBe(joins);
  }
  expect(new Set(ofBatch.map((row) => row?.visit)).size).toBe(30);
  await isProved();
});

test('those of one moment have the ids that they would have one after the other', async () => {
  const [rego = '', other = ''] = regos;
  await visited(rego, other);
  const at = (ms: number) => new Date(NOW.getTime() + ms);
  const idsOf = (answers: RecordAnswer[]) => answers.map((answer) => idOf(answer) - NOW.getTime());
  // Goes at once. Of those after it, the last came when the clock was set back by a little.
  const first = record(other);
  const times = [0, 2, 2, 9, 5];
  const taken = idsOf(await Promise.all(times.map((ms, place) => record(rego, { place, now: at(ms) }))));
  expect(possibleIds(times)).toContainEqual(taken);
  expect((await first).recorded).toBe(true);
  const rows = (await written()).filter((row) => row.rego === rego);
  expect(rows.map(({ leaves, entries }) => [leaves, entries])).toEqual(times.map(() => [1, 1]));
  const after = record(other, { place: 1 });
  const next = [4, 20].map((ms, place) => record(rego, { place: 5 + place, now: at(ms) }));
  expect(possibleIds([4, 20], taken)).toContainEqual(idsOf(await Promise.all(next)));
  await after;
  await isProved();
});

test('a removed vehicle, one that never was and a key that came twice are told so; the rest is recorded', async () => {
  const [a = '', b = '', c = ''] = regos;
  await visited(a, b);
  await removeVehicle(services.db, jo, c);
  const [key, theirs] = [randomUUID(), randomUUID()];
  const all = [
    record(a),
    record(c),
    record(b, { key }),
    record('NOBODY1'),
    record(b, { key }),
    record(b, { key, place: 1 }),
    record(a, { key: theirs, place: 1 }),
    record(a, { key: theirs, place: 1, who: sam }),
    record(a, { key: 'none', place: 2 }),
  ];
  const answers = await Promise.all(all);
  expect(answers[1]).toEqual({ recorded: false, reason: 'removed' });
  expect(answers[3]).toEqual({ recorded: false, reason: 'unknown' });
  expect(answers[4]).toEqual(answers[2]);
  expect(answers[5]).not.toEqual(answers[2]);
  expect(answers[7]).not.toEqual(answers[6]);
  expect((await written()).map(({ rego }) => rego)).toEqual([a, a, a, a, b, b]);
  // Afterwards as well; and what was refused may be sent again.
  expect(await record(b, { key })).toEqual(answers[2]);
  await registerVehicle(services, jo, vehicleInput({ rego: c }), NO_FILES, undefined);
  const again = await Promise.all([record(a, { place: 3 }), record(c), record(a, { key: theirs, place: 1 })]);
  expect(again[1]?.recorded).toBe(true);
  expect(again[2]).toEqual(answers[6]);
  await isProved();
});

test('of eight who record one place of one truck at once each has it in their own visit; of one person’s eight, one is recorded', async () => {
  const [a = '', b = ''] = regos;
  await visited(b);
  for (const rego of [a, b]) {
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) => record(rego, { who: n % 2 === 0 ? jo : sam, value: String(n) })),
    );
    const recorded = answers.flatMap((answer) => (answer.recorded ? answer.id : []));
    expect(recorded).toHaveLength(2);
    const refused = new Set(answers.filter((answer) => !answer.recorded).map((answer) => JSON.stringify(answer)));
    expect([...refused].toSorted()).toEqual(
      recorded.toSorted().map((id) => JSON.stringify({ recorded: false, reason: 'recorded-already', id })),
    );
    const rows = (await written()).filter((row) => row.rego === rego);
    expect(rows.map(({ name }) => name).toSorted()).toEqual(['Jo Nguyen', 'Sam Lee']);
    expect(new Set(rows.map(({ visit }) => visit)).size).toBe(2);
  }
  await isProved();
});

test('those that complete a visit close it in the batch of the others, each told what became of it, also when sent again', async () => {
  const trucks = Array.from({ length: 12 }, (_, n) => `GRP${count}N${n}`);
  for (const rego of trucks)
    await registerVehicle(services, jo, vehicleInput({ rego, axle_groups: 'STEER' }), NO_FILES, undefined);
  const [first = '', ...rest] = trucks;
  const volts = ['0.84', '3940', '1.46', '5880'];
  for (const [place, value] of volts.slice(0, 3).entries())
    await Promise.all(trucks.map((rego) => record(rego, { place, value })));
  const keys = rest.map(() => randomUUID());
  const close = () => rest.map((rego, n) => record(rego, { place: 3, value: `${5880 + n}`, key: keys[n] }));
  // Goes at once, as a batch of its own.
  const before = record(first, { place: 3, value: '5870' });
  const answers = await Promise.all(close());
  await before;
  for (const answer of answers) expect(answer).toMatchObject({ recorded: true, closed: { state: 'waits' } });
  const closing = (await written()).filter(({ rego, value }) => rego !== first && Number(value) >= 5880);
  expect(closing.map(({ leaves, entries }) => [leaves, entries])).toEqual(rest.map(() => [1, 1]));
  expect(new Set(closing.map(({ xid }) => xid)).size).toBe(1);
  expect(await Promise.all(close())).toEqual(answers);
  const states = await services.db.selectFrom('visit').select('state').where('openedAt', '>=', NOW).execute();
  expect(states.filter(({ state }) => state === 'waits').length).toBeGreaterThanOrEqual(12);
  await isProved();
});

test('one whose record fails, fails alone', async () => {
  const trucks = await addVisited(16);
  const settled = await Promise.allSettled(
    trucks.map((rego, place) => record(rego, place === 7 ? { value: FAILS } : {})),
  );
  expect(settled.map(({ status }) => status).filter((status) => status === 'rejected')).toHaveLength(1);
  expect(settled[7]?.status).toBe('rejected');
  const rows = await written();
  expect(rows).toHaveLength(15);
  expect(rows.every(({ leaves, entries }) => leaves === 1 && entries === 1)).toBe(true);
  const kept = await services.db
    .selectFrom('formSubmission')
    .select('key')
    .where(sql`outcome`, '=', sql`'null'::jsonb`)
    .execute();
  expect(kept).toEqual([]);
  await isProved();
});

test('a vehicle that somebody has locked holds up nobody else, and is recorded when it is free', async () => {
  const [a = ''] = regos;
  const trucks = await addVisited(11);
  await visited(a);
  let free = () => {};
  const held = new Promise<void>((resolve) => (free = resolve));
  let hasLocked = () => {};
  const locked = new Promise<void>((resolve) => (hasLocked = resolve));
  const other = services.db.transaction().execute(async (tx) => {
    await lockVehicle(tx, a);
    hasLocked();
    await held;
  });
  await locked;
  const [key, order] = [randomUUID(), new Array<string>()];
  const waiting = [record(a), record(a, { place: 1 }), record(a, { place: 2, key })].map((one) =>
    one.then(() => order.push(a)),
  );
  await Promise.all(trucks.slice(0, 8).map((rego) => record(rego).then(() => order.push(rego))));
  // Sent again while the first waits: its key holds up those beside it for a moment only.
  const twice = record(a, { place: 2, key });
  await Promise.all(trucks.slice(8).map((rego) => record(rego)));
  expect(order.toSorted()).toEqual(trucks.slice(0, 8).toSorted());
  free();
  await Promise.all([other, twice, ...waiting]);
  const rows = await written();
  expect(rows.filter(({ rego }) => rego === a)).toHaveLength(3);
  expect(rows.filter(({ rego }) => rego !== a)).toHaveLength(11);
  await isProved();
});

test.each([
  ['kept a moment later', 40, true],
  ['kept much later', undefined, true],
  ['given up', undefined, false],
])('a form that is being recorded elsewhere holds up those beside it for a moment only: %s', async (_, ms, commits) => {
  const [a = '', b = '', c = ''] = regos;
  await visited(a, b, c);
  const key = randomUUID();
  const theirs = { recorded: true, id: 7 };
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let hasKept = () => {};
  const keeps = new Promise<void>((resolve) => (hasKept = resolve));
  const elsewhere = services.db
    .transaction()
    .execute(async (tx) => {
      const own = idempotencyKeyOf({ kind: 'calibration.recorded', key, values: { rego: a, ...inputOf({}) } });
      await sql`select keep_forms(array[${own}]::uuid[], array[${jo.personId}]::uuid[], array[${JSON.stringify(theirs)}]::jsonb[])`.execute(
        tx,
      );
      hasKept();
      await released;
      if (!commits) throw new Error('given up');
    })
    .catch(() => {});
  await keeps;
  const beside = [record(c), record(b), record(b, { place: 1 })];
  const answer = record(a, { key });
  if (ms === undefined) await Promise.all(beside);
  else await setTimeout(ms);
  release();
  await Promise.all([elsewhere, ...beside]);
  if (commits) expect(await answer).toEqual(theirs);
  else expect((await answer).recorded).toBe(true);
  const rows = await written();
  expect(rows.map(({ rego }) => rego)).toEqual(commits ? [b, b, c] : [a, b, b, c]);
  expect(rows.every(({ leaves, entries }) => leaves === 1 && entries === 1)).toBe(true);
  await isProved();
});

test('readings of one moment against a removal: each is there, or was told that it is not', async () => {
  const [a = '', b = '', c = ''] = regos;
  await visited(a, b, c);
  const settled = await Promise.all([
    ...Array.from({ length: 30 }, (_, n) => record(regos[n % 3] ?? '', { place: n % 10 })),
    removeVehicle(services.db, jo, c),
  ]);
  const rows = await written();
  const recorded = settled.filter((answer) => 'recorded' in answer && answer.recorded).length;
  expect(rows).toHaveLength(recorded);
  expect(rows.filter(({ rego }) => rego === a || rego === b)).toHaveLength(20);
  await isProved();
});
