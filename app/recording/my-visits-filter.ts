// What the list of one's own visits can show: all of them, or those of one state.
import type { VisitState } from '#app/visits/visit.ts';

export const MY_LISTS = [
  { state: 'all', label: 'All' },
  { state: 'open', label: 'Open' },
  { state: 'waits', label: 'Waits' },
  { state: 'partial', label: 'Partial' },
  { state: 'set-aside', label: 'Set aside' },
] as const satisfies readonly { state: VisitState | 'all'; label: string }[];
export type MyList = (typeof MY_LISTS)[number]['state'];

/** The list of `?state=`; without one, all. */
export const myListOf = (params: URLSearchParams): MyList =>
  MY_LISTS.find(({ state }) => state === params.get('state'))?.state ?? 'all';
