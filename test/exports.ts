// An export of the former register with one truck, for tests of what an import does to it.
import type { FourReadings, ReadingField } from '#app/readings/calibration-line.ts';
import { READING_FIELDS } from '#app/readings/set-grid.ts';
import type { Axle } from '#app/vehicles/axle.ts';
import { honestReadings } from './visits.ts';

export type ExportedReadings = {
  nudge?: number;
  readings?: Partial<FourReadings>;
  only?: readonly ReadingField[];
  dueOn?: string;
  technician?: string;
};

/** The readings of an axle as the export has them: by their milliseconds, from `at` on. */
export function exportedReadings(
  axle: Axle,
  at: Date,
  { nudge = 0, readings, only, dueOn = '', technician = 'Jo Nguyen' }: ExportedReadings = {},
): Record<string, Record<string, string>> {
  const values = { ...honestReadings(axle, nudge), ...readings };
  return Object.fromEntries(
    READING_FIELDS.filter(({ field }) => only?.includes(field) ?? true).map(({ field, label }, place) => [
      at.getTime() + place,
      {
        axle_type: axle,
        calibration_attribute: label,
        calibration_value: values[field],
        calibration_due_date: dueOn,
        calibrating_technician: technician,
      },
    ]),
  );
}

/** A ticked truck of the export. */
export const exportedTruck = (
  rego: string,
  dueOn: string,
  calibrations: Record<string, Record<string, string>>,
): unknown => ({
  Vehicles: {
    [rego]: { rego, vin: `6T9${rego}`, calibration_validated: true, next_calibration_due: dueOn, calibrations },
  },
});
