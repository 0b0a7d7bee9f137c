// A vehicle's form for tests.
import type { FileChoice } from '#app/vehicles/settle-files.server.ts';
import { vehicleSchema, type VehicleInput } from '#app/vehicles/vehicle-entry.ts';

export const NO_FILES: FileChoice = {
  certificate: '',
  removeCertificate: false,
  newImages: [],
  removedImages: [],
  order: new Map(),
};

export function vehicleInput(given: Record<string, string> & { rego: string }): VehicleInput {
  return vehicleSchema.parse(given);
}
