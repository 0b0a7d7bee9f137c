// Makes the content of a report. It has the words of the public page, no matter who asks for it.
import { createHash } from 'node:crypto';
import { attributeWords, sidesWords, valueWords } from '#app/readings/reading-words.ts';
import { readingsOfLines } from '#app/visits/evidence.ts';
import type { ShownEvidence } from '#app/visits/present-evidence.ts';
import type { HistoryVisit } from '#app/visits/history.ts';
import type { Calibration } from '#app/readings/queries.server.ts';
import { readingBadge } from '#app/readings/reading-badge.server.ts';
import { presentVehicleLines } from '#app/readings/vehicle-lines.server.ts';
import { formatDay, formatMoment, todayIn } from '#app/platform/time/calendar.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { QR_MAX_BYTES } from '#app/platform/paper/qr.server.ts';
import { proveRecord } from '#app/transparency-log/prove-record.server.ts';
import type { LogBadge } from '#app/transparency-log/proof-check.tsx';
import { pastPage, type PastRecords } from '#app/vehicle-page/past-page.server.ts';
import type { VehiclePageRecords } from '#app/vehicle-page/read-vehicle-page.server.ts';
import { vehicleBadge } from '#app/vehicle-page/vehicle-badge.server.ts';
import { evidenceOfPage, judgementOf, shownHistory } from '#app/vehicle-page/vehicle-history.server.ts';
import { presentFacts } from '#app/vehicles/present-facts.ts';
import { formerWords } from '#app/vehicle-page/plates-part.ts';
import type { FormerPlate } from '#app/vehicles/plates.ts';
import { plateText } from '#app/vehicles/plate-text.ts';
import type { Vehicle } from '#app/vehicles/queries.server.ts';
import { detailsIn } from '#app/vehicles/group-details.ts';
import { dueWords } from '#app/vehicles/verdict.ts';
import { VISITS_SHOWN } from '#app/vehicle-page/shown-records.server.ts';
import { calibrationPart } from './calibration-part.server.ts';
import type { Report } from './report.ts';

const ID_HASH_LENGTH = 12;
const TITLES = {
  state: 'Scale calibration report',
  history: 'Whole calibration history',
  reading: 'Calibration report',
} as const;

/** `state`: the vehicle's present state, with its newest visits. `history`: with all. A reading: with its visit. */
export type About = 'state' | 'history' | Calibration;

const NO_PART: Awaited<ReturnType<typeof calibrationPart>> = { facts: [], errors: null, missing: '' };

/** A report on what was read of a vehicle: of the newest part for its present state, else of all. */
export async function makeReport(
  services: Services,
  records: VehiclePageRecords,
  { origin, about }: { origin: string; about: About },
): Promise<Report> {
  const { config, now } = services;
  const { timeZone: zone, registryName } = config;
  const { vehicle, readings: all, sets, visits: judged, policy, mismatches } = records;
  const reading = typeof about === 'string' ? undefined : about;
  const { rego } = vehicle;
  const moment = now();
  const { lastCalibrated, ...evidence } = evidenceOfPage(records, zone, 'anyone');
  const visits = shownHistory(
    // It shows no photo.
    { ...records, sets: sets.map((set) => ({ ...set, photoId: null, photoHiddenAt: null, morePhotoIds: null })) },
    zone,
    null,
  );
  const own =
    reading === undefined
      ? undefined
      : visits.find(({ rows }) => rows.some(({ readings }) => readings.flat().some(({ id }) => id === reading.id)));
  const ids = new Set(own?.rows.flatMap(({ readings }) => readings.flat().map(({ id }) => id)));
  const axles = new Set<string>(own?.rows.map(({ axle }) => axle));
  // The lines up to that visit. It is not compared with later ones.
  const until = all.filter(({ id }) => ids.has(id)).map(({ calibratedAt }) => calibratedAt.getTime());
  const current = readingsOfLines(all, judged, reading?.visitId);
  const known =
    reading === undefined
      ? current
      : current.filter(({ calibratedAt }) => calibratedAt.getTime() <= Math.max(...until));
  const lines =
    presentVehicleLines(known, sets, {
      zone,
      asked: new URLSearchParams(),
      tolerance: policy,
      details: detailsIn(vehicle.groupDetails),
    })?.shown ?? null;
  const shownLines =
    lines === null || own === undefined
      ? lines
      : {
          ...lines,
          lines: lines.lines.filter(
            ({ label, day }) => axles.has(label) && day === formatDay(todayIn(zone, new Date(own.iso))),
          ),
        };
  const judgement = judgementOf(records, zone, moment);
  const newest = about === 'history' ? visits : visits.slice(0, VISITS_SHOWN);
  const shownVisits = own === undefined ? newest : [own];
  const badge = reading === undefined ? await vehicleBadge(services, records) : await readingBadge(services, reading);
  const part = reading === undefined ? NO_PART : await calibrationPart(services.db, records, reading);
  const report: Omit<Report, 'id'> = {
    registryName,
    title: TITLES[about === 'state' || about === 'history' ? about : 'reading'],
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
    item: itemOf(reading === undefined ? vehicle : { ...vehicle, groupDetails: '' }, lastCalibrated, records.plates),
    // The report of one calibration stays on one page; what the verdict rests on is in the vehicle's.
    evidence: reading === undefined ? evidence : { line: null, notes: [], ruling: null, waiting: null, errors: null },
    calibration: reading === undefined || own === undefined ? [] : [...calibrationOf(reading, own), ...part.facts],
    errors: part.errors,
    missing: part.missing,
    lines: shownLines === null || shownLines.lines.length === 0 ? null : shownLines,
    visits: shownVisits,
    hasOlder: about === 'state' && (records.from !== null || visits.length > shownVisits.length),
    log: badge === null ? null : logOf(badge, origin, { rego, reading }),
    code: about === 'state' && badge !== null && mismatches.length === 0 ? await codeOf(services, vehicle) : null,
  };
  const what = about === 'history' ? about : reading?.id;
  return identified(report, [rego, ...(what === undefined ? [] : [what])], moment);
}

/** The report of what the registry said at the end of a day: the one of then, marked as of the past. */
export async function pastReport(services: Services, past: PastRecords, origin: string): Promise<Report> {
  const then = { ...services, now: () => past.moment };
  const { id: _, ...report } = await makeReport(then, past, { origin, about: 'state' });
  const { sentence, log, changes } = await pastPage(services, past);
  const { rego, verdict } = report;
  const since = changes.map(({ on, words }) => `${on}: ${words}`).join(' ');
  const said = verdict.look === null ? verdict.sentence : sentence;
  const of: Omit<Report, 'id'> = {
    ...report,
    title: `The past, ${formatDay(past.day)}: report`,
    asAt: `the end of ${formatDay(past.day)}. This is not today’s answer`,
    verdict: { word: `It said “${verdict.word}”`, sentence: said, look: 'past' },
    address: `${origin}/vehicles/on/${past.day}/${rego}`,
    hasOlder: false,
    code: null,
    log: log && {
      sentence: `At the end of that day the public log had ${log.size} entries, with the root ${log.root}; signed: ${log.signed}. ${since === '' ? 'Nothing was changed since.' : `Since then: ${since}`}`,
      proof: `${origin}/api/v1/vehicles/${rego}/on/${past.day}/proof`,
    },
  };
  return identified(of, [rego, `on-${past.day}`], services.now());
}

// Its name: what it is about, the moment, and the hash of all that it says.
function identified(report: Omit<Report, 'id'>, about: readonly (string | number)[], moment: Date): Report {
  const hash = createHash('sha256').update(JSON.stringify(report)).digest('hex').slice(0, ID_HASH_LENGTH);
  const stamp = moment.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return { id: [...about, stamp, hash].join('-'), ...report };
}

function itemOf(
  vehicle: Vehicle,
  last: ShownEvidence['lastCalibrated'],
  plates: readonly FormerPlate[],
): Report['item'] {
  return [
    { label: 'Rego', value: vehicle.rego },
    ...plates
      .toReversed()
      .map((one) => ({ label: 'Former plate', value: `${plateText(one.rego)}, ${formerWords(one)}` })),
    ...presentFacts(vehicle, 'anyone').map(({ label, value }) => ({ label, value })),
    {
      label: 'Last calibrated',
      value: last === null ? null : `${last.day}${last.remark === '' ? '' : ` (${last.remark})`}`,
    },
    {
      label: 'Next calibration due',
      value: dueWords(vehicle),
    },
    {
      label: 'Authorised',
      value: vehicle.calibrationValidated ? 'validated by an administrator' : 'not validated by an administrator',
    },
  ];
}

function calibrationOf(reading: Calibration, visit: HistoryVisit): Report['calibration'] {
  const { at, technician, technicianRemovedOn: removedOn, standard, about } = visit;
  const { axle, attribute, unit, sides, supersededBy, correctsId, correctionReason, origin } = reading;
  const of = sides == null ? '' : ` (${sidesWords(sides)})`;
  return [
    { label: 'Entry', value: String(reading.id) },
    {
      label: 'Reading',
      value: `${axle} ${attributeWords(attribute, unit)}: ${valueWords(reading)}${of}${supersededBy === null ? '' : ` (wrong: corrected by entry ${supersededBy})`}`,
    },
    ...(correctsId === null ? [] : [{ label: 'Corrects', value: `entry ${correctsId}: ${correctionReason}` }]),
    { label: 'Visit', value: `${at}${origin === 'imported' ? ' (imported)' : ''}` },
    {
      label: 'Calibrated by',
      value: removedOn === null ? technician : `${technician}, removed from this registry on ${removedOn}`,
    },
    ...(visit.state === null ? [] : [{ label: 'State of the visit', value: visit.state.words }]),
    { label: 'Reference standard', value: standard === '' ? 'no weighbridge or ticket recorded' : standard },
    ...(about === '' ? [] : [{ label: 'At the visit', value: about }]),
  ];
}

// What is not signed yet, or damaged, has no code: the address of the proof stands in the report all the same.
async function codeOf({ db, config }: Pick<Services, 'db' | 'config'>, { id }: Vehicle): Promise<string | null> {
  const proof = await proveRecord({ db, config }, { table: 'vehicle', key: id }, 'last').catch(() => undefined);
  return proof?.state === 'proved' && Buffer.byteLength(proof.file) <= QR_MAX_BYTES ? proof.file : null;
}

function logOf(
  { index, at, daysLater, erasedOn }: LogBadge,
  origin: string,
  { rego, reading }: { rego: string; reading?: Calibration | undefined },
) {
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
