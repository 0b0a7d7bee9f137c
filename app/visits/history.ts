// The Calibration History: the four readings of one axle from one visit are a row, and the rows of one technician's
// visit are a group. No reading is hidden: one that fits no row gets a row of its own.
import { formatDay, formatInstant, formatStated, todayIn } from '#app/platform/time/calendar.ts';
import { durationWords } from '#app/platform/time/duration.ts';
import { AXLES, axleLabel, type Axle, type AxleLabel } from '#app/vehicles/axle.ts';
import { CALIBRATION_ATTRIBUTES, formatValue } from '#app/readings/calibration.ts';
import { sidesWords, valueWords } from '#app/readings/reading-words.ts';
import { factWords, VISIT_FACTS, type VisitFactColumns } from '#app/readings/visit-fact.ts';
import type { RecorderName } from '#app/readings/recorder-name.tsx';
import { reasonWords, stateWord, type VisitState } from './visit.ts';
import {
  groupReadings,
  technicianKeys,
  VISIT_MS,
  type ReadingGroup,
  type SetReading,
} from '#app/readings/calibration-set.ts';

/** The fields of a reading that the history needs. */
export type Reading = SetReading & {
  dueOn: string | null;
  origin: 'recorded' | 'imported';
  technicianRemovedAt: Date | null;
};

/** The part of a recorded set that its visit shows. `notes` are '' for the public. */
export type RecordedVisit = VisitFactColumns & {
  id: string;
  photoId: string | null;
  photoHiddenAt: Date | null;
  morePhotoIds: readonly string[] | null;
  capturedAt: Date | null;
  receivedAt: Date | null;
  capturedBy: string | null;
  notes: string;
  axles: readonly { axle: Axle; sensor_replaced: boolean }[];
};

/** `superseded` is there only where it is so: the page's data would name it for each of its readings. */
/** `unit`: '' where the value names it. */
export type HistoryReading = { id: number; value: string; unit?: ''; superseded?: true };
export type HistoryCell = HistoryReading[];
/** A cell for each of CALIBRATION_ATTRIBUTES. */
export type HistoryRow = { axle: AxleLabel; readings: HistoryCell[] };
export type HistoryVisit = {
  key: string;
  /** Null: from before there were visits, or imported. */
  visitId: string | null;
  at: string;
  iso: string;
  /** Null: the visit was imported without a technician. */
  technician: string | null;
  /** The day on which the technician lost access. */
  technicianRemovedOn: string | null;
  imported: boolean;
  due: string | null;
  /** What is said of a visit that was recorded as a set: its reference standard, and all else; otherwise ''. */
  standard: string;
  about: string;
  photos: readonly string[];
  /** Null: nobody is named. */
  recorder: RecorderName | null;
  /** What stands after its day and the name, up to the photos. */
  beside: string;
  notes: string;
  rows: HistoryRow[];
  /** What the visit's state is, and in words what there is to say of it. Null: it is not known. */
  state: { state: VisitState; words: string } | null;
};
/** What the page shows. The page has it twice: as HTML, and as data for the browser. */
export type ShownVisit = Pick<
  HistoryVisit,
  'key' | 'at' | 'iso' | 'imported' | 'recorder' | 'beside' | 'photos' | 'notes' | 'rows' | 'state'
>;
/** The part of a visit that the history shows. */
export type StateOfVisit = { id: string; state: VisitState; reason: string };

const NOBODY = 'Anonymous';

/** The visits, newest first. `withPage`: the people who have a page. */
export function groupHistory(
  readings: readonly Reading[],
  zone: string,
  {
    sets = [],
    states = [],
    withPage = new Set(),
  }: { sets?: readonly RecordedVisit[]; states?: readonly StateOfVisit[]; withPage?: ReadonlySet<string> } = {},
): HistoryVisit[] {
  const byId = new Map(sets.map((set) => [set.id, set]));
  const stateById = new Map(states.map((visit) => [visit.id, visit]));
  return groupVisits(groupReadings(readings), technicianKeys(readings)).map((visit) =>
    present(visit, zone, { recorded: byId.get(visit[0]?.setId ?? ''), stateById, withPage }),
  );
}

// Rows of one visit; without one, those of one technician within a visit's time.
function groupVisits(
  groups: readonly ReadingGroup<Reading>[],
  technicianKey: (reading: Reading) => string | undefined,
): ReadingGroup<Reading>[][] {
  const visits: ReadingGroup<Reading>[][] = [];
  const open = new Map<string, ReadingGroup<Reading>[]>();
  for (const group of groups) {
    const { first } = group;
    const known = first.visitId ?? first.setId;
    const key = known ?? technicianKey(first) ?? '';
    const visit = open.get(key);
    const start = visit?.[0]?.first.calibratedAt;
    if (
      visit !== undefined &&
      start !== undefined &&
      (known !== null || first.calibratedAt.getTime() - start.getTime() <= VISIT_MS)
    )
      visit.push(group);
    else {
      const opened = [group];
      open.set(key, opened);
      visits.push(opened);
    }
  }
  return visits.toReversed();
}

function present(
  visit: readonly ReadingGroup<Reading>[],
  zone: string,
  {
    recorded,
    stateById,
    withPage,
  }: {
    recorded: RecordedVisit | undefined;
    stateById: ReadonlyMap<string, StateOfVisit>;
    withPage: ReadonlySet<string>;
  },
): HistoryVisit {
  const first = visit[0]?.first;
  if (first === undefined) throw new Error('a visit has a reading');
  const readings = visit.flatMap(({ counting, superseded }) => [...counting, ...superseded]);
  const imported = readings.some((reading) => reading.origin === 'imported');
  const named = technicianOf([first, ...readings.filter(({ correctsId }) => correctsId === null)]);
  const technician = imported && named === NOBODY ? null : named;
  const personId = readings.find(({ technicianName }) => technicianName === technician)?.technicianPersonId ?? '';
  const removedOn = first.technicianRemovedAt === null ? null : formatDay(todayIn(zone, first.technicianRemovedAt));
  const dues = [...new Set(visit.flatMap(({ counting }) => counting.flatMap(({ dueOn }) => dueOn ?? [])))].toSorted();
  const due = dues.length === 0 ? null : dues.map((day) => formatDay(day)).join(' and ');
  const standard = recorded === undefined ? '' : factWords(recorded, STANDARD_FACTS).join(' · ');
  const about = recorded === undefined ? '' : aboutOf(recorded, zone);
  return {
    key: String(first.id),
    visitId: first.visitId,
    at: formatStated(first.calibratedAt, zone),
    iso: first.calibratedAt.toISOString(),
    technician,
    technicianRemovedOn: removedOn,
    imported,
    due,
    standard,
    about,
    recorder: technician === null ? null : { name: technician, personId: withPage.has(personId) ? personId : null },
    beside: [
      removedOn === null ? '' : `, removed from this registry on ${removedOn}`,
      due === null ? '' : ` · due ${due}`,
      ...[standard, about].map((words) => (words === '' ? '' : ` · ${words}`)),
    ].join(''),
    photos: photoAddresses(recorded),
    notes: recorded?.notes ?? '',
    rows: AXLES.flatMap(({ axle }) => visit.filter((group) => group.axle === axle).map(rowOf)),
    state: stateOf(first, visit, stateById),
  };
}

// Readings without a visit keep their effect as it stood.
function stateOf(
  { visitId }: Reading,
  visit: readonly ReadingGroup<Reading>[],
  stateById: ReadonlyMap<string, StateOfVisit>,
): HistoryVisit['state'] {
  if (visitId === null) return { state: 'taken-over', words: stateWord('taken-over') };
  const known = stateById.get(visitId);
  if (known === undefined) return null;
  const { state, reason } = known;
  const axles = [...new Set(visit.map(({ axle }) => axleLabel(axle)))].join(', ');
  const more = state === 'partial' ? `${axles} only` : reasonWords(reason);
  return { state, words: more === '' ? stateWord(state) : `${stateWord(state)}: ${more}` };
}

/** Where a visit's photos are; none: it has none, or an admin hid them. */
export const photoAddresses = (
  set: Pick<RecordedVisit, 'photoId' | 'photoHiddenAt' | 'morePhotoIds'> | undefined,
): string[] =>
  set === undefined || set.photoId === null || set.photoHiddenAt !== null
    ? []
    : [set.photoId, ...(set.morePhotoIds ?? [])].map((id) => `/files/${id}`);

/**
 * 'captured on a phone on 24 November 2026, 2:20 pm by its clock, received 3 hours later'; '' for a visit that was not.
 * `capturedBy`: '' where who it was is not to be said.
 */
export function capturedWords(
  { capturedAt, receivedAt, capturedBy }: Pick<RecordedVisit, 'capturedAt' | 'receivedAt' | 'capturedBy'>,
  zone: string,
): string {
  if (capturedAt === null || receivedAt === null) return '';
  const ms = receivedAt.getTime() - capturedAt.getTime();
  const late = `${durationWords(Math.abs(ms))} ${ms < 0 ? 'before that' : 'later'}`;
  // Anybody who wrote a file may name anybody in it: that is a claim, and only for the office.
  const from = capturedBy === null ? '' : ` from a file${capturedBy === '' ? '' : ` that names ${capturedBy}`}`;
  return `captured on a phone on ${formatInstant(capturedAt, zone)} by its clock, received ${late}${from}`;
}

const [STANDARD_FACTS, OTHER_FACTS] = [
  VISIT_FACTS.filter((fact) => 'isStandard' in fact),
  VISIT_FACTS.filter((fact) => !('isStandard' in fact)),
];

function aboutOf(recorded: RecordedVisit, zone: string): string {
  const { axles, photoHiddenAt } = recorded;
  const captured = capturedWords(recorded, zone);
  const replaced = axles.filter(({ sensor_replaced }) => sensor_replaced).map(({ axle }) => axleLabel(axle));
  return [
    ...factWords(recorded, OTHER_FACTS),
    ...(replaced.length === 0 ? [] : [`new sensor: ${replaced.join(', ')}`]),
    ...(captured === '' ? [] : [captured]),
    ...(photoHiddenAt === null ? [] : ['photo hidden']),
  ].join(' · ');
}

/** The technician's name, or their email address if no reading has a name. */
export function technicianOf(readings: readonly Pick<Reading, 'technicianName'>[]): string {
  const names = readings.flatMap(({ technicianName }) => technicianName ?? []);
  return names.find((name) => !name.includes('@')) ?? names[0] ?? NOBODY;
}

// Columns are in V and kg: another unit stands with its value, and so does what the mean is of.
function shownValue(reading: SetReading): Pick<HistoryReading, 'value' | 'unit'> {
  const sides = sidesWords(reading.sides);
  if ((reading.unit ?? null) === null && sides === '') return { value: formatValue(reading.value) };
  return { value: `${valueWords(reading, '\u00a0')}${sides === '' ? '' : ` (${sides})`}`, unit: '' };
}

// A cell shows the counting reading, then superseded readings, which the page strikes through.
function rowOf({ axle, counting, superseded }: ReadingGroup<Reading>): HistoryRow {
  return {
    axle: axleLabel(axle),
    readings: CALIBRATION_ATTRIBUTES.map(({ attribute }) =>
      [...counting, ...superseded]
        .filter((reading) => reading.attribute === attribute)
        .map((reading) => ({
          id: reading.id,
          ...shownValue(reading),
          ...(reading.supersededBy === null ? {} : { superseded: true as const }),
        })),
    ),
  };
}
