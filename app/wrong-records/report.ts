// A report that a record is wrong, from anybody: what may be said and decided, who may take which step when, and the
// state that the steps leave. It moves no verdict.
import { addDays } from '#app/platform/time/calendar.ts';
import type {
  ReportAudience,
  ReportDecision,
  ReportKind,
  ReportState,
  ReportStep,
} from '#database/report-tables.ts';

export const WORDS_MAX = 2000;
export const FILES_MAX = 5;
export const FILES_HINT = `Photos or PDFs, up to ${FILES_MAX}, together 20 MB.`;
/** An unconfirmed report is deleted after this time. */
export const CONFIRM_WITHIN_DAYS = 3;
export const DECIDE_WITHIN_DAYS = 75;
/** The reporter is told after so many days that it is not decided yet: the last first, so that a day missed is one mail. */
export const TOLD_AFTER_DAYS = [75, 60, 30] as const;
export const ANSWER_DAYS = 14;
/** After the decision: it closes by itself, and until then a second look may be asked for. */
export const CLOSED_AFTER_DAYS = 30;
/** The reporter, words and files are erased so long after the decision. */
export const KEPT_AFTER_DAYS = 365;

/** `of`: what it can be said of. */
export const KINDS: readonly { value: ReportKind; label: string; of: 'truck' | 'any' }[] = [
  { value: 'not-mine', label: 'It is not my truck', of: 'truck' },
  { value: 'figures', label: 'The figures are wrong', of: 'any' },
  { value: 'date', label: 'The date is wrong', of: 'any' },
  { value: 'plate', label: 'The plate or VIN is wrong', of: 'truck' },
  { value: 'never', label: 'The weighing never took place', of: 'truck' },
  { value: 'photo', label: 'A photo', of: 'truck' },
  { value: 'other', label: 'Something else', of: 'any' },
];
export const kindLabel = (kind: ReportKind): string => KINDS.find(({ value }) => value === kind)?.label ?? kind;

/** `acts`: the kinds of activity of which one stands behind it; none: it needs no act. */
export const DECISIONS: readonly { value: ReportDecision; label: string; acts: readonly string[] }[] = [
  { value: 'right', label: 'The record is right', acts: [] },
  {
    value: 'corrected',
    label: 'Corrected',
    acts: ['calibration.corrected', 'visit.matched', 'vehicle.updated', 'reference.updated', 'verification.withdrawn'],
  },
  { value: 'set-aside', label: 'The visit was set aside', acts: ['visit.set-aside'] },
  { value: 'withdrawn', label: 'The weighbridge was withdrawn', acts: ['withdrawal.confirmed'] },
  { value: 'plate', label: 'Plate or VIN corrected', acts: ['vehicle.replated', 'vin.corrected'] },
  { value: 'photo', label: 'Photo hidden', acts: ['photo.hidden'] },
];
export const decisionLabel = (decision: string | null): string =>
  decision === 'taken-back' ? 'Taken back' : (DECISIONS.find(({ value }) => value === decision)?.label ?? '');

export const STATE_WORDS: Readonly<Record<ReportState, string>> = {
  received: 'Received',
  confirmed: 'Confirmed',
  open: 'With the office',
  'with-technician': 'With the technician',
  answered: 'Answered',
  decided: 'Decided',
  'second-look': 'Second look',
  closed: 'Closed',
};

const UNDECIDED = ['confirmed', 'open', 'with-technician', 'answered', 'second-look'] as const;
type Rule = { by: ReportAudience; from: readonly ReportState[]; to: ReportState | null; words: string };

/** Who takes a step, in which states, and what it leads to; null: the state stays. */
export const STEPS: Readonly<Record<ReportStep, Rule>> = {
  received: { by: 'reporter', from: [], to: 'received', words: 'Received' },
  confirmed: { by: 'reporter', from: ['received'], to: 'confirmed', words: 'Confirmed' },
  added: { by: 'reporter', from: ['received', ...UNDECIDED], to: null, words: 'Something added' },
  opened: { by: 'office', from: ['confirmed'], to: 'open', words: 'Read by the office' },
  asked: { by: 'office', from: ['confirmed', 'answered', 'second-look'], to: 'with-technician', words: 'With the technician' },
  answered: { by: 'technician', from: ['with-technician', 'answered'], to: 'answered', words: 'Answered' },
  written: { by: 'office', from: UNDECIDED, to: null, words: 'The office wrote' },
  decided: { by: 'office', from: UNDECIDED.slice(1), to: 'decided', words: 'Decided' },
  'second-look': { by: 'reporter', from: ['decided'], to: 'second-look', words: 'A second look was asked for' },
  'taken-back': { by: 'reporter', from: ['received', ...UNDECIDED], to: 'closed', words: 'Taken back' },
  spam: { by: 'office', from: ['confirmed'], to: 'closed', words: 'Closed: it says nothing about a record' },
};
export const isStep = (text: string): text is ReportStep => Object.hasOwn(STEPS, text);

type Taken = { step: ReportStep; onDay: string };

/** The state that the steps, in their order, leave on the day `today`. */
export function stateOf(steps: readonly Taken[], today: string): ReportState {
  let state: ReportState = 'received';
  for (const { step } of steps) state = STEPS[step].to ?? state;
  const decided = steps.findLast(({ step }) => step === 'decided');
  return state === 'decided' && decided !== undefined && today > addDays(decided.onDay, CLOSED_AFTER_DAYS)
    ? 'closed'
    : state;
}

/** Why nobody of `by` may take the step now; undefined: they may. */
export function refusalOf(
  steps: readonly Taken[],
  { step, by }: { step: ReportStep; by: ReportAudience },
  today: string,
): 'unknown' | 'stale' | 'second-look-used' | 'not-answered' | undefined {
  const rule = STEPS[step];
  const asked = steps.findLast((one) => one.step === 'asked');
  if (rule.by !== by || (by === 'technician' && asked === undefined)) return 'unknown';
  const state = stateOf(steps, today);
  if (!rule.from.includes(state)) return 'stale';
  if (step === 'second-look' && steps.some((one) => one.step === 'second-look')) return 'second-look-used';
  if (step === 'decided' && state === 'with-technician' && asked !== undefined)
    return today <= addDays(asked.onDay, ANSWER_DAYS) ? 'not-answered' : undefined;
  return undefined;
}

/** Whose words and files are read by whom. The office reads all. */
export function mayRead(audience: ReportAudience | undefined, { step, by }: { step: ReportStep; by: ReportAudience }): boolean {
  if (audience === undefined) return false;
  if (audience === 'office' || by === audience) return true;
  if (audience === 'technician') return by === 'reporter';
  return step === 'written' || step === 'decided';
}

export const numberWords = ({ year, number }: { year: number; number: number }): string =>
  `R-${year}-${String(number).padStart(4, '0')}`;

/** Why a step is refused, for the person. */
export const REFUSALS = {
  unknown: { code: 'report-unknown', sentence: 'There is no such report.' },
  stale: { code: 'changed-meanwhile', sentence: 'Something happened to the report since you opened it. Look at it again.' },
  'second-look-used': { code: 'second-look-used', sentence: 'A second look was asked for before. There is one.' },
  'not-answered': {
    code: 'not-answered',
    sentence: `The technician may answer first, within ${ANSWER_DAYS} days from being asked.`,
  },
  'not-yours': {
    code: 'not-yours',
    sentence: 'You had a part in the record, or decided this report before. Another administrator does this.',
  },
  'no-act': {
    code: 'no-act',
    sentence: 'Nothing of that kind was done to the record since the report came. Do it first, then decide.',
  },
} as const;
export type Refused = keyof typeof REFUSALS;
