// A vehicle's form for tests.
import { NO_FACTS } from '#app/readings/visit-fact.ts';
import type { SetInput } from '#app/recording/set-entry.ts';
import type { FileChoice } from '#app/vehicles/commit-files.server.ts';
import { USUAL_TEXT } from './usual-details.ts';
import { vehicleSchema, type VehicleInput } from '#app/vehicles/vehicle-entry.ts';

export const NO_FILES: FileChoice = {
  certificate: '',
  removeCertificate: false,
  newImages: [],
  removedImages: [],
  order: new Map(),
};

export function vehicleInput(given: Record<string, string> & { rego: string }): VehicleInput {
  return vehicleSchema.parse({ group_details: USUAL_TEXT, ...given });
}

/** A visit to one axle of the truck with this VIN. */
export const setInput = (vin: string, visitedAt: Date): SetInput => ({
  ...NO_FACTS,
  vin,
  visitedAt,
  weighbridge: 'Port Kembla',
  reference_id: '',
  ticket_number: '7',
  lift_axle: 'raised',
  due_date: null,
  notes: 'Level ground.',
  axles: [
    {
      axle: 'STEER',
      readings: { empty_volt: '0.84', empty_weight: '3940', loaded_volt: '1.46', loaded_weight: '5880' },
      extras: {
        check_volt: null,
        check_weight: null,
        as_found_empty: null,
        as_found_loaded: '5900',
        sensor_replaced: false,
        other_trailer: false,
      },
    },
  ],
});
