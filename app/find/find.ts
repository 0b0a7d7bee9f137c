// What "Find anything" answers: groups of rows, each row a link.
import type { Verdict } from '#app/vehicles/verdict-table.ts';

/** In the order in which they are shown. */
export const GROUPS = [
  { group: 'companies', label: 'Companies' },
  { group: 'people', label: 'People' },
  { group: 'trucks', label: 'Trucks' },
  { group: 'weighbridges', label: 'Weighbridges' },
  { group: 'visits', label: 'Visits' },
  { group: 'tickets', label: 'Tickets' },
  { group: 'reports', label: 'Reports' },
  { group: 'entries', label: 'Log entries' },
] as const;
export type Group = (typeof GROUPS)[number]['group'];

export type FoundRow = {
  href: string;
  title: string;
  detail: string;
  /** The text is all of what it was found by. */
  isExact: boolean;
  /** Of a truck, whose title is its plate. */
  verdict?: { verdict: Verdict; matchesLog: boolean };
};
/** `count`: in words. `all`: the list that shows the rest. */
export type FoundGroup = { group: Group; label: string; rows: FoundRow[]; count: string; all: string | null };
export type FindPage = {
  text: string;
  /** Those with an exact match first. */
  groups: FoundGroup[];
  /** What was looked through without a match, in words; '': nothing was. */
  none: string;
  /** Regos similar to the text when nothing matches it, and what stands behind them. */
  near: string[];
  ask: string;
};
