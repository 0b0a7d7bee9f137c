// What each source of "Find anything" is asked and answers, and what becomes of it.
import type { SignedIn } from '#app/access/session.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import type { VerdictPolicy } from '#app/vehicles/verdict.ts';
import type { Verdict } from '#app/vehicles/verdict-table.ts';

export const SHOWN = 5;
/** One more than is shown tells that there are more. */
export const ROWS_MAX = SHOWN + 1;
/** Whether a trigram index narrows by the text. None goes across a hyphen or a blank: 'LC-40' would read every row. */
export const hasTrigram = (text: string): boolean => /[\p{L}\p{N}]{3}/u.test(text);

export type Asked = { services: Services; who: SignedIn; text: string; today: string; policy: VerdictPolicy };
/** `isExact`: the text is all of what it was found by. `verdict`: of a truck, whose title is its plate. */
export type FoundRow = {
  href: string;
  title: string;
  detail: string;
  isExact: boolean;
  verdict?: { verdict: Verdict; matchesLog: boolean };
};
/** `total`: where the source knows it. `all`: the list that shows the rest. */
export type Found = { rows: FoundRow[]; total?: number; all?: string };

/** `count`: in words. `all`: the list that shows the rest. */
export type FoundGroup = { group: string; rows: FoundRow[]; count: string; all: string | null; isExact: boolean };
/** `none`: the groups without a match, in words. `near`: regos similar to the text when there is no match at all. */
export type FindPage = { text: string; groups: FoundGroup[]; none: string; near: string[]; ask: string };

/** 'A', '', 'B' → 'A · B' */
export const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' · ');
