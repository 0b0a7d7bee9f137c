// The calibration lines of one vehicle, and the results of the calculator below them.
import type { Tolerance } from './agreement.ts';
import { measureAxles, type MeasuredSet } from './axle-lines.ts';
import type { Axle } from '#app/vehicles/axle.ts';
import { groupReadings } from './calibration-set.ts';
import { calculate, presentLines, type Calculated, type ShownLines } from './present-lines.ts';
import type { Calibration, CalibrationSet } from './queries.server.ts';

export type VehicleLines = {
  /** Null: no axle has a line. */
  shown: ShownLines | null;
  calculated: { axles: Calculated[]; total: string | null };
};

/** The measured sets of each axle, oldest visit first. */
export const vehicleSeries = (
  readings: readonly Calibration[],
  sets: readonly CalibrationSet[],
  tolerance: Tolerance,
): Map<Axle, MeasuredSet<Calibration>[]> => measureAxles(groupReadings(readings), sets, tolerance);

/** `asked`: the typed volts, by the axle's name in lower case. Null: the vehicle has no reading. */
export function presentVehicleLines(
  readings: readonly Calibration[],
  sets: readonly CalibrationSet[],
  { zone, asked, tolerance }: { zone: string; asked: URLSearchParams; tolerance: Tolerance },
): VehicleLines | null {
  if (readings.length === 0) return null;
  const series = vehicleSeries(readings, sets, tolerance);
  return {
    shown: presentLines(series, zone),
    calculated: calculate(series, (axle) => asked.get(axle.toLowerCase()) ?? ''),
  };
}
