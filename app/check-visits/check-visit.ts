// A check visit: a truck is to be weighed again by somebody else than the technician of one of its visits. An admin
// asks for it, or it is drawn at random when that visit begins to count, so that a check visit says nothing about
// anybody. It never moves a verdict. Browser code may import this.
import { formatDay } from '#app/platform/time/calendar.ts';

/** Days for which one is wanted. */
export const WANTED_DAYS = 60;

export type CheckVisitState = 'open' | 'done' | 'lapsed' | 'withdrawn';

/** Whether the two visits agree, by the tolerance of the policy. */
export const CHECK_VISIT_RESULTS = ['agrees', 'disagrees', 'cannot be told'] as const;
export type CheckVisitResult = (typeof CHECK_VISIT_RESULTS)[number];

/** What anybody may know of a check visit. Days are days of the registry's zone. */
export type PublicCheckVisit = {
  state: CheckVisitState;
  /** The visit that is to be checked, and its day. */
  visitId: string;
  visitedOn: string;
  untilOn: string;
  /** The visit that closed it. */
  closedBy: string | null;
  closedOn: string | null;
  result: CheckVisitResult | null;
};

/** Stands beside every one. `perMille`: the share that the policy in force draws. */
export const neutralWords = (perMille: number): string =>
  perMille === 0 ? 'It says nothing about anybody.' : 'Trucks are also drawn at random: it says nothing about anybody.';

export const wantedWords = (
  { visitedOn, untilOn }: Pick<PublicCheckVisit, 'visitedOn' | 'untilOn'>,
  perMille: number,
): string =>
  `somebody else than the technician of ${formatDay(visitedOn)} weighs this truck again, until ${formatDay(untilOn)}. ${neutralWords(perMille)}`;

export const RESULT_WORDS = {
  agrees: 'The two agree within the tolerance.',
  disagrees: 'The two differ by more than the tolerance.',
  'cannot be told': 'Whether the two agree cannot be told.',
} as const satisfies Record<CheckVisitResult, string>;

/** 'Somebody else weighed this truck again on 20 June 2026, after the visit of 4 June 2026. The two agree …' */
export const doneWords = ({ visitedOn, closedOn, result }: PublicCheckVisit): string =>
  `somebody else weighed this truck again${closedOn === null ? '' : ` on ${formatDay(closedOn)}`}, after the visit of ${formatDay(visitedOn)}. ${result === null ? '' : RESULT_WORDS[result]}`;
