import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasFields, outsideVectors } from '#test/outside-vectors.ts';
import { massesOf, permissibleError, type DeckReading } from './masses-of.ts';

type Case = {
  groups: string[];
  weighings: DeckReading[];
  expected: {
    masses_kg: Record<string, number>;
    missing: string[];
    checks: { weighing: number; difference_kg: number; allowed_kg: number; agrees: boolean }[];
  };
};
const isCase = (value: unknown): value is Case => hasFields(value, 'groups', 'weighings', 'expected');
const cases = outsideVectors('weighings', isCase);

test.skipIf(cases === undefined)('the vectors of weighings', () => {
  expect(cases?.length).toBeGreaterThan(0);
  for (const [at, { groups, weighings, expected }] of (cases ?? []).entries()) {
    const { masses, missing, checks } = massesOf(groups, weighings);
    expect(masses, `case ${at}`).toEqual(expected.masses_kg);
    expect(missing, `case ${at}`).toEqual(expected.missing);
    expect(checks, `case ${at}`).toHaveLength(expected.checks.length);
    for (const [place, check] of expected.checks.entries()) {
      expect(checks[place]).toMatchObject({ weighing: check.weighing, agrees: check.agrees });
      expect(checks[place]?.differenceKg).toBeCloseTo(check.difference_kg, 3);
      expect(checks[place]?.allowedKg).toBeCloseTo(check.allowed_kg, 3);
    }
  }
});

test('a reading may be wrong by one, two and three intervals', () => {
  expect([10_000, 10_001, 40_000, 40_001].map((kg) => permissibleError(kg, 20))).toEqual([20, 40, 40, 60]);
  expect(permissibleError(10_001, null)).toBe(40);
});

test('a half kilogram rounds up, below zero too', () => {
  const pairs = [
    ['A', 'B'],
    ['B', 'C'],
    ['A', 'C'],
  ];
  const weighings = (kg: readonly number[]) => pairs.map((deck, at) => ({ deck, kg: kg[at] ?? 0, e: 20 }));
  expect(massesOf(['A', 'B', 'C'], weighings([3, 2, 2])).masses).toEqual({ A: 2, B: 2, C: 1 });
  expect(massesOf(['A', 'B', 'C'], weighings([1, 4, 2])).masses).toEqual({ A: 0, B: 2, C: 3 });
});

test('a mass names the readings that it is the difference of', () => {
  const deck = (...groups: string[]) => groups;
  const { shares } = massesOf(
    ['STEER', 'DRIVE', 'TRAILERA'],
    [
      { deck: deck('STEER'), kg: 4280, e: 20 },
      { deck: deck('STEER', 'DRIVE'), kg: 9260, e: 20 },
      { deck: deck('STEER', 'DRIVE', 'TRAILERA'), kg: 12_900, e: 20 },
    ],
  );
  expect(shares['DRIVE']).toEqual([
    { weighing: 0, n: -1, d: 1 },
    { weighing: 1, n: 1, d: 1 },
  ]);
  expect(shares['TRAILERA']).toEqual([
    { weighing: 1, n: -1, d: 1 },
    { weighing: 2, n: 1, d: 1 },
  ]);
});

// A solver of another kind: big fractions, the transposed system. Of each wanted row (a group, a later deck) it asks
// which combination of the decks so far gives it, and whether there is one.
type Rational = { n: bigint; d: bigint };
const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? (a < 0n ? -a : a) : gcd(b, a % b));
function rational(n: bigint, d: bigint): Rational {
  const by = gcd(n, d) * (d < 0n ? -1n : 1n);
  return { n: n / by, d: d / by };
}
function combination(decks: readonly number[][], wanted: readonly number[]): Rational[] | undefined {
  const rows = wanted.map((value, group) => [
    ...decks.map((deck) => rational(BigInt(deck[group] ?? 0), 1n)),
    rational(BigInt(value), 1n),
  ]);
  const at = (row: number, column: number): Rational => rows[row]?.[column] ?? { n: 0n, d: 1n };
  const leads: number[] = [];
  for (let column = 0; column < decks.length && leads.length < rows.length; column++) {
    const top = leads.length;
    const found = rows.findIndex((_row, row) => row >= top && at(row, column).n !== 0n);
    if (found < 0) continue;
    rows.splice(top, 0, ...rows.splice(found, 1));
    const lead = at(top, column);
    rows[top] = (rows[top] ?? []).map(({ n, d }) => rational(n * lead.d, d * lead.n));
    for (const [row, values] of rows.entries()) {
      const factor = at(row, column);
      if (row === top || factor.n === 0n) continue;
      rows[row] = values.map(({ n, d }, place) => {
        const by = at(top, place);
        return rational(n * factor.d * by.d - factor.n * by.n * d, d * factor.d * by.d);
      });
    }
    leads.push(column);
  }
  if (rows.some((_row, row) => row >= leads.length && at(row, decks.length).n !== 0n)) return undefined;
  const factors = decks.map((): Rational => ({ n: 0n, d: 1n }));
  for (const [row, column] of leads.entries()) factors[column] = at(row, decks.length);
  return factors;
}

test('10,000 random decks against another solver', () => {
  const decks = fc.integer({ min: 1, max: 8 }).chain((size) =>
    fc.record({
      size: fc.constant(size),
      weighings: fc.array(
        fc.record({
          mask: fc.integer({ min: 1, max: 2 ** size - 1 }),
          kg: fc.integer({ min: 1, max: 120_000 }),
          e: fc.constantFrom(null, 1, 5, 10, 20, 50, 100),
        }),
        { maxLength: 20 },
      ),
    }),
  );
  fc.assert(
    fc.property(decks, ({ size, weighings }) => {
      const groups = Array.from({ length: size }, (_none, at) => `G${at}`);
      const rows = weighings.map(({ mask }) => groups.map((_group, at) => (mask >> at) & 1));
      const given = weighings.map(({ kg, e }, at) => ({
        kg,
        e,
        deck: groups.filter((_group, g) => rows[at]?.[g] === 1),
      }));
      const known: number[] = [];
      const checks: unknown[] = [];
      const shares = (wanted: readonly number[]) => {
        const factors = combination(
          known.map((at) => rows[at] ?? []),
          wanted,
        );
        return factors?.map((factor, place) => ({ factor, by: given[known[place] ?? 0] }));
      };
      const sumOf = (of: ReturnType<typeof shares>, value: (share: Rational, by: DeckReading) => Rational) =>
        (of ?? []).reduce(
          (total, { factor, by }) => {
            const one = by === undefined ? { n: 0n, d: 1n } : value(factor, by);
            return rational(total.n * one.d + one.n * total.d, total.d * one.d);
          },
          rational(0n, 1n),
        );
      const massOf = (of: ReturnType<typeof shares>) => sumOf(of, ({ n, d }, { kg }) => rational(n * BigInt(kg), d));
      const number = ({ n, d }: Rational) => Number(n) / Number(d);
      for (const [at, { kg, e }] of given.entries()) {
        const by = shares(rows[at] ?? []);
        if (by === undefined) known.push(at);
        else {
          const allowed = sumOf(by, ({ n, d }, one) =>
            rational((n < 0n ? -n : n) * BigInt(permissibleError(one.kg, one.e)), d),
          );
          const [differenceKg, allowedKg] = [kg - number(massOf(by)), permissibleError(kg, e) + number(allowed)];
          checks.push({
            weighing: at,
            differenceKg: expect.closeTo(differenceKg, 6),
            allowedKg: expect.closeTo(allowedKg, 6),
            agrees: Math.abs(differenceKg) <= allowedKg + 1e-9,
          });
        }
      }
      const found = massesOf(groups, given);
      const masses: Record<string, number> = {};
      for (const [at, group] of groups.entries()) {
        const by = shares(groups.map((_other, g) => Number(g === at)));
        if (by === undefined) continue;
        const { n, d } = massOf(by);
        const doubled = 2n * n + d;
        masses[group] = Number((doubled - (((doubled % (2n * d)) + 2n * d) % (2n * d))) / (2n * d));
      }
      expect(found.masses).toEqual(masses);
      expect(found.missing).toEqual(groups.filter((group) => masses[group] === undefined));
      expect(found.checks).toEqual(checks);
    }),
    { numRuns: 10_000 },
  );
});
