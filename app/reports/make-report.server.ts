// Makes the content of a report. It has the words of the public page, whoever asks for it.
import { createHash } from 'node:crypto';
import { formatValue, unitOf } from '#app/calibrations/calibration.ts';
import { evidenceOf, readingsOfLines, statesOf } from '#app/calibrations/evidence.ts';
import { presentEvidence, type ShownEvidence } from '#app/calibrations/present-evidence.ts';
import { listVisits } from '#app/calibrations/visit-queries.server.ts';
import { groupHistory, type HistoryVisit } from '#app/calibrations/history.ts';
import { listCalibrations, listSets, type Calibration } from '#app/calibrations/queries.server.ts';
import { readingBadge } from '#app/calibrations/reading-badge.server.ts';
import { presentVehicleLines } from '#app/calibrations/vehicle-lines.server.ts';
import { formatDay, formatMoment, todayIn } from '#app/platform/time/calendar.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import type { LogBadge } from '#app/transparency-log/proof-check.tsx';
import { findMismatches } from '#app/transparency-log/vehicle-records.server.ts';
import { presentFacts } from '#app/vehicles/present-facts.ts';
import { validationWithdrawnOn, type Vehicle } from '#app/vehicles/queries.server.ts';
import { vehicleBadge } from '#app/vehicle-page/vehicle-badge.server.ts';
import { judge, verdictFacts } from '#app/vehicles/verdict.ts';
import { VISITS_MAX, type Report } from './report.ts';

const ID_HASH_LENGTH = 12;

/** A report of the vehicle's present state, or of one calibration with the visit that it belongs to. */
export async function makeReport(
  services: Services,
  vehicle: Vehicle,
  origin: string,
  reading?: Calibration,
): Promise<Report> {
  const { db, config, now } = services;
  const { timeZone: zone, registryName } = config;
  const [all, sets, judged, policy, mismatches] = await Promise.all([
    listCalibrations(db, vehicle.id),
    listSets(db, vehicle.id),
    listVisits(db, vehicle),
    currentPolicy(db),
    findMismatches(db, vehicle),
  ]);
  const { rego } = vehicle;
  const moment = now();
  const visitOf = (of: readonly Calibration[]) =>
    groupHistory(
      of,
      zone,
      // It shows no photo.
      sets.map((set) => ({ ...set, notes: '', photoId: null, photoHiddenAt: null })),
      statesOf(judged),
    );
  const { lastCalibrated, ...evidence } = presentEvidence(
    evidenceOf(vehicle, judged, all, (instant) => todayIn(zone, instant)),
    { sets, readings: all, lastCalibratedAt: vehicle.lastCalibratedAt, zone, seenBy: 'anyone' },
  );
  const visits = visitOf(all);
  const own =
    reading === undefined
      ? undefined
      : visits.find(({ rows }) => rows.some(({ readings }) => readings.flat().some(({ id }) => id === reading.id)));
  const ids = new Set(own?.rows.flatMap(({ readings }) => readings.flat().map(({ id }) => id)));
  const axles = new Set<string>(own?.rows.map(({ axle }) => axle));
  // The lines up to that visit. It is not compared with later ones.
  const until = all.filter(({ id }) => ids.has(id)).map(({ calibratedAt }) => calibratedAt.getTime());
  const standing = readingsOfLines(all, judged, reading?.visitId);
  const known =
    reading === undefined
      ? standing
      : standing.filter(({ calibratedAt }) => calibratedAt.getTime() <= Math.max(...until));
  const lines =
    presentVehicleLines(known, sets, { zone, asked: new URLSearchParams(), tolerance: policy })?.shown ?? null;
  const shownLines =
    lines === null || own === undefined
      ? lines
      : {
          ...lines,
          lines: lines.lines.filter(
            ({ label, day }) => axles.has(label) && day === formatDay(todayIn(zone, new Date(own.iso))),
          ),
        };
  const judgement = judge(
    {
      ...verdictFacts(vehicle),
      withdrawnOn: await validationWithdrawnOn(db, vehicle, zone),
    },
    todayIn(zone, moment),
    policy,
  );
  const shownVisits = own === undefined ? visits.slice(0, VISITS_MAX) : [own];
  const badge = reading === undefined ? await vehicleBadge(services, vehicle) : await readingBadge(services, reading);
  const report: Omit<Report, 'id'> = {
    registryName,
    title: reading === undefined ? 'Scale calibration report' : 'Calibration report',
    rego,
    asAt: formatMoment(moment, zone),
    policyVersion: policy.version,
    verdict:
      mismatches.length === 0
        ? { word: judgement.word, sentence: judgement.sentence, look: judgement.verdict }
        : {
            word: 'Does not match the log',
            sentence: `Do not rely on this record. ${mismatches.slice(0, 3).join(' ')}`,
            look: null,
          },
    address: reading === undefined ? `${origin}/vehicles/view/${rego}` : `${origin}/calibrations/${rego}/${reading.id}`,
    item: itemOf(vehicle, lastCalibrated),
    // The report of one calibration stays on one page; what the verdict rests on is in the vehicle's.
    evidence: reading === undefined ? evidence : { line: null, notes: [], ruling: null, waiting: [] },
    calibration: reading === undefined || own === undefined ? [] : calibrationOf(reading, own),
    lines: shownLines === null || shownLines.lines.length === 0 ? null : shownLines,
    visits: shownVisits,
    older: own === undefined ? visits.length - shownVisits.length : 0,
    log: badge === null ? null : logOf(badge, origin, rego, reading),
  };
  const hash = createHash('sha256').update(JSON.stringify(report)).digest('hex').slice(0, ID_HASH_LENGTH);
  const stamp = moment.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return { id: `${rego}-${reading === undefined ? '' : `${reading.id}-`}${stamp}-${hash}`, ...report };
}

function itemOf(vehicle: Vehicle, last: ShownEvidence['lastCalibrated']): Report['item'] {
  return [
    { label: 'Rego', value: vehicle.rego },
    ...presentFacts(vehicle, 'anyone').map(({ label, value }) => ({ label, value })),
    {
      label: 'Last calibrated',
      value: last === null ? null : `${last.day}${last.remark === '' ? '' : ` (${last.remark})`}`,
    },
    {
      label: 'Next calibration due',
      value: vehicle.nextCalibrationDueOn === null ? null : formatDay(vehicle.nextCalibrationDueOn),
    },
    {
      label: 'Authorised',
      value: vehicle.calibrationValidated ? 'validated by an administrator' : 'not validated by an administrator',
    },
  ];
}

function calibrationOf(reading: Calibration, visit: HistoryVisit): Report['calibration'] {
  const { at, technician, technicianRemovedOn: removedOn, about } = visit;
  const { axle, attribute, value, supersededBy, correctsId, correctionReason, origin } = reading;
  return [
    { label: 'Entry', value: String(reading.id) },
    {
      label: 'Reading',
      value: `${axle} ${attribute}: ${value === '' ? 'N/A' : `${formatValue(value)} ${unitOf(attribute)}`}${supersededBy === null ? '' : ` (wrong: corrected by entry ${supersededBy})`}`,
    },
    ...(correctsId === null ? [] : [{ label: 'Corrects', value: `entry ${correctsId}: ${correctionReason}` }]),
    { label: 'Visit', value: `${at}${origin === 'imported' ? ' (imported)' : ''}` },
    {
      label: 'Calibrated by',
      value: removedOn === null ? technician : `${technician}, removed from this registry on ${removedOn}`,
    },
    ...(visit.state === null ? [] : [{ label: 'State of the visit', value: visit.state.words }]),
    { label: 'Reference standard', value: about === '' ? 'no weighbridge or ticket recorded' : about },
  ];
}

function logOf({ index, at, daysLater, erasedOn }: LogBadge, origin: string, rego: string, reading?: Calibration) {
  const later =
    daysLater === null || daysLater <= 0
      ? ''
      : `, ${daysLater} ${daysLater === 1 ? 'day' : 'days'} after the stated date`;
  const erased = erasedOn === null ? '' : ` Personal data in it was erased on ${erasedOn}.`;
  return {
    sentence: `Entry ${index} of the public log, logged ${at}${later}.${erased}`,
    proof: `${origin}/api/v1/vehicles/${rego}${reading === undefined ? '' : `/calibrations/${reading.id}`}/proof`,
  };
}
