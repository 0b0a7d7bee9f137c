// What a verdict rests on in a few words, for lists: the line under the verdict of a vehicle's own page says more. As
// SQL for many vehicles at once, at the same cost however long their histories are.
import { sql, type RawBuilder } from 'kysely';
import { stateOf, type RecordState } from '#app/transparency-log/record-snapshot.server.ts';
import { newestFirst, ofRulingVisit } from '#app/transparency-log/ruling-visit.server.ts';
import { agreementWords, isOwnFigures, takenOverFrom } from './evidence-words.ts';
import type { CheckResult } from './visit-facts.ts';
import { whyItWaits } from './why-it-waits.ts';
import { capital, type VisitState } from './visit.ts';
import { checksOf } from './visit-queries.server.ts';

type FoundVisit = { visitedOn: string; checks: unknown; record: RecordState };
export type FoundShortEvidence = {
  /** The visit that rules. */
  ruling: (FoundVisit & { state: VisitState; set: { ticketNumber: string; photoId: string | null } | null }) | null;
  /** The newest that waits. */
  waiting: (FoundVisit & { isHeldByWithdrawal: boolean }) | null;
  /** Of the newest reading without a visit. */
  origin: 'recorded' | 'imported' | null;
};

const SAID = sql`'visitedOn', t.visited_on, 'checks', t.checks, 'record', ${stateOf('visit')}`;

/** A JSON value, as SQL over a vehicle's row, `v`. */
export const SHORT_EVIDENCE: RawBuilder<FoundShortEvidence> = sql`json_build_object(
  'ruling', (${ofRulingVisit(
    sql`v.id`,
    sql`json_build_object(${SAID}, 'state', t.state, 'set', (
      select json_build_object('ticketNumber', s.ticket_number, 'photoId', s.photo_id)
      from calibration_set s where s.id = t.id))`,
  )}),
  'waiting', (
    select json_build_object(${SAID}, 'isHeldByWithdrawal', t.before_recall is not null)
    from visit t where t.vehicle_id = v.id and t.state = 'waits' order by ${newestFirst('t')} limit 1),
  'origin', (
    select c.origin from calibration c where c.vehicle_id = v.id and c.visit_id is null order by c.id desc limit 1))`;

/** The states of the records that the words rest on. */
export const recordsOfEvidence = ({ ruling, waiting }: FoundShortEvidence): RecordState[] =>
  [ruling, waiting].flatMap((visit) => visit?.record ?? []);

/** '4 of 4 axles agree, verified weighbridge. A newer visit waits' */
export const shortEvidence = (truck: TruckWithEvidence, found: FoundShortEvidence): string =>
  [restsWords(truck, found), waitsWords(found)].filter((part) => part !== '').join('. ');

type TruckWithEvidence = { lastCalibratedAt: Date | null; restsOn: string; calibrationValidated: boolean };

function restsWords(truck: TruckWithEvidence, { ruling, origin }: FoundShortEvidence): string {
  if (truck.lastCalibratedAt === null) return 'No calibration has been recorded';
  if (truck.restsOn === 'nothing') return 'Calibrations are recorded, but none counts';
  if (!truck.calibrationValidated) return 'Calibrations are recorded, but not validated';
  if (ruling === null || ruling.state === 'taken-over') return takenOverFrom(origin);
  const checks = checksOf(ruling.checks);
  return isOwnFigures(checks, ruling.set ?? undefined) ? 'Only the technician’s own figures' : checkedWords(checks);
}

function waitsWords({ ruling, waiting }: FoundShortEvidence): string {
  if (waiting === null) return '';
  if (waiting.isHeldByWithdrawal) return withdrawnWords(checksOf(waiting.checks));
  return ruling === null || waiting.visitedOn < ruling.visitedOn ? 'A visit waits' : 'A newer visit waits';
}

function checkedWords(checks: readonly CheckResult[]): string {
  const agrees = checks.find(({ check }) => check === 'agrees');
  const isVerified = checks.some(({ check, answer }) => check === 'reference' && answer === 'passed');
  const parts = [
    ...(agrees === undefined ? [] : [capital(agreementWords(agrees, 'agree'))]),
    ...(isVerified ? ['verified weighbridge'] : []),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function withdrawnWords(checks: readonly CheckResult[]): string {
  const reason = whyItWaits({ checks, state: 'waits' }).find(({ check }) => check === 'reference');
  return reason?.sentence.replace(/\.$/, '') ?? '';
}
