// What each source of "Find anything" is asked and answers.
import type { SignedIn } from '#app/access/session.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import type { VerdictPolicy } from '#app/vehicles/verdict.ts';
import type { FoundRow } from './find.ts';

export const SHOWN = 5;
/** One more than is shown tells that there are more. */
export const ROWS_MAX = SHOWN + 1;
/** Shorter parts of a text have no trigram, and fit too many. */
export const PART_MIN = 3;

export type Asked = { services: Services; who: SignedIn; text: string; today: string; policy: VerdictPolicy };
/** `total`: where the source knows it. `all`: the list that shows the rest. */
export type Found = { rows: FoundRow[]; total?: number; all?: string };

/** 'A', '', 'B' → 'A · B' */
export const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' · ');
