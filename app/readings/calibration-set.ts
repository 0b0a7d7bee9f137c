// Groups readings: the four readings of one axle from one visit are a set. Readings carry the id of their visit. Those
// from before there were visits are grouped on each read, and only if no other grouping is possible. No reading is left
// out: one that fits no group is a group by itself.
import type { Axle } from '#app/vehicles/axle.ts';
import type { Output } from '#app/vehicles/outputs.ts';
import { READING_FIELD, type CalibrationAttribute } from './calibration.ts';
import { fourIn, type FourReadings } from './calibration-line.ts';

/**
 * The fields of a reading that grouping needs. A person has one `technicianPersonId`, whether recorded under name or
 * email, if nobody else has the name. A name that several people have is a person of its own (`technicianIsName`). Who
 * is meant shows if the same visit also has a reading of one of them under an email address.
 */
export type SetReading = {
  id: number;
  axle: Axle;
  attribute: CalibrationAttribute;
  value: string;
  /** Of an output; without: V. */
  unit?: Output | null | undefined;
  /** What the left and the right sensor said. */
  sides?: string | null;
  calibratedAt: Date;
  setId: string | null;
  /** Null: from before there were visits, or imported. */
  visitId: string | null;
  technicianPersonId: string | null;
  technicianName: string | null;
  /** Only the technician's name is known, and several people have it. */
  technicianIsName: boolean;
  /** The entry that this one corrects. */
  correctsId: number | null;
  /** The correction that supersedes it. */
  supersededBy: number | null;
};

/**
 * Readings of one axle that belong together. `counting` has at most one of each attribute; `superseded` has the
 * readings that they correct. `first` says who read them, and when: for a correction it is the original reading,
 * because somebody else may have made the correction, and later.
 */
export type ReadingGroup<R extends SetReading> = {
  axle: Axle;
  setId: string | null;
  first: R;
  counting: R[];
  superseded: R[];
};

/** All readings of one visit are within this time. */
export const VISIT_MS = 4 * 60 * 60 * 1000;

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
  const technicianOf = technicianKeys(readings);
  const groups = [...Map.groupBy(counting, (reading) => keyOf(reading, technicianOf(rootOf(reading)))).values()]
    .flatMap(runs)
    .flatMap((run) => apart(run, rootOf))
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

/** The values of readings of one axle by field, without those that were imported without a value. */
export function readingsByField(
  readings: readonly Pick<SetReading, 'attribute' | 'value' | 'unit'>[],
): Partial<FourReadings> {
  const found: Partial<FourReadings> = {};
  for (const { attribute, value } of readings) if (value !== '') found[READING_FIELD[attribute]] = value;
  const outputs = readings.filter(({ attribute, value }) => value !== '' && attribute.endsWith('Volt'));
  const [unit = null, ...others] = new Set(outputs.map((one) => one.unit ?? 'V'));
  if (unit === null || (unit === 'V' && others.length === 0)) return found;
  return { ...found, unit: others.length === 0 ? unit : 'mixed' };
}

/** The four readings of a group; undefined if one is missing or was imported without a value. */
export const fourOf = ({ counting }: { counting: readonly SetReading[] }): FourReadings | undefined =>
  fourIn(readingsByField(counting));

const groupOf = <R extends SetReading>(reading: R, counting: R[], first: R): ReadingGroup<R> => ({
  axle: reading.axle,
  setId: reading.setId,
  first,
  counting,
  superseded: [],
});

// A set of before there were visits has no visit.
const visitOf = ({ visitId, setId }: SetReading): string | null => visitId ?? setId;

// Readings without a technician are never grouped: nobody knows whether the same person took them.
function keyOf(reading: SetReading, technician: string | undefined): string {
  const visit = visitOf(reading);
  if (visit !== null) return `visit ${visit} ${reading.axle}`;
  return technician === undefined ? `alone ${reading.id}` : `technician ${technician} ${reading.axle}`;
}

/**
 * A key for each reading. Readings whose technician may be the same person have the same key; undefined: no technician
 * is named. `apart` then decides, visit by visit, whether it is one person.
 */
export function technicianKeys(readings: readonly SetReading[]): (reading: SetReading) => string | undefined {
  const parent = new Map<string, string>();
  const top = (key: string): string => {
    const above = parent.get(key);
    return above === undefined ? key : top(above);
  };
  const personOf = (reading: SetReading) => `person ${reading.technicianPersonId ?? ''}`;
  const named = new Map<string, string>();
  for (const reading of readings)
    if (reading.technicianIsName && reading.technicianName !== null)
      named.set(reading.technicianName, personOf(reading));
  for (const reading of readings) {
    const name = reading.technicianName === null ? undefined : named.get(reading.technicianName);
    const [one, other] = [top(personOf(reading)), name === undefined ? undefined : top(name)];
    if (other !== undefined && one !== other) parent.set(one, other);
  }
  return (reading) => (reading.technicianPersonId === null ? undefined : top(personOf(reading)));
}

// Splits a visit of two people with the same name. Each has the readings under their email address. If a reading has
// only the name, it could be of either, so then every reading is a group by itself.
function apart<R extends SetReading>(run: R[], rootOf: (reading: R) => R): R[][] {
  if (run[0] === undefined || visitOf(run[0]) !== null) return [run];
  const people = Map.groupBy(run, (reading) => rootOf(reading).technicianPersonId);
  const isName = (reading: R) => rootOf(reading).technicianIsName;
  const addressed = new Set(run.flatMap((reading) => (isName(reading) ? [] : [rootOf(reading).technicianPersonId])));
  if (addressed.size < 2) return [run];
  return run.some(isName) ? run.map((reading) => [reading]) : [...people.values()];
}

// Splits readings where more than a visit's time is between two. Each run is then a group as a whole, or not at all: if
// it lasts longer than a visit, or has an attribute twice, there is more than one way to split it.
function runs<R extends SetReading>(readings: R[]): R[][] {
  const all: R[][] = [];
  for (const reading of readings) {
    const run = all.at(-1);
    const last = run?.at(-1);
    if (run === undefined || last === undefined || (visitOf(reading) === null && timeBetween(last, reading) > VISIT_MS))
      all.push([reading]);
    else run.push(reading);
  }
  return all;
}

function belongTogether(run: readonly SetReading[]): boolean {
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined) return false;
  const isOneVisit = visitOf(first) !== null || timeBetween(first, last) <= VISIT_MS;
  return isOneVisit && new Set(run.map(({ attribute }) => attribute)).size === run.length;
}

const timeBetween = (a: SetReading, b: SetReading): number => b.calibratedAt.getTime() - a.calibratedAt.getTime();
const inTime = (a: SetReading, b: SetReading): number =>
  a.calibratedAt.getTime() - b.calibratedAt.getTime() || a.id - b.id;
