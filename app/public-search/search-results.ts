// What a search answers, ready to be shown.
import type { ListedRow } from '#app/vehicles/listed-vehicle.ts';

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
      policyVersion: number;
      page: number;
      pages: number;
      total: number;
      rows: ListedRow[];
    };
