// The masses of axle groups from what a weighbridge showed: a weighing is one linear equation of the groups on the
// deck. The arithmetic is exact: whole coefficients over a common denominator.

/** `kg`: what the deck showed. `e`: the weighbridge's verification interval in kg; null: not known. */
export type DeckReading = { deck: readonly string[]; kg: number; e: number | null };

/** One reading of a sum: that of `weighing` (from 0), times `n / d`; `d` is above zero. */
export type ReadingShare = { weighing: number; n: number; d: number };

export type WeighingCheck = { weighing: number; differenceKg: number; allowedKg: number; agrees: boolean };

export type Masses = {
  /** Whole kilograms; a half rounds up. Zero and less can come out. */
  masses: Partial<Record<string, number>>;
  /** Of each mass the readings that it is the sum of. */
  shares: Partial<Record<string, readonly ReadingShare[]>>;
  /** The groups whose mass the readings do not determine. */
  missing: string[];
  /** The weighings that follow from earlier ones, held against what those give. */
  checks: WeighingCheck[];
};

/** Assumed where the interval is not known. */
export const ASSUMED_INTERVAL_KG = 20;

/** What a reading in service may be wrong by, in kg: OIML R 76-1 table 6, class III, doubled. */
export function permissibleError(kg: number, e: number | null): number {
  const interval = e ?? ASSUMED_INTERVAL_KG;
  const size = Math.abs(kg);
  if (size <= 500 * interval) return interval;
  return size <= 2000 * interval ? 2 * interval : 3 * interval;
}

/** Σ groups[i] × mass i = Σ readings[i] × kg of reading i, in whole numbers. `lead`: a group that no other one has. */
type Equation = { lead: number; groups: number[]; readings: number[] };

/** The masses of `groups` by `weighings` in their order. */
export function massesOf(groups: readonly string[], weighings: readonly DeckReading[]): Masses {
  const names = [...new Set([...groups, ...weighings.flatMap(({ deck }) => deck)])];
  let equations: Equation[] = [];
  const checks: WeighingCheck[] = [];
  for (const [place, { deck, kg, e }] of weighings.entries()) {
    const own = {
      groups: names.map((name) => Number(deck.includes(name))),
      readings: weighings.map((_one, at) => Number(at === place)),
    };
    const rest = equations.reduce((row, by) => without(row, by), own);
    const lead = rest.groups.findIndex((factor) => factor !== 0);
    if (lead < 0) {
      const divisor = rest.readings[place] ?? 1;
      const sum = (of: (factor: number, at: number) => number) => total(rest.readings.map(of)) / divisor;
      const differenceKg = sum((factor, at) => factor * (weighings[at]?.kg ?? 0));
      const others = total(
        rest.readings.map((factor, at) => {
          const by = weighings[at];
          return at === place || by === undefined ? 0 : Math.abs(factor) * permissibleError(by.kg, by.e);
        }),
      );
      const allowedKg = permissibleError(kg, e) + others / Math.abs(divisor);
      checks.push({ weighing: place, differenceKg, allowedKg, agrees: Math.abs(differenceKg) <= allowedKg });
      continue;
    }
    const found = { lead, ...rest };
    equations = [...equations.map((one) => ({ lead: one.lead, ...without(one, found) })), found];
  }
  return { ...solved(groups, equations, { names, weighings }), checks };
}

function solved(
  groups: readonly string[],
  equations: readonly Equation[],
  { names, weighings }: { names: readonly string[]; weighings: readonly DeckReading[] },
): Omit<Masses, 'checks'> {
  const found: Omit<Masses, 'checks'> = { masses: {}, shares: {}, missing: [] };
  for (const group of groups) {
    const at = names.indexOf(group);
    const by = equations.find(({ lead }) => lead === at);
    if (by === undefined || by.groups.some((factor, place) => factor !== 0 && place !== at)) {
      found.missing.push(group);
      continue;
    }
    const d = by.groups[at] ?? 1;
    const shares = by.readings.flatMap((n, weighing) =>
      n === 0 ? [] : [{ weighing, n: d < 0 ? -n : n, d: Math.abs(d) }],
    );
    const n = total(shares.map((share) => share.n * (weighings[share.weighing]?.kg ?? 0)));
    found.shares[group] = shares;
    found.masses[group] = Math.floor((2 * n + Math.abs(d)) / (2 * Math.abs(d)));
  }
  return found;
}

// `row` without the group that `by` leads, in lowest terms.
function without({ groups, readings }: Omit<Equation, 'lead'>, by: Equation): Omit<Equation, 'lead'> {
  const [factor, lead] = [groups[by.lead] ?? 0, by.groups[by.lead] ?? 1];
  if (factor === 0) return { groups, readings };
  const less = (own: readonly number[], other: readonly number[]) =>
    own.map((value, at) => value * lead - (other[at] ?? 0) * factor);
  const row = { groups: less(groups, by.groups), readings: less(readings, by.readings) };
  const divisor = [...row.groups, ...row.readings].reduce(greatestCommonDivisor, 0);
  const lowest = (values: readonly number[]) => values.map((value) => value / divisor);
  return { groups: lowest(row.groups), readings: lowest(row.readings) };
}

function greatestCommonDivisor(a: number, b: number): number {
  let [one, other] = [Math.abs(a), Math.abs(b)];
  while (other !== 0) [one, other] = [other, one % other];
  return one;
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
