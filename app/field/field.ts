// What a phone holds, so that visits can be recorded without reception, and what the registry answers when they are
// sent.
import type { VisitState } from '#app/visits/visit.ts';
import type { CheckName, CheckRule } from '#app/policy/policy.ts';
import type { Axle } from '#app/vehicles/axle.ts';
import type { Verdict } from '#app/vehicles/verdict-table.ts';

/** The version of the form that this program fills in. Raise it when a field changes its meaning. */
export const FORM_VERSION = 1;
/** Those that the registry reads: a phone may send in the form of the program that it had without reception. */
export const FORM_VERSIONS: readonly number[] = [FORM_VERSION];
/** More than this old, what was fetched is amber. */
export const STALE_MS = 24 * 60 * 60 * 1000;

/** A truck as the registry knew it when it was fetched. `lines`: the newest readings of each axle, in words. */
export type FieldTruck = {
  id: string;
  rego: string;
  vin: string;
  verdict: Verdict;
  matchesLog: boolean;
  dueOn: string | null;
  restsOn: string;
  axles: readonly Axle[];
  /** Absent from what an older program kept. */
  kind?: string;
  groupDetails?: string;
  lines: readonly { label: string; day: string; words: string }[];
  isOwn: boolean;
  /** The plates that it had before. Missing: none, or it was fetched before this was said. */
  formerly?: readonly string[];
  /** The last day on which a check visit by this person is wanted. Missing: none is, or was when it was fetched. */
  checkUntilOn?: string;
};

/** Whether a truck has this rego, or had it. */
export const isCalled = ({ rego, formerly = [] }: Pick<FieldTruck, 'rego' | 'formerly'>, name: string): boolean =>
  rego === name || formerly.includes(name);
export type FieldVisit = { id: string; rego: string; day: string; word: string; words: string };
export type FieldReference = { id: string; line: string };
/** `at`: by the registry's clock. `missing`: regos that were asked for and are not in the registry. */
export type FieldData = {
  at: string;
  zone: string;
  person: { id: string; name: string };
  trucks: FieldTruck[];
  missing: string[];
  references: FieldReference[];
  visits: FieldVisit[];
  policy: {
    version: number;
    intervalDays: number;
    longestIntervalDays: number;
    promptDays: number;
    /** Missing: it was fetched before this was said. */
    dueSoonDays?: number;
  };
  checks: { check: CheckName; name: string; rule: CheckRule }[];
};

/**
 * The registry's answer to a visit that was sent. `isAgain`: it had recorded it before; `isSame`: with the same words.
 * `by`: somebody else sent it then. `errors`: by field. Refused, it may be changed and sent again.
 */
export type SentAnswer =
  | {
      recorded: true;
      visitId: string;
      state: VisitState;
      word: string;
      words: string;
      isAgain: boolean;
      isSame: boolean;
      by: string | null;
    }
  | { recorded: false; reason: string; sentence: string; errors: Record<string, string> };
