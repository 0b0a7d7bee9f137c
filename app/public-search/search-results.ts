// The results of a search, as its page shows them.
import type { ListedRow } from '#app/vehicles/listed-vehicle.ts';

/**
 * `near`: regos similar to the text, when nothing matches; `ask`: what stands behind them.
 * `since`: the activity log's size before the search; live updates begin there.
 */
export type SearchResults =
  | { kind: 'empty'; since: number }
  | { kind: 'unsearchable'; text: string; since: number }
  | { kind: 'none'; text: string; near: string[]; ask: string; since: number }
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
