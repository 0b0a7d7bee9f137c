// Checks the dashboard's numbers by brute force, with records added and removed around the day of comparison.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import { addDays, instantOfDay, todayIn } from '#app/platform/time/calendar.ts';
import { addPerson, type Person } from '#test/people.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { changeOf } from './change.ts';
import { dashboardPage } from './dashboard-page.server.ts';
import { countAdmins, countApplications, countTechnicians, countVehicles } from './dashboard-counts.server.ts';

const ZONE = 'Australia/Sydney';
const NOW = new Date('2026-11-21T01:00:00Z');
const THEN = new Date(NOW.getTime() - 30 * 86_400_000);

type Came = { addedAt: Date | null; deletedAt: Date | null };
let database: TestDatabase;
let technician: Person;
let other: Person;
let seed = 7;
const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
const instants = [-400, -60, -31, -30.001, -30, -29.999, -10, -1, -0.01];
const someInstant = () => new Date(NOW.getTime() + (instants[random(instants.length)] ?? 0) * 86_400_000);
const life = (): Came => {
  const addedAt = random(5) === 0 ? null : someInstant();
  const deletedAt = random(3) > 0 ? null : someInstant();
  return { addedAt, deletedAt: deletedAt !== null && addedAt !== null && deletedAt < addedAt ? null : deletedAt };
};
const isLive = (at: Date, { addedAt, deletedAt }: Came) =>
  (addedAt === null || addedAt <= at) && (deletedAt === null || deletedAt > at);
const bruteForce = (all: readonly Came[]) => ({
  now: all.filter((one) => one.deletedAt === null).length,
  before: all.filter((one) => isLive(THEN, one)).length,
});

const vehicles = Array.from({ length: 90 }, life);
const admins = Array.from({ length: 30 }, life);
const technicians = Array.from({ length: 30 }, life);
const applications = Array.from({ length: 40 }, life);
const calibratedAt: { at: Date; own: boolean; isCorrection: boolean }[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  await db
    .insertInto('vehicle')
    .values(vehicles.map((one, index) => ({ rego: `R${index}`, ...one })))
    .execute();
  const personId = (await db.insertInto('person').values({ email: 'all@site.example' }).returning('id').execute())[0]
    ?.id;
  if (personId === undefined) throw new Error('no person');
  await db
    .insertInto('admin')
    .values(admins.map((one, index) => ({ personId, email: `a${index}@site.example`, ...one })))
    .execute();
  await db
    .insertInto('technician')
    .values(technicians.map((one, index) => ({ personId, email: `t${index}@site.example`, ...one })))
    .execute();
  await db
    .insertInto('application')
    .values(
      applications.map(({ addedAt, deletedAt }, index) => ({
        email: `p${index}@site.example`,
        requestedAt: addedAt,
        decidedAt: deletedAt,
        decision: deletedAt === null ? null : ('deleted' as const),
      })),
    )
    .execute();
  technician = await addPerson(db, 'technician', 'jo@site.example', { name: 'Jo' });
  other = await addPerson(db, 'technician', 'al@site.example', { name: 'Al' });
  // The same person under an earlier and a later name.
  const actors = await db.transaction().execute(async (tx) => ({
    own: [
      await findOrAddActor(tx, { personId: technician.personId, name: 'Jo', email: 'jo@site.example' }),
      await findOrAddActor(tx, { personId: technician.personId, name: 'Jo Renamed', email: 'jo@site.example' }),
    ],
    other: await findOrAddActor(tx, { personId: other.personId, name: 'Al', email: 'al@site.example' }),
  }));
  const { id: vehicleId } = await db
    .insertInto('vehicle')
    .values({ rego: 'CAL1', addedAt: new Date('2020-01-01') })
    .returning('id')
    .executeTakeFirstOrThrow();
  vehicles.push({ addedAt: new Date('2020-01-01'), deletedAt: null });
  const edges = [...Array(14).keys()].flatMap((back) => {
    const first = instantOfDay(new Date(Date.UTC(2026, 10 - back, 1)).toISOString().slice(0, 10), ZONE).getTime();
    return [first - 1, first, first + 1];
  });
  for (const [index, edge] of [...edges, THEN.getTime(), THEN.getTime() + 1].entries()) {
    if (edge > NOW.getTime()) continue;
    const own = random(2) === 0;
    const correctsId = index > 5 && random(6) === 0 ? index - 3 : null;
    const isCorrection =
      correctsId !== null &&
      (await db
        .selectFrom('calibration')
        .select('id')
        .where('id', '=', correctsId)
        .where('correctsId', 'is', null)
        .executeTakeFirst()) !== undefined;
    calibratedAt.push({ at: new Date(edge), own, isCorrection });
    await db
      .insertInto('calibration')
      .values({
        rego: 'CAL1',
        id: index,
        vehicleId,
        axle: 'STEER',
        attribute: 'Empty Volt',
        value: '1',
        calibratedAt: new Date(edge),
        technicianId: own ? (actors.own[index % 2] ?? null) : actors.other,
        correctsId: isCorrection ? correctsId : null,
      })
      .execute();
  }
});
afterAll(() => database.drop());

test('what there is and what there was 30 days before, of each kind', async () => {
  const { db } = database;
  expect(await countVehicles(db, THEN)).toEqual(bruteForce(vehicles));
  expect(await countAdmins(db, THEN)).toEqual(bruteForce(admins));
  const two: Came[] = Array.from({ length: 2 }, () => ({ addedAt: null, deletedAt: null }));
  expect(await countTechnicians(db, THEN)).toEqual(bruteForce([...technicians, ...two]));
  expect(await countApplications(db, THEN)).toEqual(bruteForce(applications));
});

test('a technician sees the vehicles, and the calibrations of their own under every name, without corrections', async () => {
  const page = await pageFor(technician);
  const own = calibratedAt.filter((one) => one.own && !one.isCorrection);
  const before = own.filter(({ at }) => at <= THEN).length;
  expect(page.widgets.map(({ type, now }) => [type, now])).toEqual([
    ['vehicle', vehicles.filter(({ deletedAt }) => deletedAt === null).length],
    ['calibration', own.length],
  ]);
  expect(page.widgets[1]?.change).toEqual(changeOf({ now: own.length, before }));
  expect(page.own).toHaveLength(5);
});

test('an admin sees the four counts', async () => {
  const page = await pageFor({ role: 'admin', personId: other.personId });
  expect(page.widgets.map(({ type }) => type)).toEqual(['admin', 'vehicle', 'application', 'technician']);
  expect(page.own).toEqual([]);
});

test('calibrations by month of the registry’s zone, each counted once, to the millisecond', async () => {
  const { perMonth } = await pageFor(technician);
  await sql`select compact_counts()`.execute(database.db);
  expect((await pageFor(technician)).perMonth).toEqual(perMonth);
  const months = perMonth.map(({ month }) => month.slice(0, 7));
  expect([months[0], months.at(-1), new Set(months).size]).toEqual(['2025-12', '2026-11', 12]);
  for (const { month, calibrations } of perMonth)
    expect([month, calibrations]).toEqual([
      month,
      calibratedAt.filter(
        ({ at, isCorrection }) => !isCorrection && todayIn(ZONE, at).slice(0, 7) === month.slice(0, 7),
      ).length,
    ]);
});

test('what needs a hand: the oldest due day first, whatever else there is', async () => {
  const { db } = database;
  const today = todayIn(ZONE, NOW);
  const add = (rego: string, dueIn: number, more = {}) =>
    db
      .insertInto('vehicle')
      .values({ rego, nextCalibrationDueOn: addDays(today, dueIn), calibrationValidated: true, ...more })
      .execute();
  const shown = async () => (await pageFor(technician)).attention.map(({ rego, verdict }) => [rego, verdict]);
  await add('LONGAGO', -900, { lastCalibratedAt: NOW });
  await add('DELETED', 0, { deletedAt: NOW });
  await add('WITHDRAWN', 0, { calibrationValidated: false });
  await add('FAR', 31, { lastCalibratedAt: NOW });
  expect(await shown()).toEqual([['LONGAGO', 'overdue']]);
  const dues = [30, 5, 0, -1, -2, -3, -4, -500];
  for (const days of dues) await add(`DUE${days + 900}`, days, { lastCalibratedAt: NOW });
  const inOrder = dues.toReversed().map((days) => [`DUE${days + 900}`, days < 0 ? 'overdue' : 'due-soon']);
  expect(await shown()).toEqual([['LONGAGO', 'overdue'], ...inOrder]);
  for (const days of [-600, -601, -602]) await add(`OLD${-days}`, days, { lastCalibratedAt: NOW });
  expect((await shown()).slice(0, 5).map(([rego]) => rego)).toEqual([
    'LONGAGO',
    'OLD602',
    'OLD601',
    'OLD600',
    'DUE400',
  ]);
  expect(await shown()).toHaveLength(10);
});

test.each([
  [6, 6, 'No change', 'none'],
  [0, 0, '–', 'none'],
  [4, 0, '–', 'none'],
  [25, 1, '+24', 'up'],
  [3, 4, '−1', 'down'],
  [0, 19, '−19', 'down'],
  [5000, 19, '+4,981', 'up'],
  [22, 20, '10%', 'up'],
  [0, 20, '100%', 'down'],
  [1001, 1000, '<1%', 'up'],
  [1_000_000, 1_000_001, '<1%', 'down'],
  [1005, 1000, '1%', 'up'],
])('%i after %i: %s, %s', (now, before, text, direction) => {
  expect(changeOf({ now, before })).toMatchObject({ text, direction });
});

function pageFor(who: Pick<Person, 'role' | 'personId'>) {
  const config = { timeZone: ZONE };
  return dashboardPage({ db: database.db, config, now: () => NOW }, who);
}
