// The list against brute force: every filter, search and order over random vehicles whose dates lie around today.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '#app/platform/time/calendar.ts';
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import { FIRST_POLICY } from '#app/policy/policy.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { STEP } from '#test/sample.ts';
import { FILTERS, parseListQuery, type VehicleListQuery } from './list-query.ts';
import { listVehicles, pageOfRego, selectVehicles } from './list-vehicles.server.ts';
import { judge } from './verdict.ts';
import { VERDICTS, type Verdict } from './verdict-table.ts';
import { countByVerdict, holdsText, sumOf } from './verdict-sql.server.ts';

const TODAY = '2026-11-21';
const VERDICT_NAMES = VERDICTS.map(({ verdict }) => verdict);

type Row = {
  rego: string;
  vin: string;
  warrantyExpiresOn: string | null;
  nextCalibrationDueOn: string | null;
  calibrationValidated: boolean;
  restsOn: '' | 'nothing';
  lastCalibratedAt: Date | null;
  deletedAt: Date | null;
  companyName: string;
  scaleSerialNumber: string;
};
const COMPANIES = ['', 'Merri Haulage', 'MERRI 100% _Bulk_', 'Yarra\\Weighing', 'Österreich Transport'];
let database: TestDatabase;
let live: (Row & { verdict: Verdict })[];

let seed = 11;
const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
const text = (length: number) => Array.from({ length }, () => 'ABCXV0123'[random(9)]).join('');
// Many dates are exactly on a boundary: yesterday, today, the thirtieth and the thirty-first day.
const days = [-400, -31, -30, -2, -1, 0, 1, 2, 29, 30, 31, 32, 400];
const day = () => (random(6) === 0 ? null : addDays(TODAY, days[random(days.length)] ?? 0));

beforeAll(async () => {
  database = await createTestDatabase();
  const regos = new Set<string>();
  while (regos.size < 420) regos.add(text(5));
  const rows: Row[] = [...regos].map((rego) => ({
    rego,
    vin: random(8) === 0 ? '' : random(10) === 0 ? '6T9SAME' : `6T9${text(14)}`,
    warrantyExpiresOn: day(),
    nextCalibrationDueOn: day(),
    calibrationValidated: random(4) > 0,
    lastCalibratedAt: random(3) === 0 ? null : new Date('2026-05-01T00:00:00Z'),
    deletedAt: random(7) === 0 ? new Date('2026-06-01T00:00:00Z') : null,
    companyName: COMPANIES[random(COMPANIES.length)] ?? '',
    restsOn: random(4) === 0 ? ('nothing' as const) : ('' as const),
    scaleSerialNumber: random(5) === 0 ? '' : `LC-40 ${text(3)}`,
  }));
  await database.db.insertInto('vehicle').values(rows).execute();
  await addVisits();
  live = rows
    .filter(({ deletedAt }) => deletedAt === null)
    .map((row) => ({
      ...row,
      verdict: judge(
        {
          hasCalibration: row.lastCalibratedAt !== null,
          validated: row.calibrationValidated,
          noneCounts: row.restsOn === 'nothing',
          nextDueOn: row.nextCalibrationDueOn,
        },
        TODAY,
        FIRST_POLICY,
      ).verdict,
    }));
});
afterAll(() => database.drop());

// By the first character, so that brute force knows it too.
const visitOf = (rego: string): 'waits' | 'open' | undefined =>
  rego.startsWith('A') ? 'waits' : rego.startsWith('B') ? 'open' : undefined;

async function addVisits(): Promise<void> {
  const { id: technicianId } = await database.db.transaction().execute(async (tx) => ({
    id: await findOrAddActor(tx, { name: 'Jo', email: 'jo@scales.example' }),
  }));
  const at = new Date('2026-11-01T00:00:00Z');
  const trucks = await database.db.selectFrom('vehicle').select(['id', 'rego']).execute();
  const visits = trucks.flatMap(({ id: vehicleId, rego }) => {
    const state = visitOf(rego);
    if (state === undefined) return [];
    const [closedAt, judged] = state === 'open' ? [null, null] : [at, 'waits' as const];
    return [{ vehicleId, technicianId, visitedAt: at, visitedOn: '2026-11-01', openedAt: at, closedAt, state, judged }];
  });
  await database.db.insertInto('visit').values(visits).execute();
}

const KEYS = {
  rego: (row: Row) => row.rego,
  vin: (row: Row) => row.vin,
  warranty: (row: Row) => row.warrantyExpiresOn ?? '',
  due: (row: Row) => row.nextCalibrationDueOn ?? '',
};

const compare = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);

// Missing values last in both directions, then by rego.
function bruteForce(query: VehicleListQuery): string[] {
  const { verdicts, sort, descending, dueFrom, dueTo, visits } = query;
  const key = KEYS[sort];
  const holds = (value: string, part: string) => value.toLowerCase().includes(part.toLowerCase());
  return live
    .filter((row) =>
      FILTERS.every(({ name, part }) =>
        part === 'rego or VIN'
          ? row.rego.includes(query[name]) || row.vin.includes(query[name])
          : holds(row[part], query[name]),
      ),
    )
    .filter(({ verdict }) => verdicts.length === 0 || verdicts.includes(verdict))
    .filter(
      ({ nextCalibrationDueOn: due }) =>
        (dueFrom === '' || (due !== null && due >= dueFrom)) && (dueTo === '' || (due !== null && due <= dueTo)),
    )
    .filter(({ rego }) => visits === '' || visitOf(rego) === visits)
    .toSorted((a, b) => {
      const [x, y] = [key(a), key(b)];
      if (x === '' || y === '') return Number(x === '') - Number(y === '') || compare(a.rego, b.rego);
      return (descending ? compare(y, x) : compare(x, y)) || compare(a.rego, b.rego);
    })
    .map(({ rego }) => rego);
}

async function allPages(query: VehicleListQuery): Promise<string[]> {
  const expected = bruteForce(query);
  const found: string[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await listVehicles(database.db, { ...query, page }, { today: TODAY, policy: FIRST_POLICY });
    expect([answer.page, answer.total]).toEqual([page, expected.length]);
    expect(answer.pages).toBe(Math.max(1, Math.ceil(expected.length / 10)));
    found.push(...answer.items.map(({ rego }) => rego));
    if (page >= answer.pages) return found;
  }
}

const ALL = parseListQuery(new URLSearchParams());
const VERDICT_FILTERS: Verdict[][] = [
  [],
  ...VERDICT_NAMES.map((verdict) => [verdict]),
  ['overdue', 'due-soon'],
  ['never-calibrated', 'valid'],
  [...VERDICT_NAMES],
];

const NARROWED = VERDICT_FILTERS.flatMap((verdicts) =>
  ['', 'X', 'V0', '6T9', 'T9SAME', 'ZZZ'].map((needle) => [verdicts, needle] as const),
);

// In a sample each order takes another part of them.
for (const [place, sort] of (['rego', 'vin', 'warranty', 'due'] as const).entries())
  for (const descending of [false, true])
    test(`by ${sort} ${descending ? 'descending' : 'ascending'}: each filter and search finds what brute force finds, in order`, async () => {
      for (const [verdicts, needle] of NARROWED.filter(
        (_each, at) => (at + 2 * place + Number(descending)) % STEP === 0,
      )) {
        const query = { ...ALL, text: needle, verdicts, sort, descending };
        expect([needle, verdicts, await allPages(query)]).toEqual([needle, verdicts, bruteForce(query)]);
      }
    });

test('company and scale serial filter by a part in any case, with the search, the verdicts and the totals', async () => {
  for (const [company, serial] of [
    ['merri', ''],
    ['100% _b', ''],
    ['%', 'lc-40 x'],
    ['_', ''],
    ['\\W', ''],
    ['ÖSTERREICH', ''],
    ['', 'XV'],
    ['nobody', 'LC'],
  ] as const)
    for (const sort of ['rego', 'due'] as const)
      for (const verdicts of [[], ['overdue', 'due-soon']] as const)
        for (const needle of ['', 'X']) {
          const query = { ...ALL, company, serial, text: needle, verdicts, sort };
          expect([query, await allPages(query)]).toEqual([query, bruteForce(query)]);
          const { counts } = await listVehicles(database.db, query, { today: TODAY, policy: FIRST_POLICY });
          expect(sumOf(counts)).toBe(bruteForce({ ...query, verdicts: [] }).length);
        }
});

test('due dates and visits narrow rows, totals and what is exported, with the search and the verdicts', async () => {
  for (const chosen of [
    { dueFrom: TODAY },
    { dueTo: addDays(TODAY, 30) },
    { dueFrom: addDays(TODAY, -1), dueTo: addDays(TODAY, 1), visits: 'waits' as const },
    { visits: 'waits' as const },
    { visits: 'open' as const, text: 'X' },
    { dueFrom: '2100-01-01' },
  ])
    for (const verdicts of [[], ['overdue', 'due-soon']] as const) {
      const query = { ...ALL, ...chosen, verdicts };
      expect([query, await allPages(query)]).toEqual([query, bruteForce(query)]);
      const { counts } = await listVehicles(database.db, query, { today: TODAY, policy: FIRST_POLICY });
      expect(sumOf(counts)).toBe(bruteForce({ ...query, verdicts: [] }).length);
    }
});

test('each filter of the table narrows rows, totals and what is exported alike, alone and with each other one', async () => {
  const typed = Object.fromEntries(FILTERS.map(({ name, part }) => [name, part === 'rego or VIN' ? 'X' : 'a']));
  for (const one of FILTERS)
    for (const other of FILTERS) {
      const query = { ...ALL, [one.name]: typed[one.name], [other.name]: typed[other.name] };
      const expected = bruteForce(query);
      expect(expected.length).toBeLessThan(live.length);
      expect(await allPages(query)).toEqual(expected);
      const { counts } = await listVehicles(database.db, query, { today: TODAY, policy: FIRST_POLICY });
      expect(sumOf(counts)).toBe(expected.length);
      const { where } = selectVehicles(query, TODAY, FIRST_POLICY);
      const { rows } = await sql<{ rego: string }>`select rego from vehicle where ${where} order by rego`.execute(
        database.db,
      );
      expect(rows.map(({ rego }) => rego)).toEqual(expected);
    }
});

test('the counts by verdict are those of the function that judges, on every day around today and by any policy', async () => {
  const policies = [FIRST_POLICY, { dueSoonDays: 1 }, { dueSoonDays: 31 }];
  for (const needle of ['', 'X', '6T9', 'ZZZ'])
    for (const [shift, policy] of [-31, -1, 0, 1, 30, 31].flatMap((day) => policies.map((by) => [day, by] as const))) {
      const today = addDays(TODAY, shift);
      const expected = Object.fromEntries(VERDICT_NAMES.map((verdict) => [verdict, 0]));
      for (const row of live) {
        if (!row.rego.includes(needle) && !row.vin.includes(needle)) continue;
        const { verdict } = judge(
          {
            hasCalibration: row.lastCalibratedAt !== null,
            validated: row.calibrationValidated,
            noneCounts: row.restsOn === 'nothing',
            nextDueOn: row.nextCalibrationDueOn,
          },
          today,
          policy,
        );
        expected[verdict] = (expected[verdict] ?? 0) + 1;
      }
      expect(
        await countByVerdict(database.db, needle === '' ? undefined : holdsText(needle), { today, policy }),
      ).toEqual(expected);
    }
});

test('a page beyond the last is the last', async () => {
  const query = parseListQuery(new URLSearchParams('verdict=overdue&sort=due&page=9999999'));
  const { page, pages, items } = await listVehicles(database.db, query, { today: TODAY, policy: FIRST_POLICY });
  expect(page).toBe(pages);
  expect(items.length).toBeGreaterThan(0);
});

test('a rego leads to the page on which it stands, as counted by block and as only appended', async () => {
  const { db } = database;
  const regos = live.map(({ rego }) => rego).toSorted(compare);
  const check = async () => {
    for (const [place, rego] of regos.entries())
      expect([rego, await pageOfRego(db, rego)]).toEqual([rego, Math.floor(place / 10) + 1]);
  };
  await check();
  await sql`select fold_vehicle_grams()`.execute(db);
  await check();
  expect(await pageOfRego(db, '0')).toBe(1);
});
