// What became of a visit that closed, or would become of one, in words for its technician.
import type { FlashName } from '#app/forms/flash-messages.ts';
import type { CheckName } from '#app/policy/policy.ts';
import { formatDay } from '#app/platform/time/calendar.ts';
import { AXLES, axleLabel, type Axle } from '#app/vehicles/axle.ts';
import { checkName } from './visit-checks.ts';
import type { CheckResult } from './visit-facts.ts';
import { capital, reasonWords, uncapital, type VisitState } from './visit.ts';
import { whyItWaits, type HeldBy } from './why-it-waits.ts';

/** `reasons`: why it waits or does not count, and what its technician can do; empty for the other states. */
export type VisitOutcome = {
  state: VisitState;
  dueOn: string | null;
  reasons: readonly Pick<HeldBy, 'sentence' | 'advice'>[];
};

/** An axle group that a check names. `differs`: from the line before, which as-found readings may explain. */
type NamedGroup = { axle: Axle; differs: boolean };
/** `names`: what holds it back, in the fewest words, the axle groups first (`groups`); else what is only noted. */
export type VisitPreview = VisitOutcome & { names: readonly string[]; groups: readonly NamedGroup[] };

/** What would become of a visit that these checks leave in `state`. */
export function previewOf(asked: {
  state: VisitState;
  dueOn: string | null;
  checks: readonly CheckResult[];
}): VisitPreview {
  const reasons = whyItWaits(asked);
  const held = reasons.flatMap(({ check }) => check ?? []);
  const told = asked.checks.filter(({ check, answer }) =>
    held.length > 0 ? held.includes(check) : answer === 'failed',
  );
  const groupsOf = (checks: readonly CheckResult[]) => checks.flatMap(({ numbers }) => numbers?.groups ?? []);
  const differing = groupsOf(told.filter(({ check, answer }) => check === 'agrees' && answer === 'failed'));
  const named = groupsOf(told);
  const groups = AXLES.flatMap(({ axle }) =>
    named.includes(axle) ? [{ axle, differs: differing.includes(axle) }] : [],
  );
  const others = told.flatMap(({ check, numbers }) =>
    numbers?.groups === undefined ? [numbers?.isMissing === true ? `no ${briefName(check)}` : briefName(check)] : [],
  );
  const names = [...groups.map(({ axle }) => axleLabel(axle)), ...others];
  return {
    ...outcomeOf(asked),
    groups,
    names: asked.state === 'waits' && held.length === 0 ? reasons.map(({ name }) => uncapital(name)) : names,
  };
}

// A check's name in the middle of a line.
const BRIEF: Partial<Record<CheckName, string>> = {
  complete: 'list of axle groups',
  interval: 'due date',
  prompt: 'date of the visit',
  plausible: 'copied readings',
  agrees: 'agreement',
  standing: 'good standing',
  reference: 'weighbridge',
};
const briefName = (check: CheckName): string => BRIEF[check] ?? uncapital(checkName(check));

/** The one line of a preview: the first words, and the names. */
export function previewLine({ state, dueOn, names }: VisitPreview): OutcomeWords {
  const rest = names.join(', ');
  if (state === 'counts')
    return { lead: 'Will count.', rest: rest === '' ? capital(`${dueText(dueOn)}.`) : `Noted: ${rest}` };
  return { lead: state === 'partial' ? 'Will not count:' : 'Will wait:', rest };
}

/** The outcome of a visit that these checks leave in `state`. `reason`: the code of the decision. */
export function outcomeOf({
  state,
  dueOn,
  checks,
  isStretched = false,
  reason = '',
}: {
  state: VisitState;
  dueOn: string | null;
  checks: readonly CheckResult[];
  isStretched?: boolean;
  reason?: string;
}): VisitOutcome {
  if (state === 'set-aside') return { state, dueOn, reasons: [{ sentence: `${reasonWords(reason)}.`, advice: '' }] };
  if (state !== 'waits' && state !== 'partial') return { state, dueOn, reasons: [] };
  const reasons = whyItWaits({ checks, state, isStretched });
  return { state, dueOn, reasons: reasons.map(({ sentence, advice }) => ({ sentence, advice })) };
}

/** Words of an outcome: the first sentence, and what follows it. */
export type OutcomeWords = { lead: string; rest: string };

/** After a visit has closed, or was decided. */
export function outcomeWords({ state, dueOn, reasons }: VisitOutcome): OutcomeWords {
  const why = reasonText(reasons);
  switch (state) {
    case 'counts':
      return { lead: `Recorded. It counts: ${dueText(dueOn)}.`, rest: '' };
    case 'partial':
      return { lead: `Recorded. It does not count: ${why}`, rest: 'Nobody is asked about it.' };
    case 'waits':
      return {
        lead: `Recorded. It waits for an administrator: ${why}`,
        rest: 'Until it is decided, the truck’s due date stays as it is. You will get an email.',
      };
    case 'accepted':
      return { lead: `An administrator accepted it: ${dueText(dueOn)}.`, rest: '' };
    case 'set-aside':
      return { lead: `An administrator set it aside: ${why}`, rest: '' };
    case 'open':
    case 'taken-over':
      return { lead: 'Recorded.', rest: '' };
  }
}

/** In a list, beside the state's word: what holds it back, or its due date. */
export function listedWords({ state, dueOn, reasons }: VisitOutcome): string {
  if (reasons.length > 0) return reasons.map(({ sentence }) => sentence).join(' ');
  return state === 'counts' || state === 'accepted' ? capital(`${dueText(dueOn)}.`) : '';
}

/** Before a visit is saved or finished. `subject`: 'This visit', 'If you finish now, it'. */
export function previewWords({ state, dueOn, reasons }: VisitOutcome, subject: string): OutcomeWords {
  const advice = [...new Set(reasons.map((one) => one.advice))].filter((text) => text !== '').join(' ');
  if (state === 'counts') return { lead: `${subject} will count: ${dueText(dueOn)}.`, rest: '' };
  return state === 'partial'
    ? { lead: `${subject} will not count: ${reasonText(reasons)}`, rest: `${advice} Nobody is asked about it.` }
    : { lead: `${subject} will wait for an administrator: ${reasonText(reasons)}`, rest: advice };
}

const dueText = (dueOn: string | null): string => (dueOn === null ? 'no due date' : `due ${formatDay(dueOn)}`);

// The first in the middle of a sentence, the others after it. An axle group keeps its capital letter.
function reasonText(reasons: VisitOutcome['reasons']): string {
  const [first = '', ...others] = reasons.map(({ sentence }) => sentence);
  const isWord = /^[A-Z][a-z]/.test(first) && !AXLES.some(({ label }) => first.startsWith(label));
  return [isWord ? uncapital(first) : first, ...others].join(' ');
}

/** The flash message of an entry or a set: what became of the visit, if it closed. */
export function flashOf(closed: Pick<VisitOutcome, 'state'> | undefined): FlashName {
  if (closed?.state === 'counts') return 'visit-counts';
  if (closed?.state === 'waits') return 'visit-waits';
  return closed?.state === 'partial' ? 'visit-partial' : 'entry-added';
}
