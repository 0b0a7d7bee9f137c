// Concurrent calibrations are written in one batch. Each result is the same as if it had been written as a single.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { enterFirstPolicy } from '#app/policy/enter-version.server.ts';
import { idempotencyKeyOf } from '#app/platform/database/idempotency-key.server.ts';
import { verifyDatabase } from '#app/transparency-log/verify-database.server.ts';
import { findVehicle, lockVehicle } from '#app/vehicles/queries.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { removeVehicle } from '#app/vehicles/remove-vehicle.server.ts';
import { addPerson, addSignedIn } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { calibrationSchema } from './calibration-entry.ts';
import { recordCalibration, type RecordAnswer } from './record-calibration.server.ts';

const NOW = new Date('2026-11-21T01:00:00Z');
const FAILS = '666';
let services: TestServices;
let jo: SignedIn;
let sam: SignedIn;
let count = 0;
let regos: string[];

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  const { db } = services;
  await addPerson(db, 'admin', 'mia@registry.example', { name: 'Mia' });
  jo = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
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

type More = { who?: SignedIn; key?: unknown; value?: string; due_date?: string; now?: Date };
const inputOf = (more: object) =>
  calibrationSchema('2026-11-21').parse({ axle: 'drive', attribute: 'Empty Weight', value: '1', ...more });
const record = (rego: string, { who = jo, key = randomUUID(), now = NOW, ...more }: More = {}) =>
  recordCalibration(services.db, who, rego, inputOf(more), { now, zone: 'Australia/Sydney', key });
const idOf = (answer: RecordAnswer) => (answer.recorded ? answer.id : -1);
const vehicle = async (rego: string) => {
  const found = await findVehicle(services.db, rego);
  if (found.state !== 'live') throw new Error('removed');
  return found.vehicle;
};

// Of the vehicles of this test: each reading with the transaction that wrote it, how many leaves and entries name it.
async function written() {
  const { rows } = await sql<{
    rego: string;
    id: number;
    value: string;
    name: string;
    xid: string;
    leaves: number;
    entries: number;
  }>`
    select c.rego, c.id, c.value, a.name, c.xmin::text as xid,
      (select count(*) from record_leaf l where l.record_table = 'calibration' and l.record_key = c.rego || '/' || c.id) as leaves,
      (select count(*) from activity_log g where g.kind = 'calibration.recorded' and g.subject_id = c.rego || '/' || c.id) as entries
    from calibration c join actor a on a.id = c.technician_id
    where c.rego like ${`GRP${count}%`} order by c.rego, c.id`.execute(services.db);
  return rows;
}

// All differences between the log and the records, hashes, chains and openings included.
async function isProved() {
  const findings: string[] = [];
  await verifyDatabase(services.db, (finding) => findings.push(finding));
  // The tests' people never went through an approval.
  expect(findings.filter((finding) => !finding.startsWith('technician '))).toEqual([]);
  const { rows } = await sql<{
    size: number;
    entries: number;
  }>`select size, (select count(*) from activity_log) as entries
    from activity_state`.execute(services.db);
  expect(rows[0]?.entries).toBe(rows[0]?.size);
}

test('those of one moment share a transaction; each has its id, name, leaf and entry', async () => {
  // Goes at once, as a batch of its own, however long it takes; of a vehicle of its own, so that it is in nobody's way.
  await registerVehicle(services, jo, vehicleInput({ rego: 'FIRST1' }), NO_FILES, undefined);
  const first = record('FIRST1');
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, place) =>
      record(regos[place % 3] ?? '', { value: String(place), who: place % 2 === 0 ? jo : sam }),
    ),
  );
  const rows = await written();
  expect((await first).recorded).toBe(true);
  expect(rows).toHaveLength(30);
  expect(new Set(rows.map(({ xid }) => xid)).size).toBe(1);
  for (const [place, answer] of answers.entries()) {
    const row = rows.find(({ rego, id }) => rego === regos[place % 3] && id === idOf(answer));
    expect(row).toMatchObject({
      value: String(place),
      name: place % 2 === 0 ? 'Jo Nguyen' : 'Sam Lee',
      leaves: 1,
      entries: 1,
    });
  }
  for (const rego of regos)
    expect(rows.filter((row) => row.rego === rego).map(({ id }) => id - NOW.getTime())).toEqual(
      Array.from({ length: 10 }, (_, n) => n),
    );
  await isProved();
});

test('those of one moment have the ids that they would have one after the other', async () => {
  const [rego = '', other = ''] = regos;
  const at = (ms: number) => new Date(NOW.getTime() + ms);
  const idsOf = (answers: RecordAnswer[]) => answers.map((answer) => idOf(answer) - NOW.getTime());
  // Goes at once. Of the batch after it, the last came when the clock was set back by a little.
  const first = record(other);
  const batch = [0, 2, 2, 9, 5].map((ms) => record(rego, { now: at(ms) }));
  expect(idsOf(await Promise.all(batch))).toEqual([0, 2, 3, 9, 10]);
  expect((await first).recorded).toBe(true);
  expect(new Set((await written()).filter((row) => row.rego === rego).map(({ xid }) => xid)).size).toBe(1);
  const after = record(other);
  const next = [4, 20].map((ms) => record(rego, { now: at(ms) }));
  expect(idsOf(await Promise.all(next))).toEqual([11, 20]);
  await after;
  await isProved();
});

test('a removed vehicle, one that never was and a key that came twice are told so; the rest is recorded', async () => {
  const [a = '', b = '', c = ''] = regos;
  await removeVehicle(services.db, jo, c);
  const [key, theirs] = [randomUUID(), randomUUID()];
  const all = [
    record(a),
    record(c),
    record(b, { key }),
    record('NOBODY1'),
    record(b, { key }),
    record(b, { key, value: '2' }),
    record(a, { key: theirs }),
    record(a, { key: theirs, who: sam }),
    record(a, { key: 'none' }),
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
  const again = await Promise.all([record(a), record(c), record(a, { key: theirs })]);
  expect(again[1]?.recorded).toBe(true);
  expect(again[2]).toEqual(answers[6]);
  await isProved();
});

test('one whose record fails, fails alone', async () => {
  const [a = '', b = ''] = regos;
  const all = Array.from({ length: 16 }, (_, place) =>
    record(place % 2 === 0 ? a : b, place === 7 ? { value: FAILS } : {}),
  );
  const settled = await Promise.allSettled(all);
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
  const [a = '', b = ''] = regos;
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
  const waiting = [record(a), record(a), record(a, { key })].map((one) => one.then(() => order.push(a)));
  const passing = Array.from({ length: 8 }, () => record(b)).map((one) => one.then(() => order.push(b)));
  await Promise.all(passing);
  // Sent again while the first waits: its key holds up those beside it for a moment only.
  const twice = record(a, { key });
  await Promise.all([record(b), record(b), record(b)]);
  expect(order).toEqual(Array.from({ length: 8 }, () => b));
  free();
  await Promise.all([other, twice, ...waiting]);
  const rows = await written();
  expect(rows.filter(({ rego }) => rego === a)).toHaveLength(3);
  expect(rows.filter(({ rego }) => rego === b)).toHaveLength(11);
  await isProved();
});

test.each([
  ['kept a moment later', 40, true],
  ['kept much later', 300, true],
  ['given up', 300, false],
])('a form that is being recorded elsewhere holds up those beside it for a moment only: %s', async (_, ms, commits) => {
  const [a = '', b = '', c = ''] = regos;
  const key = randomUUID();
  const theirs = { recorded: true, id: 7 };
  const ended: string[] = [];
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
    .catch(() => {})
    .finally(() => ended.push('elsewhere'));
  await keeps;
  const beside = [record(c), record(b), record(b)].map((one) => one.then(() => ended.push('beside')));
  const answer = record(a, { key });
  setTimeout(release, ms);
  await Promise.all([elsewhere, ...beside]);
  if (ms === 300) expect(ended).toEqual(['beside', 'beside', 'beside', 'elsewhere']);
  if (commits) expect(await answer).toEqual(theirs);
  else expect((await answer).recorded).toBe(true);
  const rows = await written();
  expect(rows.map(({ rego }) => rego)).toEqual(commits ? [b, b, c] : [a, b, b, c]);
  expect(rows.every(({ leaves, entries }) => leaves === 1 && entries === 1)).toBe(true);
  await isProved();
});

test('due dates of one moment end at the latest, each move with its entry, and the leaf covers what it left', async () => {
  const [a = '', b = ''] = regos;
  const dates = ['2027-03-01', '2027-02-01', '2027-05-14', '2027-04-01'];
  const { version } = await vehicle(a);
  await Promise.all([
    record(b, { due_date: '2027-01-01' }),
    ...dates.flatMap((due_date) => [record(a, { due_date }), record(a)]),
  ]);
  expect(await vehicle(b)).toMatchObject({ nextCalibrationDueOn: '2027-01-01', version: 2 });
  const { rows: moves } = await sql<{ from: string | null; to: string }>`
    select d.changes -> 0 ->> 'from' as from, d.changes -> 0 ->> 'to' as to from activity_log l join activity_detail d using (index)
    where l.subject_id like ${`${a}/%`} and d.changes <> '[]' order by index`.execute(services.db);
  const now = await vehicle(a);
  expect(now).toMatchObject({ nextCalibrationDueOn: '2027-05-14', version: version + moves.length });
  let before: string | null = null;
  for (const { from, to } of moves) {
    expect(from).toBe(before);
    before = to;
  }
  expect(before).toBe('2027-05-14');
  await isProved();
});

test('readings of one moment against a removal: each is there, or was told that it is not', async () => {
  const [a = '', b = '', c = ''] = regos;
  const settled = await Promise.all([
    ...Array.from({ length: 30 }, (_, place) => record(regos[place % 3] ?? '')),
    removeVehicle(services.db, jo, c),
  ]);
  const rows = await written();
  const recorded = settled.filter((answer) => 'recorded' in answer && answer.recorded).length;
  expect(rows).toHaveLength(recorded);
  expect(rows.filter(({ rego }) => rego === a || rego === b)).toHaveLength(20);
  await isProved();
});
