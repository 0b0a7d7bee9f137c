// Which readings belong together: the four of one axle from one visit are a set. Those recorded as one say so; older
// ones are grouped when read, and only where no other grouping is possible. None is left out: what fits nowhere stands
// alone.
import type { Axle, CalibrationAttribute } from './calibration.ts';
import type { FourReadings, ReadingField } from './calibration-line.ts';

/** What grouping needs of a reading. The same person under name or email has one `technicianPersonId`. */
export type SetReading = {
  id: number;
  axle: Axle;
  attribute: CalibrationAttribute;
  value: string;
  calibratedAt: Date;
  setId: string | null;
  technicianPersonId: string | null;
  correctsId: number | null;
  /** The correction that supersedes it. */
  supersededBy: number | null;
};

/**
 * Readings of one axle that belong together, at most one of each attribute; what corrections superseded is beside them.
 * `first`: who read them, and when: a correction, by whoever made it, is of the reading that it corrects.
 */
export type ReadingGroup<R extends SetReading> = {
  axle: Axle;
  setId: string | null;
  first: R;
  counting: R[];
  superseded: R[];
};

/** Readings of one visit lie within this time. */
export const VISIT_MS = 4 * 60 * 60 * 1000;

const FIELDS: Record<CalibrationAttribute, ReadingField> = {
  'Empty Volt': 'empty_volt',
  'Empty Weight': 'empty_weight',
  'Loaded Volt': 'loaded_volt',
  'Loaded Weight': 'loaded_weight',
};

/** Groups the readings of one vehicle, the oldest first. */
export function groupReadings<R extends SetReading>(readings: readonly R[]): ReadingGroup<R>[] {
  const byId = new Map(readings.map((reading) => [reading.id, reading]));
  const rootOf = (reading: R): R => {
    const corrected = reading.correctsId === null ? undefined : byId.get(reading.correctsId);
    return corrected === undefined ? reading : rootOf(corrected);
  };
  const successorOf = (reading: R): R => {
    const later = reading.supersededBy === null ? undefined : byId.get(reading.supersededBy);
    return later === undefined ? reading : successorOf(later);
  };
  const counting = readings.filter(({ supersededBy }) => supersededBy === null).toSorted(inTime);
  const groups = [...Map.groupBy(counting, (reading) => keyOf(reading, rootOf(reading))).values()]
    .flatMap(runs)
    .flatMap((run) => (belongTogether(run) ? [run] : run.map((reading) => [reading])))
    .flatMap((run) => (run[0] === undefined ? [] : [groupOf(run[0], run, rootOf(run[0]))]));
  const groupById = new Map(groups.flatMap((group) => group.counting.map((reading) => [reading.id, group] as const)));
  for (const reading of readings.filter(({ supersededBy }) => supersededBy !== null)) {
    const group = groupById.get(successorOf(reading).id);
    if (group?.axle === reading.axle) group.superseded.push(reading);
    else groups.push({ ...groupOf(reading, [], rootOf(reading)), superseded: [reading] });
  }
  return groups.toSorted((a, b) => inTime(a.first, b.first));
}

/** The four readings of a group; undefined when one is missing, or was imported without a value. */
export function fourOf({ counting }: { counting: readonly SetReading[] }): FourReadings | undefined {
  const found: Partial<FourReadings> = {};
  for (const { attribute, value } of counting) if (value !== '') found[FIELDS[attribute]] = value;
  const { empty_volt, empty_weight, loaded_volt, loaded_weight } = found;
  if (
    empty_volt === undefined ||
    empty_weight === undefined ||
    loaded_volt === undefined ||
    loaded_weight === undefined
  )
    return undefined;
  return { empty_volt, empty_weight, loaded_volt, loaded_weight };
}

const groupOf = <R extends SetReading>(reading: R, counting: R[], first: R): ReadingGroup<R> => ({
  axle: reading.axle,
  setId: reading.setId,
  first,
  counting,
  superseded: [],
});

// Of whom nobody knows who it was, nobody knows that it was the same.
function keyOf(reading: SetReading, root: SetReading): string {
  if (reading.setId !== null) return `set ${reading.setId} ${reading.axle}`;
  return root.technicianPersonId === null
    ? `alone ${reading.id}`
    : `technician ${root.technicianPersonId} ${reading.axle}`;
}

// Cut where more than a visit's time lies between two. What is left in one run belongs together as a whole or not at all:
// where it lasts longer, or an attribute comes twice, it could be cut in more than one way.
function runs<R extends SetReading>(readings: R[]): R[][] {
  const all: R[][] = [];
  for (const reading of readings) {
    const run = all.at(-1);
    const last = run?.at(-1);
    if (run === undefined || last === undefined || (reading.setId === null && timeBetween(last, reading) > VISIT_MS))
      all.push([reading]);
    else run.push(reading);
  }
  return all;
}

function belongTogether(run: readonly SetReading[]): boolean {
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined) return false;
  const isOneVisit = first.setId !== null || timeBetween(first, last) <= VISIT_MS;
  return isOneVisit && new Set(run.map(({ attribute }) => attribute)).size === run.length;
}

const timeBetween = (a: SetReading, b: SetReading): number => b.calibratedAt.getTime() - a.calibratedAt.getTime();
const inTime = (a: SetReading, b: SetReading): number =>
  a.calibratedAt.getTime() - b.calibratedAt.getTime() || a.id - b.id;
