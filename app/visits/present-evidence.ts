// What a verdict rests on, in words, for the page of a vehicle and for its report: the line and the notes, and the
// cards that list the checks.
import { formatDay, todayIn } from '#app/platform/time/calendar.ts';
import { decisionOf, type Evidence, type VisitOfTruck } from './evidence.ts';
import {
  cardId,
  correctedSince,
  decidedBy,
  lineOf,
  moreNote,
  noteOf,
  dueSource,
  takenOverFrom,
  visitOf,
  waitingNote,
  type EvidenceContext,
  type EvidenceLine,
  type EvidenceNote,
} from './evidence-words.ts';
import { checkName } from './visit-checks.ts';
import type { CheckResult } from './visit-facts.ts';
import { whyItWaits } from './why-it-waits.ts';
import { capital, stateWord, type VisitState } from './visit.ts';

/** A check looks as its answer; `noted`: not passed, and no finding. No look is a verdict's. */
export type CheckLook = 'passed' | 'failed' | 'untold' | 'noted';
export type ShownCheck = {
  /** Null: it is none of the list. */
  check: CheckResult['check'] | null;
  name: string;
  look: CheckLook;
  answer: string;
  sentence: string;
  isRequired: boolean;
};
export type EvidenceCard = {
  id: string;
  title: string;
  /** 'Visit of 16 November 2026'. */
  visit: string;
  state: VisitState | null;
  word: string;
  about: string;
  groups: { title: string; checks: ShownCheck[] }[];
  foot: string;
  policyVersion: number | null;
};
export type ShownEvidence = {
  line: EvidenceLine | null;
  notes: EvidenceNote[];
  ruling: EvidenceCard | null;
  /** The newest visit that waits. */
  waiting: EvidenceCard | null;
  /** The day, and what there is to say of it. */
  lastCalibrated: { day: string; remark: string } | null;
};

/** More of them are counted, and stand in the history. The first has a card too: a page stays short whatever waits. */
const WAITING_NAMED = 3;

export function presentEvidence(evidence: Evidence, context: EvidenceContext): ShownEvidence {
  const { ruling, takenOver, waiting, newest } = evidence;
  const [first] = waiting;
  const named = waiting.slice(0, WAITING_NAMED);
  return {
    line: lineOf(evidence, context),
    notes: [
      ...(newest === null ? [] : [noteOf(newest)]),
      ...named.map((visit) => waitingNote(visit, visit === first ? cardId(visit) : null, context)),
      ...(context.waitingTotal > named.length ? [moreNote(context.waitingTotal - named.length)] : []),
    ],
    ruling: ruling === null ? takenOver && takenOverCard(takenOver) : rulingCard(ruling, context),
    waiting: first === undefined ? null : waitingCard(first),
    lastCalibrated: lastCalibratedOf(evidence, context),
  };
}

function lastCalibratedOf({ ruling, takenOver }: Evidence, { lastCalibratedAt, zone }: EvidenceContext) {
  const day = ruling?.visitedOn ?? takenOver?.on ?? null;
  if (day !== null) return { day: formatDay(day), remark: '' };
  return lastCalibratedAt === null
    ? null
    : { day: formatDay(todayIn(zone, lastCalibratedAt)), remark: 'does not count' };
}

function presentCheck(result: CheckResult): ShownCheck {
  const { check, rule, sentence } = result;
  const [look, words] = lookOf(result);
  return { check, name: checkName(check), look, answer: words, sentence, isRequired: rule === 'must' };
}

function lookOf({ check, rule, answer }: CheckResult): [CheckLook, string] {
  if (answer === 'passed') return ['passed', 'Passed'];
  if (answer === 'cannot be told') return ['untold', 'Cannot be told'];
  if (check === 'standing') return ['noted', 'Being looked at'];
  return rule === 'must' ? ['failed', 'Failed'] : ['noted', 'Noted'];
}

const group = (title: string, checks: readonly CheckResult[]) =>
  checks.length === 0 ? [] : [{ title, checks: checks.map(presentCheck) }];

const NOTED_CHECKS = 'Noted checks never hold a visit back.';

function cardOf(visit: VisitOfTruck): Pick<EvidenceCard, 'id' | 'visit' | 'state' | 'word' | 'policyVersion'> {
  return {
    id: cardId(visit),
    visit: capital(visitOf(visit)),
    state: visit.state,
    word: stateWord(visit.state),
    policyVersion: visit.policyVersion,
  };
}

const isMust = ({ rule }: CheckResult) => rule === 'must';
const isNoted = ({ rule }: CheckResult) => rule !== 'must';
const hasPassed = ({ answer }: CheckResult) => answer === 'passed';

function rulingCard(visit: VisitOfTruck, context: EvidenceContext): EvidenceCard {
  const decision = decisionOf(visit);
  const due = visit.handDueOn ?? visit.dueOn;
  return {
    ...cardOf(visit),
    title: 'What this verdict rests on',
    about: [
      decision === null
        ? 'It counts: no required check held it back.'
        : `${capital(decidedBy(decision, context))}${correctedSince(visit, decision, context)}. Decided on ${formatDay(todayIn(context.zone, decision.at))}.`,
      ...(due === null
        ? []
        : [`Next calibration due on ${formatDay(due)}${visit.handDueOn === null ? '' : `, ${dueSource(visit)}`}.`]),
    ].join(' '),
    groups: [
      ...group('Required for a visit to count', visit.checks.filter(isMust)),
      ...group('Noted only', visit.checks.filter(isNoted)),
    ],
    foot: `${visit.checks.filter(hasPassed).length} of ${visit.checks.length} passed. ${NOTED_CHECKS}`,
  };
}

// What it passed is named in one sentence: people ask why it waits.
function waitingCard(visit: VisitOfTruck): EvidenceCard {
  const reasons = whyItWaits(visit);
  const held = reasons.map(({ check }) => check);
  const isHeld = ({ check }: CheckResult) => held.includes(check);
  const passed = visit.checks.filter(hasPassed);
  const others = visit.checks.filter((one) => !hasPassed(one) && !isHeld(one));
  return {
    ...cardOf(visit),
    title: 'A visit that waits',
    about: [
      'It waits for an administrator, and changes nothing until it is decided.',
      ...reasons.flatMap(({ check, sentence }) => (check === null ? [sentence] : [])),
    ].join(' '),
    groups: [
      ...group('Why it waits', visit.checks.filter(isHeld)),
      ...group('Also required', others.filter(isMust)),
      ...group('Noted only', others.filter(isNoted)),
    ],
    foot: `${passed.length} of ${visit.checks.length} passed${
      passed.length === 0 ? '' : `: ${passed.map(({ check }) => checkName(check).toLowerCase()).join(', ')}`
    }. ${NOTED_CHECKS}`,
  };
}

const takenOverCard = ({ visit, on, origin }: NonNullable<Evidence['takenOver']>): EvidenceCard => ({
  id: 'taken-over',
  title: 'What this verdict rests on',
  visit: on === null ? '' : `Up to ${formatDay(on)}`,
  state: 'taken-over',
  word: stateWord('taken-over'),
  about: `${takenOverFrom(origin)}. These calibrations keep their effect as it stood, and were not held against the checks.${
    visit === null || visit.handDueOn === null
      ? ''
      : ` Next calibration due on ${formatDay(visit.handDueOn)}, ${dueSource(visit)}.`
  }`,
  groups: [],
  foot: '',
  policyVersion: null,
});
