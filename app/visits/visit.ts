// A visit: a calibration set, or the single readings of one technician on one truck within 12 hours. It closes when it
// is complete, when the technician says so, or after that time; then it is held against the checks (visit-checks.ts).
import type { Axle } from '#app/vehicles/axle.ts';
import { CALIBRATION_ATTRIBUTES, type CalibrationAttribute } from '#app/readings/calibration.ts';
import type { CheckResult } from './visit-facts.ts';

export const VISIT_STATES = [
  { state: 'open', word: 'Open' },
  { state: 'counts', word: 'Counts' },
  { state: 'partial', word: 'Partial' },
  { state: 'waits', word: 'Waits' },
  { state: 'accepted', word: 'Accepted' },
  { state: 'set-aside', word: 'Set aside' },
  { state: 'taken-over', word: 'Taken over' },
] as const;
export type VisitState = (typeof VISIT_STATES)[number]['state'];

export const stateWord = (state: VisitState): string => VISIT_STATES.find((one) => one.state === state)?.word ?? state;

/** Words that begin a sentence, and words within one. */
export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
export const uncapital = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1);
/** The first sentence of a check's words says what differs most. */
export const firstSentence = (words: string): string => /^.*?\.(?=\s|$)/s.exec(words)?.[0] ?? words;

/** Single readings join their technician's visit within this time of its first. */
export const OPEN_MS = 12 * 60 * 60 * 1000;

export const isExpired = ({ openedAt }: { openedAt: Date }, now: Date): boolean =>
  now.getTime() - openedAt.getTime() >= OPEN_MS;

export type ReadingPlace = { axle: Axle; attribute: CalibrationAttribute };

export const isSamePlace = (one: ReadingPlace, other: ReadingPlace): boolean =>
  one.axle === other.axle && one.attribute === other.attribute;

/** Whether each axle group of `fitted` has its four readings. Never without a list. */
export function isComplete(fitted: readonly Axle[], readings: readonly ReadingPlace[]): boolean {
  return (
    fitted.length > 0 &&
    fitted.every((axle) =>
      CALIBRATION_ATTRIBUTES.every(({ attribute }) => readings.some((one) => isSamePlace(one, { axle, attribute }))),
    )
  );
}

/**
 * The answers as the public log states them: of each check its name, the answer's first letter (passed, failed, u for
 * 'cannot be told'), and the rule's (must, noted): 'complete:pm interval:pm truck:fm'.
 */
export const checksText = (checks: readonly CheckResult[]): string =>
  checks
    .map(
      ({ check, rule, answer }) => `${check}:${answer === 'cannot be told' ? 'u' : answer.charAt(0)}${rule.charAt(0)}`,
    )
    .join(' ');

export type Decision = 'accepted' | 'set-aside';

/** Why an admin decided so: public, so a closed list. */
export const DECISION_REASONS = [
  { decision: 'accepted', reason: 'as-found-explains', words: 'As-found readings explain it' },
  { decision: 'accepted', reason: 'sensor-replaced', words: 'Sensor replaced' },
  { decision: 'accepted', reason: 'other-trailer', words: 'Other trailer' },
  { decision: 'accepted', reason: 'weighed-again', words: 'Weighed again with the same result' },
  { decision: 'accepted', reason: 'taken-over-line', words: 'Disagrees with a taken-over line' },
  { decision: 'set-aside', reason: 'does-not-fit', words: 'The figures do not fit this truck' },
  { decision: 'set-aside', reason: 'wrong-truck', words: 'Recorded on the wrong truck' },
  { decision: 'set-aside', reason: 'recorded-twice', words: 'Recorded twice' },
  { decision: 'set-aside', reason: 'not-shown', words: 'The weighing cannot be shown' },
  { decision: 'set-aside', reason: 'asked-for', words: 'The technician asked for it' },
] as const satisfies readonly { decision: Decision; reason: string; words: string }[];
export type DecisionReason = (typeof DECISION_REASONS)[number]['reason'];

/** The reasons for a decision about a visit with these answers. */
export const reasonsFor = (decision: Decision, checks: readonly CheckResult[]) =>
  DECISION_REASONS.filter(
    (one) =>
      one.decision === decision &&
      (one.reason !== 'taken-over-line' || checks.some(({ numbers }) => numbers?.isTakenOver === true)),
  );
export const reasonWords = (reason: string): string =>
  DECISION_REASONS.find((one) => one.reason === reason)?.words ?? '';

/** So many at most. The first is the one that the check of the photo compares with look-alikes. */
export const PHOTOS_MAX = 4;
export const TOO_MANY_PHOTOS = `A visit has at most ${PHOTOS_MAX} photos. Remove some.`;
