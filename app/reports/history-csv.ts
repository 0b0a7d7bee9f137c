// All readings of a vehicle as CSV, the newest first: what the public page of its whole history shows, one reading in a
// line.
import { unitOf } from '#app/readings/calibration.ts';
import { statesOf } from '#app/visits/evidence.ts';
import { photoAddresses } from '#app/visits/history.ts';
import type { Calibration } from '#app/readings/queries.server.ts';
import { factText, VISIT_FACTS } from '#app/readings/visit-fact.ts';
import { stateWord } from '#app/visits/visit.ts';
import { CSV_BEGIN, csvLine } from '#app/platform/http/csv.ts';
import { isoStated } from '#app/platform/time/calendar.ts';
import type { VehiclePageRecords } from '#app/vehicle-page/read-vehicle-page.server.ts';
import { axleLabel } from '#app/vehicles/axle.ts';

type Records = Pick<VehiclePageRecords, 'readings' | 'sets' | 'visits'>;
type Row = { reading: Calibration; set: Records['sets'][number] | undefined; state: string };

const COLUMNS: readonly { name: string; of: (row: Row, zone: string) => string | null }[] = [
  { name: 'Rego', of: ({ reading }) => reading.rego },
  { name: 'Entry', of: ({ reading }) => String(reading.id) },
  { name: 'Calibrated', of: ({ reading }, zone) => isoStated(reading.calibratedAt, zone) },
  { name: 'Axle', of: ({ reading }) => axleLabel(reading.axle) },
  { name: 'Attribute', of: ({ reading }) => reading.attribute },
  { name: 'Value', of: ({ reading }) => reading.value },
  { name: 'Unit', of: ({ reading }) => unitOf(reading.attribute, reading.unit) },
  { name: 'Left and right', of: ({ reading }) => reading.sides ?? '' },
  { name: 'Next due', of: ({ reading }) => reading.dueOn },
  { name: 'Technician', of: ({ reading }) => reading.technicianName },
  { name: 'Visit', of: ({ reading }) => reading.visitId },
  { name: 'State of the visit', of: ({ state }) => state },
  ...VISIT_FACTS.map((fact) => ({
    name: fact.label,
    of: ({ set }: Row) => factText(fact, set?.[fact.column] ?? ''),
  })),
  { name: 'Photo', of: ({ set }) => photoAddresses(set).join(' ') },
  { name: 'Captured (phone’s clock)', of: ({ set }) => set?.capturedAt?.toISOString() ?? '' },
  { name: 'Received', of: ({ set }) => set?.receivedAt?.toISOString() ?? '' },
  { name: 'Corrects entry', of: ({ reading }) => reading.correctsId?.toString() ?? '' },
  { name: 'Reason of the correction', of: ({ reading }) => reading.correctionReason },
  { name: 'Corrected by entry', of: ({ reading }) => reading.supersededBy?.toString() ?? '' },
  { name: 'Imported', of: ({ reading }) => (reading.origin === 'imported' ? 'yes' : 'no') },
];

/** The heading, then the lines. */
export async function* historyCsv(
  { readings, sets, visits }: Records,
  zone: string,
): AsyncGenerator<string, void, void> {
  yield CSV_BEGIN + csvLine(COLUMNS.map(({ name }) => name));
  const setById = new Map(sets.map((set) => [set.id, set]));
  const stateById = new Map(statesOf(visits).map(({ id, state }) => [id, stateWord(state)]));
  const line = (reading: Calibration) => {
    const state = reading.visitId === null ? stateWord('taken-over') : (stateById.get(reading.visitId) ?? '');
    const row = { reading, set: setById.get(reading.setId ?? ''), state };
    return csvLine(COLUMNS.map(({ of }) => of(row, zone)));
  };
  yield readings.map(line).join('');
}
