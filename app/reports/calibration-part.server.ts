// What a report of one calibration states beside its readings: what ISO/IEC 17025, 7.8 lists for it, as far as it is
// recorded, and what is missing. It is no certificate.
import { formatDay } from '#app/platform/time/calendar.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import type { Calibration, CalibrationSet } from '#app/readings/queries.server.ts';
import { METHOD_VERSION } from '#app/readings/errors-at-check.ts';
import { errorsOfVisit } from '#app/readings/visit-errors.ts';
import { verificationOn } from '#app/references/queries.server.ts';
import { decisionWord, errorName, errorSentence, intervalWords } from '#app/visits/error-words.ts';
import type { VehiclePageRecords } from '#app/vehicle-page/read-vehicle-page.server.ts';
import type { Report } from './report.ts';

type Part = { facts: Report['calibration']; errors: Report['errors']; missing: string };

/** Of the visit of `reading`. */
export async function calibrationPart(
  db: Db,
  records: Pick<VehiclePageRecords, 'readings' | 'sets' | 'policy' | 'vehicle'>,
  reading: Calibration,
): Promise<Part> {
  const { policy, sets, vehicle } = records;
  const set = sets.find(({ id }) => id === reading.visitId);
  const reference = await referenceOf(db, reading);
  const { intervalKg = null } = reference ?? {};
  const errors = reading.visitId === null ? [] : errorsOfVisit(reading.visitId, intervalKg, records);
  const traced = tracedWords(reference);
  return {
    facts: [
      { label: 'Calibrated for', value: vehicle.companyName },
      { label: 'Traceability', value: traced ?? 'none is recorded' },
    ],
    errors:
      errors.length === 0
        ? null
        : {
            rows: errors.map((told) => [errorName(told), errorSentence(told), decisionWord(told.decision)]),
            foot: `Doubt (±): two standard uncertainties (k = 2), ${intervalWords({ intervalKg, assumedKg: policy.assumedIntervalKg })}, and from the last digit of the output. Decision rule: ILAC-G8:09/2019, 4.2.3, guard band U. Method version ${METHOD_VERSION}: /method.`,
          },
    missing: missingWords({ vehicle, set, hasErrors: errors.length > 0, isTraced: traced !== undefined }),
  };
}

type Found = { name: string; intervalKg: number | null; certificateNumber: string; toOn: string | null };

async function referenceOf(db: Db, { visitId }: Calibration): Promise<Found | undefined> {
  if (visitId === null) return undefined;
  const found = await db
    .selectFrom('visit')
    .innerJoin('reference', 'reference.id', 'visit.referenceId')
    .select(['reference.id', 'reference.name', 'intervalKg', 'visitedOn'])
    .where('visit.id', '=', visitId)
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const verification = await verificationOn(db, found.id, found.visitedOn);
  return { ...found, certificateNumber: verification?.certificateNumber ?? '', toOn: verification?.toOn ?? null };
}

function tracedWords(found: Found | undefined): string | undefined {
  if (found === undefined || found.toOn === null) return undefined;
  const { name, certificateNumber, toOn } = found;
  return `${name} was verified to ${formatDay(toOn)}, certificate ${certificateNumber}`;
}

function missingWords({
  vehicle,
  set,
  hasErrors,
  isTraced,
}: {
  vehicle: { companyName: string };
  set: CalibrationSet | undefined;
  hasErrors: boolean;
  isTraced: boolean;
}): string {
  const hasAsFound = set?.axles.some((axle) => axle.as_found_empty !== null || axle.as_found_loaded !== null) === true;
  const missing = [
    'the address of who calibrated',
    ...(vehicle.companyName === '' ? ['the customer'] : ['the customer’s address']),
    'the conditions of the place',
    ...(isTraced ? [] : ['how the weighbridge is traced to the kilogram']),
    ...(hasAsFound ? [] : ['results before adjustment']),
    ...(hasErrors ? [] : ['an uncertainty, and a statement of conformity: no check load was weighed']),
    'an accreditation, and a signature',
  ];
  return `Of what ISO/IEC 17025, 7.8 lists for a report of calibration these are not recorded: ${missing.join('; ')}. The results hold for this vehicle alone, as it was at the visit. This report is no certificate.`;
}
