// What is drawn of a finding, as numbers.
import type { PatternKind } from './pattern.ts';
import type { SampleVisit } from './sample.ts';
import { kmBetween } from './too-far.ts';

type Point = { volts: number; kg: number };

export type Plot =
  | { kind: 'digits'; counts: number[]; labels: string[] }
  /** Of each visit each axle group's line: its empty and loaded point, in hundredths of a volt and kilograms. */
  | { kind: 'lines'; visits: { id: string; rego: string; lines: [Point, Point][] }[] }
  /** Minutes since the first visit, and kilometres from where it was, as a bird flies. */
  | { kind: 'times'; visits: { rego: string; minutes: number; km: number }[] };

export type PlottedVisit = Pick<SampleVisit, 'id' | 'at' | 'place' | 'axles'> & { rego: string };

const REMAINDERS = [0, 1, 2, 3, 4];
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** `visits`: in the order of the finding, those of one group side by side. Null: a plot says no more than they do. */
export function plotFinding(
  pattern: PatternKind,
  facts: Readonly<Record<string, number>>,
  visits: readonly PlottedVisit[],
): Plot | null {
  switch (pattern) {
    case 'invented-volts':
    case 'invented-kilograms':
      return { kind: 'digits', counts: REMAINDERS.map((r) => facts[`r${r}`] ?? 0), labels: REMAINDERS.map(String) };
    case 'copied-axle-sets':
    case 'same-as-before':
    case 'moved-a-step':
    case 'line-stays':
    case 'take-turns':
    case 'next-disagrees':
      return { kind: 'lines', visits: visits.slice(0, 2).map(linesOf) };
    case 'too-fast':
    case 'too-far':
      return { kind: 'times', visits: timesOf(visits) };
    default:
      return null;
  }
}

const linesOf = ({ id, rego, axles }: PlottedVisit) => ({
  id,
  rego,
  lines: axles.map(({ emptyVolt, emptyWeight, loadedVolt, loadedWeight }): [Point, Point] => [
    { volts: emptyVolt, kg: emptyWeight },
    { volts: loadedVolt, kg: loadedWeight },
  ]),
});

// Those within a day of the first in the list.
function timesOf(visits: readonly PlottedVisit[]) {
  const near = visits
    .filter(({ at }) => Math.abs(at - (visits[0]?.at ?? 0)) < DAY_MS)
    .toSorted((one, other) => one.at - other.at);
  const [first] = near;
  return near.map(({ rego, at, place }) => ({
    rego,
    minutes: (at - (first?.at ?? 0)) / MINUTE_MS,
    km: place === null || first === undefined || first.place === null ? 0 : kmBetween(first.place, place),
  }));
}
