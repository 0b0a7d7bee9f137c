// The calibration lines of one vehicle, and what the calculator beside them is asked.
import type { Tolerance } from './agreement.ts';
import { measureAxles, type MeasuredSet } from './axle-lines.ts';
import type { Axle } from './calibration.ts';
import { groupReadings } from './calibration-set.ts';
import { calculate, presentLines } from './present-lines.ts';
import type { Calibration, CalibrationSet } from './queries.server.ts';

/** What each visit measured of each axle, the oldest first. */
export const vehicleSeries = (
  readings: readonly Calibration[],
  sets: readonly CalibrationSet[],
  tolerance: Tolerance,
): Map<Axle, MeasuredSet<Calibration>[]> => measureAxles(groupReadings(readings), sets, tolerance);

/** `asked`: volts by the axle's name in lower case. Null: nothing was ever read. */
export function presentVehicleLines(
  readings: readonly Calibration[],
  sets: readonly CalibrationSet[],
  { zone, asked, tolerance }: { zone: string; asked: URLSearchParams; tolerance: Tolerance },
) {
  if (readings.length === 0) return null;
  const series = vehicleSeries(readings, sets, tolerance);
  return {
    shown: presentLines(series, zone),
    calculated: calculate(series, (axle) => asked.get(axle.toLowerCase()) ?? ''),
  };
}
