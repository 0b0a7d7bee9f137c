// What a vehicle's page, its report and the page of its whole history say alike of what was read.
import { href } from 'react-router';
import { may } from '#app/access/permissions.ts';
import type { SignedIn } from '#app/access/session.server.ts';
import { evidenceOf, statesOf, type VisitOfTruck } from '#app/visits/evidence.ts';
import type { EvidenceContext, EvidenceNote } from '#app/visits/evidence-words.ts';
import { groupHistory, technicianOf, type HistoryVisit, type ShownVisit } from '#app/visits/history.ts';
import type { RecorderName } from '#app/readings/recorder-name.tsx';
import { companyOf } from '#app/readings/recorders.server.ts';
import { errorCard, errorNotes } from '#app/visits/error-words.ts';
import type { ToldError } from '#app/readings/errors-at-check.ts';
import { errorsOfVisit } from '#app/readings/visit-errors.ts';
import { presentEvidence, type EvidenceCard, type ShownEvidence } from '#app/visits/present-evidence.ts';
import { doneWords, wantedWords, type PublicCheckVisit } from '#app/check-visits/check-visit.ts';
import { formatMoment, todayIn } from '#app/platform/time/calendar.ts';
import type { Policy } from '#app/policy/policy.ts';
import { judge, verdictFacts, withdrawnAt, type Judgement, type VerdictFacts } from '#app/vehicles/verdict.ts';
import { trailerNotes } from './trailer-notes.ts';
import type { VehiclePageRecords } from './read-vehicle-page.server.ts';

type Records = Pick<VehiclePageRecords, 'from' | 'readings' | 'sets' | 'visits' | 'recorders'>;

/** The visits that were read whole, the newest first. Only the office sees notes, and whom a file names. */
export function shownHistory(
  { from, readings, sets, visits, recorders }: Records,
  zone: string,
  who: SignedIn | null,
): HistoryVisit[] {
  const shownSets =
    who === null ? sets.map((set) => ({ ...set, notes: '', capturedBy: set.capturedBy === null ? null : '' })) : sets;
  const all = groupHistory(readings, zone, {
    sets: shownSets,
    states: statesOf(visits),
    withPage: new Set(recorders.map(({ personId }) => personId)),
  });
  const history = from === null ? all : all.filter(({ iso }) => new Date(iso) >= from);
  return who !== null && may(who.role, 'read visits') ? history.map(photoOnVisitPage) : history;
}

// Who decides about visits comes to the page of the photo's visit, where it can be hidden. Without a visit there is
// none.
const photoOnVisitPage = (visit: HistoryVisit): HistoryVisit =>
  visit.photos.length === 0 || visit.visitId === null
    ? visit
    : { ...visit, photos: [`${href('/visits/:id', { id: visit.visitId })}#photo`] };

/** Without what only reports show. */
export const shownVisit = ({
  visitId: _id,
  technician: _technician,
  technicianRemovedOn: _on,
  due: _due,
  standard: _standard,
  about: _about,
  ...shown
}: HistoryVisit): ShownVisit => shown;

/** The visit that rules. */
export const rulingOf = ({ vehicle, visits, before }: VehiclePageRecords, zone: string): VisitOfTruck | null =>
  evidenceOf(vehicle, { visits, before }, (instant) => todayIn(zone, instant)).ruling;

/** `errors`: at the check loads of the visit that rules, as a card for paper; null: none was weighed. */
export type PageEvidence = ShownEvidence & { errors: EvidenceCard | null };

/** Of the visit that rules. */
export function errorsOfRuling(
  records: VehiclePageRecords,
  zone: string,
): { visitId: string; errors: ToldError[] } | null {
  const ruling = rulingOf(records, zone);
  return ruling === null ? null : { visitId: ruling.id, errors: errorsOfVisit(ruling.id, records.intervalKg, records) };
}

/** What the verdict rests on. */
export function evidenceOfPage(
  {
    vehicle,
    visits,
    before,
    sets,
    readings,
    waitingTotal,
    checkVisit,
    policy,
    weighedWith,
    intervalKg,
  }: VehiclePageRecords,
  zone: string,
  seenBy: EvidenceContext['seenBy'],
): PageEvidence {
  const evidence = evidenceOf(vehicle, { visits, before }, (instant) => todayIn(zone, instant));
  const { lastCalibratedAt } = vehicle;
  const shown = presentEvidence(evidence, { sets, readings, waitingTotal, lastCalibratedAt, zone, seenBy });
  const beside = trailerNotes({ vehicle, sets, readings, weighedWith }, evidence.ruling);
  const { ruling } = evidence;
  const errors = ruling === null ? [] : errorsOfVisit(ruling.id, intervalKg, { readings, sets, policy });
  const of = { policyVersion: policy.version, assumedKg: policy.assumedIntervalKg, intervalKg };
  return {
    ...shown,
    notes: [...errorNotes(errors), ...beside, ...shown.notes, ...checkVisitNotes(checkVisit, ruling?.id, policy)],
    errors: ruling === null ? null : errorCard(errors, { ...of, visitedOn: ruling.visitedOn }),
  };
}

/** Who made the calibration that the verdict rests on, with the company; null: nobody is named, or it rests on none. */
export function calibratedBy(
  { vehicle, visits, before, readings, recorders }: VehiclePageRecords,
  zone: string,
): RecorderName | null {
  const { ruling, takenOver } = evidenceOf(vehicle, { visits, before }, (instant) => todayIn(zone, instant));
  if (ruling === null && takenOver === null) return null;
  const visitId = ruling?.id ?? takenOver?.visit?.id ?? null;
  const own = readings.filter((reading) => reading.visitId === visitId);
  const last = visitId === null ? own.slice(0, 1) : own.filter(({ correctsId }) => correctsId === null);
  const technician = last.find(({ technicianName }) => technicianName !== null);
  if (technician === undefined) return null;
  const recorder = recorders.find(({ personId }) => personId === technician.technicianPersonId);
  const name = [technicianOf(last), ...(recorder === undefined ? [] : companyOf(recorder))].join(', ');
  return { name, personId: recorder?.personId ?? null };
}

// One that is wanted; and what came of it, while the verdict rests on one of the two visits. It is neither praise nor
// blame, so it looks like any other note.
function checkVisitNotes(
  checkVisit: PublicCheckVisit | null,
  ruling: string | undefined,
  { checkVisitsPerMille: share }: Policy,
): EvidenceNote[] {
  if (checkVisit?.state === 'open')
    return [{ look: 'other', lead: 'A check visit is wanted:', rest: wantedWords(checkVisit, share), card: null }];
  const isOfVerdict = ruling !== undefined && [checkVisit?.visitId, checkVisit?.closedBy].includes(ruling);
  if (checkVisit?.state !== 'done' || !isOfVerdict) return [];
  return [{ look: 'other', lead: 'A check visit was made:', rest: doneWords(checkVisit), card: null }];
}

/** When the whole history was last held against the public log. */
export const checkedWords = ({ checked }: Pick<VehiclePageRecords, 'checked'>, zone: string): string =>
  checked?.at == null
    ? 'The whole history is held against the public log once a day. Of this vehicle it was not yet.'
    : `The whole history was last held against the public log on ${formatMoment(checked.at, zone)}.`;

/** The verdict as at `moment`. */
export const judgementOf = (records: JudgedRecords, zone: string, moment: Date): Judgement =>
  judge(factsOf(records, zone), todayIn(zone, moment), records.policy);

type JudgedRecords = Pick<VehiclePageRecords, 'vehicle' | 'events' | 'policy'>;

/** What the verdict asks of the records. */
export function factsOf({ vehicle, events }: JudgedRecords, zone: string): VerdictFacts {
  const withdrawn = withdrawnAt(events.filter(({ kind }) => kind === 'validation'));
  return { ...verdictFacts(vehicle), withdrawnOn: withdrawn === null ? null : todayIn(zone, withdrawn) };
}
