// A reading as an event of the log: with the unit of what was read.
import type { LeafEvent } from '#app/transparency-log/draft-leaf.server.ts';
import { readingEvent, type LoggedReading, type LoggedVehicle } from '#app/transparency-log/events.server.ts';
import { unitOf, type Axle, type CalibrationAttribute } from './calibration.ts';

export type RecordedReading = Omit<LoggedReading, 'unit'> & { axle: Axle; attribute: CalibrationAttribute };

/** A reading was recorded, or corrects the one whose leaf is `corrects`; `moved`: it changed the vehicle's due date too. */
export const calibrationEvent = (
  vehicle: LoggedVehicle,
  reading: RecordedReading,
  technician: string | null,
  more: Parameters<typeof readingEvent>[3] = {},
): LeafEvent => readingEvent(vehicle, { ...reading, unit: unitOf(reading.attribute) }, technician, more);
