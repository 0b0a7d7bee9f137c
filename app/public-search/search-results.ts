// What a search answers, ready to be shown.
import type { ListedRow } from '#app/vehicles/listed-vehicle.ts';

/**
 * `near`: regos that look like what was asked for, when nothing matches.
 * `since` is the activity log's size before the search: where live updates begin.
 */
export type SearchResults =
  | { kind: 'empty'; since: number }
  | { kind: 'unsearchable'; text: string; since: number }
  | { kind: 'none'; text: string; near: string[]; since: number }
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
