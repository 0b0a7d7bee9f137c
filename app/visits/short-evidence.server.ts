// What a verdict rests on in a few words, for lists: the line under the verdict of a vehicle's own page says more. As SQL for many
// vehicles at once, at the same cost however long their histories are.
import { sql, type RawBuilder } from 'kysely';
import { stateOf, type RecordState } from '#app/transparency-log/record-states.server.ts';
import { COUNTING_STATES } from '#app/tlog/rests-on.ts';
import { agreementWords, isOwnFigures, takenOverFrom } from './evidence-words.ts';
import type { CheckResult } from './visit-checks.ts';
import { whyItWaits } from './why-it-waits.ts';
import { capital, type VisitState } from './visit.ts';
import { checksOf } from './visit-queries.server.ts';

type FoundVisit = { visitedOn: string; checks: unknown; record: RecordState };
export type FoundShortEvidence = {
  /** The visit that rules. */
  ruling: (FoundVisit & { state: VisitState; set: { ticketNumber: string; photoId: string | null } | null }) | null;
  /** The newest that waits. */
  waiting: (FoundVisit & { isHeldByWithdrawal: boolean }) | null;
  /** The newest reading without a visit is an imported one. */
  isImported: boolean;
};

const BY_THE_RULE = sql`order by t.visited_on desc, t.opened_at desc, t.id limit 1`;
const SAID = sql`'visitedOn', t.visited_on, 'checks', t.checks, 'record', ${stateOf('visit')}`;

/** A JSON value, as SQL over a vehicle's row, `v`. */
export const SHORT_EVIDENCE: RawBuilder<FoundShortEvidence> = sql`json_build_object(
  'ruling', (
    select json_build_object(${SAID}, 'state', t.state, 'set', (
      select json_build_object('ticketNumber', s.ticket_number, 'photoId', s.photo_id)
      from calibration_set s where s.id = t.id))
    from visit t where t.vehicle_id = v.id
      and t.state in (${sql.join(COUNTING_STATES.map((state) => sql.lit(state)))}) ${BY_THE_RULE}),
  'waiting', (
    select json_build_object(${SAID}, 'isHeldByWithdrawal', t.before_recall is not null)
    from visit t where t.vehicle_id = v.id and t.state = 'waits' ${BY_THE_RULE}),
  'isImported', coalesce((
    select c.origin = 'imported' from calibration c where c.vehicle_id = v.id and c.visit_id is null
    order by c.id desc limit 1), false))`;

/** The states of the records that the words rest on. */
export const recordsOfEvidence = ({ ruling, waiting }: FoundShortEvidence): RecordState[] =>
  [ruling, waiting].flatMap((visit) => visit?.record ?? []);

/** '4 of 4 axles agree, verified weighbridge. A newer visit waits' */
export function shortEvidence(
  {
    lastCalibratedAt,
    restsOn,
    calibrationValidated,
  }: { lastCalibratedAt: Date | null; restsOn: string; calibrationValidated: boolean },
  { ruling, waiting, isImported }: FoundShortEvidence,
): string {
  const words = [
    lastCalibratedAt === null
      ? 'No calibration has been recorded'
      : restsOn === 'nothing'
        ? 'Calibrations are recorded, but none counts'
        : !calibrationValidated
          ? 'Calibrations are recorded, but not validated'
          : ruling === null || ruling.state === 'taken-over'
            ? takenOverFrom(isImported)
            : isOwnFigures(checksOf(ruling.checks), ruling.set ?? undefined)
              ? 'Only the technician’s own figures'
              : checkedWords(checksOf(ruling.checks)),
    waiting === null
      ? ''
      : waiting.isHeldByWithdrawal
        ? withdrawnWords(checksOf(waiting.checks))
        : ruling === null || waiting.visitedOn < ruling.visitedOn
          ? 'A visit waits'
          : 'A newer visit waits',
  ];
  return words.filter((part) => part !== '').join('. ');
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
