// From a form to a vehicle's row and back, and what differs between the two.
import type { ActivityChange } from '#database/tables.ts';
import type { Vehicle } from './queries.server.ts';
import { ADMIN_FIELDS, VEHICLE_FIELDS, type VehicleInput, type VehicleText } from './vehicle-entry.ts';

/** The columns that `input` sets; those of admins only when `decides`. */
export function columnsOf(input: VehicleInput, decides: boolean) {
  const { make, model, notes, vin } = input;
  return {
    vin,
    make,
    model,
    notes,
    companyName: input.company_name,
    driverName: input.driver_name,
    scaleSerialNumber: input.scale_serial_number,
    fittedLocation: input.fitted_location,
    fittedOn: input.fitted_date,
    warrantyExpiresOn: input.warranty_expiry_date,
    ...(decides
      ? { nextCalibrationDueOn: input.next_calibration_due, calibrationValidated: input.calibration_validated }
      : {}),
  };
}

/** What `input` would change of `vehicle`, field by field, under the specification's names. */
export function changesOf(vehicle: Vehicle, input: VehicleInput, decides: boolean): ActivityChange[] {
  return VEHICLE_FIELDS.filter(({ field }) => decides || !ADMIN_FIELDS.includes(field))
    .map(({ field, column }) => ({ field, from: vehicle[column], to: input[field] }))
    .filter(({ from, to }) => from !== to);
}

/** What the form shows of `vehicle`. */
export function textsOf(vehicle: Vehicle): Record<VehicleText, string> {
  return {
    vin: vehicle.vin,
    make: vehicle.make,
    model: vehicle.model,
    company_name: vehicle.companyName,
    driver_name: vehicle.driverName,
    scale_serial_number: vehicle.scaleSerialNumber,
    fitted_location: vehicle.fittedLocation,
    fitted_date: vehicle.fittedOn ?? '',
    warranty_expiry_date: vehicle.warrantyExpiresOn ?? '',
    notes: vehicle.notes,
    next_calibration_due: vehicle.nextCalibrationDueOn ?? '',
    calibration_validated: vehicle.calibrationValidated ? 'yes' : 'no',
  };
}
