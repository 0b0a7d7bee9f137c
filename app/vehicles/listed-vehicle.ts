// A vehicle in a list, in words.
import { formatDay } from '#app/platform/time/calendar.ts';
import type { ListedVehicle } from './queries.server.ts';
import { judge, type Verdict, type VerdictPolicy } from './verdict.ts';

export type ListedRow = {
  rego: string;
  vin: string;
  warrantyExpiry: string | null;
  scaleSerialNumber: string;
  verdict: Verdict;
  /** Whether its record is what was entered in the public log. Without that the verdict is worth nothing. */
  matchesLog: boolean;
  certificateHref: string | null;
};

/** The row of `vehicle`, judged as at `today` by `policy`; `mismatched`: the ids of those that are not what was logged. */
export function listedRow(
  vehicle: ListedVehicle,
  today: string,
  policy: VerdictPolicy,
  mismatched: ReadonlySet<string>,
): ListedRow {
  return {
    rego: vehicle.rego,
    vin: vehicle.vin,
    warrantyExpiry: vehicle.warrantyExpiresOn === null ? null : formatDay(vehicle.warrantyExpiresOn, 'short'),
    scaleSerialNumber: vehicle.scaleSerialNumber,
    verdict: verdictOf(vehicle, today, policy),
    matchesLog: !mismatched.has(vehicle.id),
    certificateHref:
      vehicle.certificateFileId === null ? vehicle.certificateUrl : `/files/${vehicle.certificateFileId}`,
  };
}

/** The verdict of a vehicle's row as at `today`, by `policy`. */
export function verdictOf(
  vehicle: Pick<ListedVehicle, 'calibrationValidated' | 'nextCalibrationDueOn' | 'lastCalibratedAt'>,
  today: string,
  policy: VerdictPolicy,
): Verdict {
  const { calibrationValidated: validated, nextCalibrationDueOn: nextDueOn, lastCalibratedAt } = vehicle;
  return judge({ hasCalibration: lastCalibratedAt !== null, validated, nextDueOn }, today, policy).verdict;
}
