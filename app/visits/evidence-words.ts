// The line and the notes under a verdict: what it rests on, and which visits change nothing yet. Free text of admins is
// not among them, and only signed-in people see who decided.
import { href } from 'react-router';
import { formatDay, formatMonth } from '#app/platform/time/calendar.ts';
import { groupsWords } from '#app/vehicles/axle.ts';
import { placesOf } from '#app/readings/weighings.ts';
import { addedWords } from '#app/people/newcomer.ts';
import { decisionOf, type DecisionOfVisit, type Evidence, type VisitOfTruck } from './evidence.ts';
import { capital, firstSentence, reasonWords, uncapital } from './visit.ts';
import { claimWords, foundWords } from './agrees-check.ts';
import type { CheckResult } from './visit-facts.ts';
import { whyItWaits } from './why-it-waits.ts';

/** `lead` is emphasised; `rest` follows it, with what divides the two. */
export type EvidenceLine = { look: 'checked' | 'own figures' | 'taken over'; lead: string; rest: string };
/**
 * `card`: the id of the card that says more. `link`: to what it names. `quiet`: the icon of what is no news, and looks
 * like the line: what stood beside the vehicle, and its error at the check load.
 */
export type EvidenceNote = {
  look: 'waits' | 'withdrawn' | 'trailer' | 'error' | 'report' | 'other';
  lead: string;
  rest: string;
  card: string | null;
  quiet?: 'link-2' | 'check' | 'info' | 'x' | 'circle-question-mark';
  link?: { to: string; words: string } | null;
};
/** The part of a recorded set that the line names. */
type SetOfVisit = {
  id: string;
  weighbridge: string;
  ticketNumber: string;
  photoId: string | null;
  notBehind: string | null;
  weighings: string | null;
};
type ReadingOfVisit = { visitId: string | null; recordedAt: Date; correctsId: number | null };
export type EvidenceContext = {
  sets: readonly SetOfVisit[];
  readings: readonly ReadingOfVisit[];
  /** How many visits wait, also those that are not among the evidence. */
  waitingTotal: number;
  lastCalibratedAt: Date | null;
  zone: string;
  seenBy: 'anyone' | 'office';
};

export const takenOverFrom = (origin: 'recorded' | 'imported' | null): string =>
  origin === 'imported' ? 'Taken over from the former register' : 'Taken over from before visits were checked';

/** The line under the verdict; null: it has nothing to say. */
export function lineOf({ ruling, takenOver }: Evidence, context: EvidenceContext): EvidenceLine | null {
  if (takenOver !== null)
    return {
      look: 'taken over',
      lead: takenOverFrom(takenOver.origin),
      rest: ['', 'not held against the checks of visits', ...byHand(takenOver.visit)].join(' · '),
    };
  if (ruling === null) return null;
  const set = context.sets.find(({ id }) => id === ruling.id);
  const isOwn = isOwnFigures(ruling.checks, set);
  const [first, ...more] = [
    ...agreement(ruling),
    ...(set?.notBehind == null ? [] : [`${groupsWords(set.notBehind)} not behind the truck, the technician says`]),
    ...weighbridge(ruling, set),
    ...ticketAndPhoto(ruling, set),
    ...decided(ruling, context),
    ...byHand(ruling),
  ];
  if (isOwn)
    return {
      look: 'own figures',
      lead: 'Only the technician’s own figures.',
      rest: first === undefined ? '' : ` ${[capital(first), ...more].join(' · ')}`,
    };
  return first === undefined
    ? null
    : { look: 'checked', lead: capital(first), rest: more.map((words) => ` · ${words}`).join('') };
}

/**
 * Nothing but what the technician typed, which anybody can type: it takes a photo, of a ticket whose number is given or
 * of what stood on a verified weighbridge, and one that no other visit has.
 */
export function isOwnFigures(
  checks: readonly CheckResult[],
  set: Pick<SetOfVisit, 'ticketNumber' | 'photoId'> | undefined,
): boolean {
  const answerOf = (check: CheckResult['check']) => checks.find((one) => one.check === check)?.answer;
  if (set === undefined || set.photoId === null || answerOf('photo') === 'failed') return true;
  // It passes with the ticket of a weighing too.
  return set.ticketNumber === '' && answerOf('ticket') !== 'passed' && answerOf('reference') !== 'passed';
}

const resultOf = ({ checks }: VisitOfTruck, check: CheckResult['check']) => checks.find((one) => one.check === check);
const byHand = (visit: VisitOfTruck | null): string[] =>
  visit === null || visit.handDueOn === null ? [] : [`due date ${dueSource(visit)}`];

/** Why the due date is not the visit's own. */
export const dueSource = ({ isDueKept }: VisitOfTruck): string =>
  isDueKept ? 'kept from a later visit that was corrected, so that no visit states it' : 'set by hand';

function agreement(visit: VisitOfTruck): string[] {
  const result = resultOf(visit, 'agrees');
  if (result === undefined) return [];
  const words = agreementWords(result, 'agree with the calibration before');
  return words === '' ? [] : [words];
}

/** In the middle of a sentence: what was compared, or why nothing could be. `agree`: what the axles do that agree. */
export function agreementWords({ answer, numbers = {} }: CheckResult, agree: string): string {
  const { agreeing, axles, found, claim } = numbers;
  if (found !== undefined) return foundWords(found);
  if (claim !== undefined) return `not compared with the calibration before: ${claimWords(claim)}`;
  if (answer === 'cannot be told') return 'no calibration before to compare it with';
  return agreeing === undefined || axles === undefined ? '' : `${agreeing} of ${axles} axles ${agree}`;
}

// Names what the technician names: whether the truck stood there nobody has shown.
function weighbridge(visit: VisitOfTruck, set: SetOfVisit | undefined): string[] {
  if (set === undefined || set.weighbridge === '') return [];
  const name = /weighbridge/i.test(set.weighbridge) ? set.weighbridge : `${set.weighbridge} weighbridge`;
  if (visit.referenceId === null) return [`the technician names ${name}, which is not in the register`];
  return [`the technician names ${name}${verifiedWords(resultOf(visit, 'reference'))}`];
}

function verifiedWords(result: CheckResult | undefined): string {
  if (result === undefined) return '';
  if (result.answer !== 'passed') return ', no verification recorded for that day';
  const until = result.numbers?.until;
  return `, verification recorded ${until === undefined ? 'for that day' : `to ${formatMonth(until)}`}`;
}

function ticketAndPhoto(visit: VisitOfTruck, set: SetOfVisit | undefined): string[] {
  const isUsedTwice = (check: 'ticket' | 'photo') => resultOf(visit, check)?.answer === 'failed';
  const parts = [
    ...(set === undefined || (set.ticketNumber === '' && resultOf(visit, 'ticket')?.answer !== 'passed')
      ? []
      : [isUsedTwice('ticket') ? 'a ticket number that is also recorded elsewhere' : 'a ticket number']),
    ...(set === undefined || set.photoId === null
      ? []
      : [isUsedTwice('photo') ? 'a photo that another visit has too' : 'a photo']),
  ];
  return parts.length === 0 ? [] : [`with ${parts.join(' and ')}`];
}

function decided(visit: VisitOfTruck, context: EvidenceContext): string[] {
  const decision = decisionOf(visit);
  return decision === null ? [] : [`${decidedBy(decision, context)}${correctedSince(visit, decision, context)}`];
}

export function decidedBy(
  { decision, isAlone, addedDays, by, reason }: DecisionOfVisit,
  { seenBy }: EvidenceContext,
): string {
  const name = seenBy === 'office' ? ` (${by})` : '';
  const who = isAlone
    ? `by the only administrator${name}, so nobody else looked`
    : `by an administrator${name}${addedDays === null ? '' : ` ${addedWords(addedDays)}`} who did not record it`;
  const why = reasonWords(reason);
  return `${decision === 'accepted' ? 'accepted' : 'set aside'} ${who}${why === '' ? '' : `: ${uncapital(why)}`}`;
}

export const correctedSince = ({ id }: VisitOfTruck, { at }: DecisionOfVisit, { readings }: EvidenceContext): string =>
  readings.some(({ visitId, recordedAt, correctsId }) => visitId === id && correctsId !== null && recordedAt > at)
    ? ', and corrected since'
    : '';

const briefReasons = (visit: VisitOfTruck): string =>
  whyItWaits(visit)
    .map(({ sentence }) => firstSentence(sentence))
    .join(' ');

export const visitOf = ({ visitedOn }: VisitOfTruck): string => `visit of ${formatDay(visitedOn)}`;

export const cardId = ({ id }: VisitOfTruck): string => `visit-${id}`;

/** Under the line: a visit that waits. */
export function waitingNote(
  visit: VisitOfTruck,
  card: string | null,
  { sets }: Pick<EvidenceContext, 'sets'>,
): EvidenceNote {
  const reasons = briefReasons(visit);
  const set = sets.find(({ id }) => id === visit.id);
  // Which of its weighbridges was withdrawn is not said.
  const isApart = placesOf(set?.weighings ?? null, visit).length > 0;
  if (visit.isHeldByWithdrawal)
    return {
      look: 'withdrawn',
      lead: namedIn(reasons, isApart ? '' : (set?.weighbridge ?? '')),
      link:
        visit.referenceId === null || isApart
          ? null
          : { to: href('/references/:id', { id: visit.referenceId }), words: 'See the weighbridge' },
      rest: `The ${visitOf(visit)} waits for an administrator. This says nothing about the truck’s owner or technician.`,
      card,
    };
  return {
    look: 'waits',
    lead: `A ${visitOf(visit)} waits for an administrator: ${reasons}`,
    rest: 'Until it is decided it changes nothing here.',
    card,
  };
}

// The check was stored before its weighbridge could be named. A set has its name and place in one line.
const namedIn = (words: string, weighbridge: string): string =>
  weighbridge === ''
    ? words
    : words.replace('The reference it was weighed on was', () => `The weighbridge ${nameIn(weighbridge)} was`);
const nameIn = (line: string): string => line.split(', ')[0] ?? line;

export const moreNote = (count: number): EvidenceNote => ({
  look: 'waits',
  lead: `${count} more ${count === 1 ? 'visit waits' : 'visits wait'} for an administrator.`,
  rest: 'They stand in the history.',
  card: null,
});

/** A visit after the one that rules: nothing rests on it. */
export function noteOf(visit: VisitOfTruck): EvidenceNote {
  const { state } = visit;
  const note = (lead: string, rest = 'It changes nothing here.'): EvidenceNote => ({
    look: 'other',
    lead,
    rest,
    card: null,
  });
  if (state === 'open')
    return note(`A ${visitOf(visit)} is still being recorded.`, 'Until it is finished it changes nothing here.');
  if (state === 'partial') return note(`A ${visitOf(visit)} is partial: ${briefReasons(visit)}`);
  const why = reasonWords(decisionOf(visit)?.reason ?? '');
  return note(`A ${visitOf(visit)} was set aside${why === '' ? '.' : `: ${uncapital(why)}.`}`);
}
