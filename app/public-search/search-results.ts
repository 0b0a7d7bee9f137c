// What a search answers, ready to be shown.
import type { Verdict } from '#app/vehicles/verdict.ts';

export type ResultRow = {
  rego: string;
  vin: string;
  warrantyExpiry: string | null;
  scaleSerialNumber: string;
  verdict: Verdict;
  certificateHref: string | null;
};

/** `since` is the activity log's size before the search: where live updates begin. */
export type SearchResults =
  | { kind: 'empty'; since: number }
  | { kind: 'unsearchable'; text: string; since: number }
  | { kind: 'none'; text: string; since: number }
  | {
      kind: 'found';
      text: string;
      since: number;
      asAt: string;
      page: number;
      pages: number;
      total: number;
      rows: ResultRow[];
    };
