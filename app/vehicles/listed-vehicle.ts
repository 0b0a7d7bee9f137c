// A vehicle as a row of a list shows it, with dates and verdict formatted.
import { formatDay } from '#app/platform/time/calendar.ts';
import { plateText } from './plate-text.ts';
import { plateWords } from './plates.ts';
import { knownVin } from './vehicle.ts';
import type { ListedVehicle } from './queries.server.ts';
import { judge, type VerdictPolicy, verdictFacts } from './verdict.ts';
import type { Verdict } from './verdict-table.ts';

export type ListedRow = {
  rego: string;
  /** The text on the plate, with its state where that is known. */
  plate: string;
  vin: string;
  warrantyExpiry: string | null;
  scaleSerialNumber: string;
  verdict: Verdict;
  /** Whether the record is the same as in the public log. If it is not, the verdict means nothing. */
  matchesLog: boolean;
  certificateHref: string | null;
  /** Why it was found, where neither rego nor VIN shows it. */
  note?: string | undefined;
};

/** The row of `vehicle` as at `today`, by `policy`. `mismatched`: ids of vehicles whose records differ from the log. */
export function listedRow(
  vehicle: ListedVehicle,
  today: string,
  { policy, mismatched }: { policy: VerdictPolicy; mismatched: ReadonlySet<string> },
): ListedRow {
  return {
    rego: vehicle.rego,
    plate: plateWords(plateText(vehicle.rego), vehicle.plateState),
    vin: knownVin(vehicle.vin),
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
  return judge(verdictFacts(vehicle), today, policy).verdict;
}
