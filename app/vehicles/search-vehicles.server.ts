// A page of a search by rego or VIN.
//
// The search text is normalised to A-Z and 0-9, so it cannot inject SQL, and no match spans rego and VIN. One
// statement, `search_vehicles()`, returns a page, so it is consistent: it first computes the exact total, then finds
// the page by it.
// - One or two characters, or three that 50,000 vehicles contain: counted by block (the first two characters of the
//   rego). Adding up the blocks finds the page, and only the blocks of that page are read.
// - Other texts of three characters: an index-only scan in the order of regos (`vehicle_live_rego`), or the trigram
//   index if few vehicles contain the text.
// - Longer texts: the trigram index.
// A write only appends its change, and a job adds changes to the counts in bulk soon after (docs/decisions/0004). Each
// search also reads the changes that are not counted yet, so totals and pages are always exact.
import { sql } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';
import { BY_POLICY, shownPolicy, type ShownPolicy } from '#app/policy/queries.server.ts';
import { hasFindings } from '#app/transparency-log/history-checks.server.ts';
import { mismatchedVehicles, type OwnState } from '#app/transparency-log/record-states.server.ts';
import type { RecordRef } from '#app/transparency-log/record-snapshot.server.ts';
import { VEHICLES_PER_PAGE, type ListedVehicle } from './queries.server.ts';
import { normaliseSearch } from './vehicle.ts';

const PAGE_MAX = 1_000_000;

/**
 * One page of a search: `page` is within 1..`pages`, and `total` is exact. `mismatched`: the ids of the vehicles whose
 * records differ from the log.
 */
export type SearchPage = {
  items: ListedVehicle[];
  page: number;
  pages: number;
  total: number;
  mismatched: ReadonlySet<string>;
};

type FoundRow = ListedVehicle &
  Pick<OwnState, 'version' | 'leafIndex' | 'hasFindings'> & {
    total: number;
    page: number;
    policyVersion: number | null;
    dueSoonDays: number | null;
  };

/**
 * The live vehicles whose rego or VIN contains `text`, normalised as regos are, ordered by rego. Empty text lists all,
 * and text that is in no rego and no VIN finds none.
 * A page beyond the last is the last. The SQL is in search_vehicles.sql.
 */
export async function searchVehicles(
  db: Db,
  text: string,
  page: number,
): Promise<SearchPage & { policy: ShownPolicy }> {
  const wanted = Math.min(Math.max(1, Math.trunc(page)), PAGE_MAX);
  // No rego and no VIN has a blank.
  const needle = text.trim() === '' ? '' : normaliseSearch(text) || ' ';
  const { rows } = await sql<FoundRow>`
    select s.*, (select plate_state from vehicle where id = s.id), ${hasFindings(sql`s.id`)} as has_findings, p.version as policy_version, p.due_soon_days
    from search_vehicles(${needle}, ${wanted}, ${VEHICLES_PER_PAGE}) s ${BY_POLICY}`.execute(db);
  const [first] = rows;
  if (first === undefined) throw new Error('search_vehicles() returned no row; it always returns at least one');
  const pages = Math.max(1, Math.ceil(first.total / VEHICLES_PER_PAGE));
  const found = first.total === 0 ? [] : rows;
  const items = found.map(({ total: _t, page: _p, policyVersion: _n, dueSoonDays: _d, ...row }) => {
    const { version: _v, leafIndex: _l, hasFindings: _f, ...item } = row;
    return item;
  });
  const states = found.map((row) => ({ ...row, ...ownRecord(row.id) }));
  const mismatched = await mismatchedVehicles(db, states);
  return { items, page: first.page, pages, total: first.total, mismatched, policy: shownPolicy(first) };
}

const ownRecord = (id: string): RecordRef => ({ table: 'vehicle', key: id });
