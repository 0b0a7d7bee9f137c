// What is remembered of a vehicle's record, in three parts: its fields, its calibrations, its files. So a new
// calibration is not taken for an edit of the record, and an edit of the record leaves the files alone.
import { hashOf } from './record-hash.ts';
import { isObject } from './record-reader.ts';

export type VehicleHash = { fields: string; calibrations: string; files: string };

export function vehicleHash(value: unknown): VehicleHash {
  if (!isObject(value)) return { fields: hashOf(value), calibrations: '', files: '' };
  const { calibrations, certificate, imageUrls, ...fields } = value;
  return { fields: hashOf(fields), calibrations: hashOf(calibrations), files: hashOf([certificate, imageUrls]) };
}

/** As it is stored: three words. */
export function formatVehicleHash({ fields, calibrations, files }: VehicleHash): string {
  return `${fields} ${calibrations} ${files}`;
}

/** Whether the record itself changed since `before` was stored, calibrations apart. */
export function isRecordChanged(now: VehicleHash, before: string | undefined): boolean {
  const [fields, , files] = (before ?? '').split(' ');
  return fields !== now.fields || files !== now.files;
}

/** What to store of a record skipped because the vehicle was edited here, so that the next run reports it again. */
export function keptHash(now: VehicleHash, before: string | undefined): string {
  const [fields = '', , files = ''] = (before ?? '').split(' ');
  return formatVehicleHash({ fields, calibrations: now.calibrations, files });
}
