// What "Find anything" answers.
import type { Verdict } from '#app/vehicles/verdict-table.ts';

/** `isExact`: the text is all of what it was found by. `verdict`: of a truck, whose title is its plate. */
export type FoundRow = {
  href: string;
  title: string;
  detail: string;
  isExact: boolean;
  verdict?: { verdict: Verdict; matchesLog: boolean };
};
/** `count`: in words. `all`: the list that shows the rest. */
export type FoundGroup = { group: string; rows: FoundRow[]; count: string; all: string | null; isExact: boolean };
/** `none`: the groups without a match, in words. `near`: regos similar to the text when there is no match at all. */
export type FindPage = { text: string; groups: FoundGroup[]; none: string; near: string[]; ask: string };
