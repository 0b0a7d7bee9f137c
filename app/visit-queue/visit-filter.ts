// What the list of visits can show: the visits of one state.
import type { VisitState } from '#app/visits/visit.ts';

export const VISIT_LISTS = [
  { state: 'waits', label: 'Waiting' },
  { state: 'accepted', label: 'Accepted' },
  { state: 'set-aside', label: 'Set aside' },
  { state: 'partial', label: 'Partial' },
] as const satisfies readonly { state: VisitState; label: string }[];
export type ListedState = (typeof VISIT_LISTS)[number]['state'];

/** The state of `?state=`; without one, the visits that wait. */
export const listedState = (params: URLSearchParams): ListedState =>
  VISIT_LISTS.find(({ state }) => state === params.get('state'))?.state ?? 'waits';

/** '1 day', '11 days', 'today'. */
export const waitedWords = (days: number): string => (days === 0 ? 'today' : `${days} ${days === 1 ? 'day' : 'days'}`);
