// The errors of a scale at the check loads of one visit: of each group, and of the whole. They say how sure a
// calibration is; no verdict depends on them.
import { isAxle, type Axle } from '#app/vehicles/axle.ts';
import type { Tolerance } from './agreement.ts';
import type { MeasuredSet } from './axle-lines.ts';
import type { SetReading } from './calibration-set.ts';
import { absolute, compare, divide, multiply, whole, type Fraction } from './fraction.ts';
import type { CheckLoad } from './grid-outputs.ts';
import { judgeError, type Decision, type GroupAtCheck, type JudgedError, type WeighedBy } from './judge-error.ts';
import { massesOf } from './masses-of.ts';
import { checkLoadsOf } from './set-grid.ts';
import type { Load, Weighing } from './weighings.ts';

/** Printed beside every error: of the formulas on the page of the method. */
export const METHOD_VERSION = 1;

/** From the best to the worst, then none. */
export const DECISIONS = [
  ...(['conforms', 'conforms-not-beyond-doubt', 'does-not-conform-not-beyond-doubt'] as const),
  ...(['does-not-conform', 'cannot-be-told'] as const),
] as const satisfies readonly Decision[];

/**
 * `axle`: null is the whole; `load`: which of the group's check loads, from 0. `tolerance`: in kg.
 */
export type ToldError = JudgedError & { axle: Axle | null; load: number; tolerance: Fraction };

/**
 * `e`: the verification interval of the visit's weighbridge; null: not known, so that `assumedKg` is taken.
 * `weighings`: of the visit; none: each group was weighed by itself.
 */
export type Weighed = {
  e: number | null;
  assumedKg: number;
  weighings: readonly Weighing[];
  tolerance: Tolerance;
};

/** In the order of the groups, each check load; then the whole. `measured`: the groups of the visit. */
export function errorsAtCheck(measured: readonly MeasuredSet<SetReading>[], weighed: Weighed): ToldError[] {
  const groups = measured.flatMap((set) =>
    checkLoadsOf(set.extras).map((load, place) => {
      const { weight } = load;
      const group = set.line === undefined || isPointOf(set, load) ? undefined : groupAt(set, load, weighed);
      const by = place === 0 ? readingsOf({ axle: set.axle, load: 'check', weight }, weighed) : single(weight, weighed);
      return { axle: set.axle, load: place, ...tell([group], by, weighed.tolerance) };
    }),
  );
  return [...groups, ...ofTheWhole(measured, weighed)];
}

// A check load is another load: a point of the line itself lies on it, and shows nothing.
const isPointOf = ({ four }: MeasuredSet<SetReading>, { volt, weight }: CheckLoad): boolean =>
  four !== undefined &&
  [
    [four.empty_volt, four.empty_weight],
    [four.loaded_volt, four.loaded_weight],
  ].some(([output, mass]) => Number(output) === Number(volt) && Number(mass) === Number(weight));

// Against the ticket of the check load with the most groups on the deck, all of this vehicle: what another one shows
// stands in its own record.
function ofTheWhole(measured: readonly MeasuredSet<SetReading>[], weighed: Weighed): ToldError[] {
  const [gross] = weighed.weighings
    .filter(({ load, deck }) => load === 'check' && deck.length > 1 && deck.every(isAxle))
    .toSorted((a, b) => b.deck.length - a.deck.length);
  if (gross === undefined) return [];
  const groups = gross.deck.filter(isAxle).map((axle) => {
    const set = measured.find((one) => one.axle === axle);
    // It may have stood on this deck only, and so have no weight of its own.
    const { check_volt: volt = null, check_sides: sides } = set?.extras ?? {};
    return set?.line === undefined || volt === null ? undefined : groupAt(set, { volt, sides }, weighed);
  });
  const ticket = { kg: gross.kg, e: gross.e ?? weighed.assumedKg, share: whole(1) };
  return [{ axle: null, load: 0, ...tell(groups, [ticket], weighed.tolerance) }];
}

function tell(
  groups: readonly (GroupAtCheck | undefined)[],
  by: readonly WeighedBy[],
  { tolerancePerMille, toleranceKg }: Tolerance,
): Pick<ToldError, 'error' | 'decision' | 'tolerance'> {
  const { error } = judgeError(groups, by, whole(0));
  const relative = divide(multiply(error?.weighed ?? whole(0), whole(tolerancePerMille)), whole(1000));
  const tolerance = compare(relative, whole(toleranceKg)) > 0 ? relative : whole(toleranceKg);
  return { tolerance, ...judgeError(groups, by, tolerance) };
}

function groupAt(
  set: MeasuredSet<SetReading>,
  check: Pick<CheckLoad, 'volt' | 'sides'>,
  weighed: Weighed,
): GroupAtCheck | undefined {
  const { axle, four, group } = set;
  if (four === undefined) return undefined;
  const typed = group.counting.filter(({ attribute }) => attribute.endsWith('Volt')).flatMap(typedOutputs);
  return {
    step: stepOf([...typed, ...typedOutputs({ value: check.volt, sides: check.sides })]),
    empty: {
      output: four.empty_volt,
      readings: readingsOf({ axle, load: 'empty', weight: four.empty_weight }, weighed),
    },
    loaded: {
      output: four.loaded_volt,
      readings: readingsOf({ axle, load: 'loaded', weight: four.loaded_weight }, weighed),
    },
    check: check.volt,
  };
}

const typedOutputs = ({ value, sides }: { value: string; sides?: string | null | undefined }): string[] =>
  sides == null ? [value] : sides.split(' ');

// One in the last digit of what was typed; who types 3.4 beside 0.92 left out a zero.
function stepOf(typed: readonly string[]): string {
  const places = Math.max(0, ...typed.map((text) => text.split('.')[1]?.length ?? 0));
  return places === 0 ? '1' : `0.${'1'.padStart(places, '0')}`;
}

// Of which readings of the deck the mass is the sum. One that was corrected since is of none of them.
function readingsOf({ axle, load, weight }: { axle: Axle; load: Load; weight: string }, weighed: Weighed): WeighedBy[] {
  const own = weighed.weighings.filter((one) => one.load === load);
  const decks = own.map(({ deck, kg, e }) => ({ deck, kg, e: e ?? weighed.assumedKg }));
  const { masses, shares } = massesOf([axle], decks);
  if (masses[axle] !== Number(weight)) return single(weight, weighed);
  return (shares[axle] ?? []).flatMap(({ weighing, n, d }) => {
    const reading = decks[weighing];
    return reading === undefined ? [] : [{ kg: reading.kg, e: reading.e, share: { n: BigInt(n), d: BigInt(d) } }];
  });
}

// Older entries may have decimals of a kilogram.
const single = (weight: string, { e, assumedKg }: Weighed): WeighedBy[] => [
  { kg: Math.round(Number(weight)), e: e ?? assumedKg, share: whole(1) },
];

/** That which is nearest to its tolerance, or furthest beyond it; undefined: nothing is told. */
export function worstOf(errors: readonly ToldError[]): ToldError | undefined {
  const share = ({ error, tolerance }: ToldError): Fraction => divide(absolute(error?.error ?? whole(0)), tolerance);
  const told = errors.filter(({ decision }) => decision !== 'cannot-be-told');
  return told.toSorted((a, b) => compare(share(b), share(a)))[0];
}
