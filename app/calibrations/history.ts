// The Calibration History: readings grouped for reading. The four readings of one axle from one visit stand in one row;
// rows of one technician's visit stand together. Nothing is hidden: a reading that fits nowhere gets a row of its own.
import { formatDay, formatInstant, todayIn } from '#app/platform/calendar.ts';
import {
  AXLES,
  axleLabel,
  CALIBRATION_ATTRIBUTES,
  formatValue,
  unitOf,
  type Axle,
  type AxleLabel,
  type CalibrationAttribute,
  type Unit,
} from './calibration.ts';

/** What grouping needs of a reading. The same person under name or email has one `technicianPersonId`. */
export type Reading = {
  id: number;
  axle: Axle;
  attribute: CalibrationAttribute;
  value: string;
  dueOn: string | null;
  calibratedAt: Date;
  setId: string | null;
  origin: 'recorded' | 'imported';
  technicianName: string | null;
  technicianPersonId: string | null;
  technicianRemovedAt: Date | null;
  /** The correction that supersedes it. */
  supersededBy: number | null;
};

export type HistoryReading = {
  attribute: CalibrationAttribute;
  id: number;
  value: string;
  unit: Unit;
  superseded: boolean;
};
export type HistoryCell = HistoryReading[];
export type HistoryRow = { axle: AxleLabel; readings: HistoryCell[] };
export type HistoryVisit = {
  key: string;
  at: string;
  iso: string;
  technician: string;
  /** The day on which the technician lost access. */
  technicianRemovedOn: string | null;
  imported: boolean;
  due: string | null;
  rows: HistoryRow[];
};

/** Readings of one visit lie within this time of its first. */
const VISIT_MS = 4 * 60 * 60 * 1000;

/** The visits, newest first. */
export function groupHistory(readings: readonly Reading[], zone: string): HistoryVisit[] {
  return groupVisits(readings).map((visit) => present(visit, zone));
}

function groupVisits(readings: readonly Reading[]): Reading[][] {
  const visits: Reading[][] = [];
  const open = new Map<string, Reading[]>();
  const inOrder = readings.toSorted((a, b) => a.calibratedAt.getTime() - b.calibratedAt.getTime() || a.id - b.id);
  for (const reading of inOrder) {
    const key =
      reading.setId ??
      `${reading.technicianPersonId ?? ''} ${reading.technicianPersonId === null ? (reading.technicianName ?? '') : ''}`;
    const visit = open.get(key);
    const start = visit?.[0];
    if (
      visit !== undefined &&
      start !== undefined &&
      reading.calibratedAt.getTime() - start.calibratedAt.getTime() <= VISIT_MS
    )
      visit.push(reading);
    else {
      const opened = [reading];
      open.set(key, opened);
      visits.push(opened);
    }
  }
  return visits.toReversed();
}

function present(visit: Reading[], zone: string): HistoryVisit {
  const first = visit[0];
  if (first === undefined) throw new Error('a visit has a reading');
  const counting = visit.filter((reading) => reading.supersededBy === null);
  const dues = [...new Set(counting.flatMap((reading) => reading.dueOn ?? []))].toSorted();
  return {
    key: String(first.id),
    at: formatInstant(first.calibratedAt, zone),
    iso: first.calibratedAt.toISOString(),
    technician:
      visit.find((reading) => reading.technicianName !== null && !reading.technicianName.includes('@'))
        ?.technicianName ??
      first.technicianName ??
      'Anonymous',
    technicianRemovedOn:
      first.technicianRemovedAt === null ? null : formatDay(todayIn(zone, first.technicianRemovedAt)),
    imported: visit.some((reading) => reading.origin === 'imported'),
    due: dues.length === 0 ? null : dues.map((due) => formatDay(due)).join(' and '),
    rows: AXLES.flatMap(({ axle }) =>
      rowsOf(
        axle,
        visit.filter((reading) => reading.axle === axle),
      ),
    ),
  };
}

// One row when each attribute was read at most once; else which belongs with which is unknown, and each stands alone.
// What a correction superseded stands struck through, beside what is in its place.
function rowsOf(axle: Axle, readings: Reading[]): HistoryRow[] {
  if (readings.length === 0) return [];
  const counting = readings.filter((reading) => reading.supersededBy === null);
  const unambiguous = new Set(counting.map((reading) => reading.attribute)).size === counting.length;
  return (unambiguous ? [readings] : readings.map((reading) => [reading])).map((row) => ({
    axle: axleLabel(axle),
    readings: CALIBRATION_ATTRIBUTES.map(({ attribute }) =>
      row
        .filter((reading) => reading.attribute === attribute)
        .toSorted((a, b) => Number(a.supersededBy !== null) - Number(b.supersededBy !== null))
        .map((reading) => ({
          attribute,
          id: reading.id,
          value: formatValue(reading.value),
          unit: unitOf(attribute),
          superseded: reading.supersededBy !== null,
        })),
    ),
  }));
}
