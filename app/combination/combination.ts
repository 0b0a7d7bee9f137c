// Units that are coupled, and one word for all: the worst of what is said of each. A unit is judged by its own visits,
// but for a trailer that the truck's unit reads: it has no unit of its own, and the truck's ruling visit names it.
import type { LineAnswer } from '#app/check-list/line-answer.ts';
import { trailersIn } from '#app/readings/visit-trailers.ts';
import type { Axle } from '#app/vehicles/axle.ts';
import type { Verdict } from '#app/vehicles/verdict-table.ts';

export const UNITS_MAX = 6;

export type Word = Verdict | 'no-answer';
/** The worst first. */
export const WORST_FIRST = [
  { word: 'overdue', label: 'Overdue' },
  { word: 'never-calibrated', label: 'Never calibrated' },
  { word: 'not-validated', label: 'Not validated' },
  { word: 'no-answer', label: 'No answer' },
  { word: 'due-soon', label: 'Due soon' },
  { word: 'valid', label: 'Valid' },
] as const satisfies readonly { word: Word; label: string }[];

export const labelOf = (word: Word): string => WORST_FIRST.find((one) => one.word === word)?.label ?? '';

/** What a unit's record says of it. `trailers`: what its ruling visit says, as `trailersText` writes them. */
export type UnitRecord = { kind: string; scaleUnit: string; trailers: string };

/**
 * A unit that was asked for. `rego`: its record's; else the text, read as one. `record`: null: there is none, or
 * several could be meant.
 */
export type AskedUnit = { rego: string; answer: LineAnswer; record: UnitRecord | null };

/**
 * `readBy`: the truck whose verdict it takes. `unnamedBy`: the truck that should name it and does not; '': none is
 * there.
 */
export type Said = { word: Word; dueOn: string | null; readBy: string | null; unnamedBy: string | null };
export type JudgedUnit<Unit extends AskedUnit = AskedUnit> = Unit & Said;

export const isTruck = ({ record }: Pick<AskedUnit, 'record'>): boolean => record?.kind === '';

const namedIn = ({ record }: AskedUnit) => trailersIn(record?.trailers ?? '');

/** What is said of each unit. */
export function judgeUnits<Unit extends AskedUnit>(units: readonly Unit[]): JudgedUnit<Unit>[] {
  const trucks = units.filter(isTruck);
  return units.map((unit) => ({ ...unit, ...saidOf(unit, trucks) }));
}

function saidOf(unit: AskedUnit, trucks: readonly AskedUnit[]): Said {
  if (!isWithoutUnit(unit)) return { ...ownOf(unit), readBy: null, unnamedBy: null };
  const [first] = trucks
    .filter((truck) => namedIn(truck).some(({ group, rego }) => group !== null && rego === unit.rego))
    .map((truck) => ({ ...ownOf(truck), readBy: truck.rego, unnamedBy: null }))
    .toSorted((a, b) => rank(a) - rank(b));
  if (first !== undefined) return first;
  const unnamedBy = unit.record === null ? null : (trucks[0]?.rego ?? '');
  return { word: 'no-answer', dueOn: null, readBy: null, unnamedBy };
}

// What was removed had a record.
function isWithoutUnit({ answer, record }: AskedUnit): boolean {
  if (answer.kind === 'not-found') return answer.removedAt === null;
  return answer.kind === 'found' && answer.matchesLog && record?.scaleUnit === 'truck' && record.kind !== '';
}

const ownOf = ({ answer }: AskedUnit): Pick<Said, 'word' | 'dueOn'> =>
  answer.kind === 'found' && answer.matchesLog
    ? { word: answer.verdict, dueOn: answer.dueOn }
    : { word: 'no-answer', dueOn: null };

const rank = ({ word }: Pick<Said, 'word'>): number => WORST_FIRST.findIndex((one) => one.word === word);

/**
 * The unit that makes the word for all: of the worst the one that is due first, and of these one with a visit of its
 * own.
 */
export function worstOf<Unit extends Said>(units: readonly Unit[]): Unit | undefined {
  const [worst] = units.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      dueOrder(a).localeCompare(dueOrder(b)) ||
      Number(a.readBy !== null) - Number(b.readBy !== null),
  );
  return worst;
}

const dueOrder = ({ dueOn }: Said): string => dueOn ?? '~';

/** A line of a truck that does not hold: another trailer is in the place of the one that it was taken with. */
export type NotHeld = { group: Axle; truck: string; with: string; instead: string };

export function linesNotHeld(units: readonly AskedUnit[]): NotHeld[] {
  const here = new Set(units.map(({ rego }) => rego));
  const trailers = units.filter((unit) => !isTruck(unit)).map(({ rego }) => rego);
  return units.filter(isTruck).flatMap((truck) => {
    const named = namedIn(truck);
    const others = trailers.filter((rego) => named.every((one) => one.rego !== rego));
    // The first that is missing stood where the first that is not named stands.
    const missing = named.filter(({ rego }) => !here.has(rego));
    return missing.flatMap(({ group, rego }, place): NotHeld[] => {
      const instead = others[place];
      return group === null || instead === undefined ? [] : [{ group, truck: truck.rego, with: rego, instead }];
    });
  });
}
