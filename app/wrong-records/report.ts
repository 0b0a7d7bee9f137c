// A report that a record is wrong, from anybody: what may be said and decided, who may take which step when, and the
// state that the steps leave. It moves no verdict.
import { addDays, formatDay } from '#app/platform/time/calendar.ts';
import type { ReportAudience, ReportDecision, ReportKind, ReportState, ReportStep } from '#database/report-tables.ts';

export const WORDS_MAX = 2000;
export const FILES_MAX = 5;
/** An unconfirmed report is deleted after this time. */
export const CONFIRM_WITHIN_DAYS = 3;
export const DECIDE_WITHIN_DAYS = 75;
/** The reporter is told that it is not decided yet: the last first, so that a day missed is one mail. */
export const TOLD_AFTER_DAYS = [75, 60, 30] as const;
export const ANSWER_DAYS = 14;
/** After the decision: it closes by itself, and until then a second look may be asked for. */
export const CLOSED_AFTER_DAYS = 30;

/** `ofTruck`: a weighbridge has none. */
export const KINDS: readonly { value: ReportKind; label: string; ofTruck?: true }[] = [
  { value: 'not-mine', label: 'It is not my truck', ofTruck: true },
  { value: 'figures', label: 'The figures are wrong' },
  { value: 'date', label: 'The date is wrong' },
  { value: 'plate', label: 'The plate or VIN is wrong', ofTruck: true },
  { value: 'never', label: 'The weighing never took place', ofTruck: true },
  { value: 'photo', label: 'A photo', ofTruck: true },
  { value: 'other', label: 'Something else' },
];
export const kindLabel = (kind: ReportKind): string => KINDS.find(({ value }) => value === kind)?.label ?? kind;

const CORRECTIONS = ['calibration.corrected', 'visit.matched', 'vehicle.updated', 'reference.updated'];
/** `acts`: the kinds of activity of which one stands behind it; none: it needs no act. `undoneBy`: what undoes it. */
type Decision = { value: ReportDecision; label: string; acts: readonly string[]; undoneBy?: string };
export const DECISIONS: readonly Decision[] = [
  { value: 'right', label: 'The record is right', acts: [] },
  { value: 'corrected', label: 'Corrected', acts: [...CORRECTIONS, 'verification.withdrawn'] },
  { value: 'set-aside', label: 'The visit was set aside', acts: ['visit.set-aside'], undoneBy: 'visit.accepted' },
  { value: 'withdrawn', label: 'The weighbridge was withdrawn', acts: ['withdrawal.confirmed'] },
  { value: 'plate', label: 'Plate or VIN corrected', acts: ['vehicle.replated', 'vin.corrected'] },
  { value: 'photo', label: 'Photo hidden', acts: ['photo.hidden'], undoneBy: 'photo.shown' },
];
/** The act behind the decision, if nothing has undone it. `done`: to the record, the newest first. */
export function actBehind<Act extends { kind: string }>({ acts, undoneBy }: Decision, done: readonly Act[]) {
  const last = done.find(({ kind }) => acts.includes(kind) || kind === undoneBy);
  return last?.kind === undoneBy ? undefined : last;
}
export const decisionLabel = (decision: string | null): string =>
  DECISIONS.find(({ value }) => value === decision)?.label ?? 'Taken back';

const OPEN: readonly ReportState[] = ['opened', 'asked', 'answered', 'second-look'];
const UNDECIDED: readonly ReportState[] = ['received', 'confirmed', ...OPEN];
type Rule = { by: ReportAudience; from: readonly ReportState[]; words: string };

/** Who takes a step, and in which states. Each leads to the state of its own name, but the last three. */
export const STEPS: Readonly<Record<ReportStep, Rule>> = {
  received: { by: 'reporter', from: [], words: 'Received' },
  confirmed: { by: 'reporter', from: ['received'], words: 'Confirmed' },
  opened: { by: 'office', from: [], words: 'With the office' },
  asked: { by: 'office', from: ['confirmed', 'answered', 'second-look'], words: 'With the technician' },
  answered: { by: 'technician', from: ['asked', 'answered'], words: 'Answered' },
  decided: { by: 'office', from: OPEN, words: 'Decided' },
  'second-look': { by: 'reporter', from: ['decided'], words: 'Second look' },
  added: { by: 'reporter', from: UNDECIDED, words: 'Something added' },
  'taken-back': { by: 'reporter', from: UNDECIDED, words: 'Taken back' },
  spam: { by: 'office', from: ['confirmed'], words: 'Closed: it says nothing about a record' },
};
export const isStep = (text: string): text is ReportStep => Object.hasOwn(STEPS, text);
export const stateWords = (state: ReportState): string => (state === 'closed' ? 'Closed' : STEPS[state].words);
export const isDecided = (state: ReportState): boolean => state === 'decided' || state === 'closed';

type Taken = { step: ReportStep; onDay: string };

/** The state that the steps, in their order, leave on the day `today`. */
export function stateOf(steps: readonly Taken[], today: string): ReportState {
  const last = steps.findLast(({ step }) => step !== 'added');
  if (last === undefined || last.step === 'added') return 'received';
  const { step, onDay } = last;
  if (step === 'taken-back' || step === 'spam') return 'closed';
  return step === 'decided' && today > addDays(onDay, CLOSED_AFTER_DAYS) ? 'closed' : step;
}

/** Why nobody of `by` may take the step now; undefined: they may. */
export function refusalOf(
  steps: readonly Taken[],
  { step, by, today }: { step: ReportStep; by: ReportAudience; today: string },
): Refused | undefined {
  const asked = steps.findLast((one) => one.step === 'asked');
  if (STEPS[step].by !== by || (by === 'technician' && asked === undefined)) return 'unknown';
  const state = stateOf(steps, today);
  if (!STEPS[step].from.includes(state)) return 'stale';
  if (step === 'second-look' && steps.some((one) => one.step === step)) return 'second-look-used';
  const waits = step === 'decided' && state === 'asked' && today <= addDays(asked?.onDay ?? today, ANSWER_DAYS);
  return waits ? 'not-answered' : undefined;
}

/** Whose words and files are read by whom: the technician's only by the office, which reads all. */
export const mayRead = (reader: ReportAudience, { step, by }: { step: ReportStep; by: ReportAudience }): boolean =>
  reader === 'office' || by === reader || (reader === 'technician' ? by === 'reporter' : step === 'decided');

export const numberWords = ({ year, number }: { year: number; number: number }): string =>
  `R-${year}-${String(number).padStart(4, '0')}`;

/** `numberWords` of a report r, as SQL. */
export const NUMBER_SQL = "concat('R-', r.year, '-', to_char(r.number, 'FM99999990000'))";

/** What is public of it. */
export type PublicReport = {
  openedOn: string;
  isOpen: boolean;
  visitedOn: string | null;
  decision: string | null;
  decidedOn: string | null;
  entry: number | null;
};

/** 'A report is open since 3 May.'; null: none is. */
export function openWords(reports: readonly Pick<PublicReport, 'openedOn' | 'isOpen'>[]): string | null {
  const open = reports.filter(({ isOpen }) => isOpen).map(({ openedOn }) => openedOn);
  const [first] = open.toSorted();
  if (first === undefined) return null;
  const lead = open.length === 1 ? 'A report is open since' : `${open.length} reports are open, the first since`;
  return `${lead} ${formatDay(first)}.`;
}

/** Why a step is refused, for the person. */
export const REFUSALS = {
  unknown: 'There is no such report.',
  stale: 'Something happened to the report since you opened it. Look at it again.',
  'second-look-used': 'A second look was asked for before. There is one.',
  'not-answered': `The technician may answer first, within ${ANSWER_DAYS} days from being asked.`,
  'not-yours': 'You had a part in the record, or decided this report before. Another administrator does this.',
  'no-act': 'Nothing of that kind was done to the record since the report came. Do it first, then decide.',
} as const;
export type Refused = keyof typeof REFUSALS;
