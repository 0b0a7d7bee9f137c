// The calibration lines of one vehicle, and the results of the calculator below them.
import { measureAxles, type MeasuredSet, type Measuring } from './axle-lines.ts';
import type { Axle } from '#app/vehicles/axle.ts';
import { groupReadings } from './calibration-set.ts';
import { calculate, presentLines, type ShownLines, type ToldInWords } from './present-lines.ts';
import type { Calibration, CalibrationSet } from './queries.server.ts';

export type VehicleLines = {
  /** Null: no axle has a line. */
  shown: ShownLines | null;
  calculated: ReturnType<typeof calculate>;
};

/** The measured sets of each axle, oldest visit first. */
export const vehicleSeries = (
  readings: readonly Calibration[],
  sets: readonly CalibrationSet[],
  measuring: Measuring,
): Map<Axle, MeasuredSet<Calibration>[]> => measureAxles(groupReadings(readings), sets, measuring);

/** `asked`: the typed volts, by the axle's name in lower case. Null: the vehicle has no reading. */
export function presentVehicleLines(
  readings: readonly Calibration[],
  sets: readonly CalibrationSet[],
  { zone, asked, told, ...measuring }: { zone: string; asked: URLSearchParams; told?: ToldInWords } & Measuring,
): VehicleLines | null {
  if (readings.length === 0) return null;
  const series = vehicleSeries(readings, sets, measuring);
  return {
    shown: presentLines(series, zone, told),
    calculated: calculate(series, (axle) => asked.get(axle.toLowerCase()) ?? ''),
  };
}
