// The data of the back office's list of vehicles, with today's verdicts.
import { todayIn } from '#app/platform/time/calendar.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { policyAndLogSize } from '#app/policy/queries.server.ts';
import { listVehicles, pageOfRego } from './list-vehicles.server.ts';
import { askOf, nearText } from './near-regos.server.ts';
import { listedRow, type ListedRow } from './listed-vehicle.ts';
import { parseListQuery, type VehicleListQuery } from './list-query.ts';
import { isRecordRego, normaliseSearch, parseRego } from './vehicle.ts';
import { sumOf, type VerdictCounts } from './verdict-sql.server.ts';
import { dueWords } from './verdict.ts';

export type VehicleListPage = {
  /** The activity log's size before the reads: live updates begin there. */
  since: number;
  policyVersion: number;
  query: VehicleListQuery;
  /** Whether the search text has no letter or digit. */
  unsearchable: boolean;
  /** Regos similar to the text, when nothing matches it. */
  near: string[];
  /** What stands behind them. */
  ask: string;
  pages: number;
  total: number;
  /** Null if `unsearchable`. */
  counts: VerdictCounts | null;
  /** The sum of `counts`. */
  all: number;
  rows: (ListedRow & { companyName: string; due: string | null })[];
  /** The rego that the list was opened at. */
  at: string | null;
};

/** The page for the parameters of `url`. */
export async function vehicleListPage({ db, config, now }: Services, url: URL): Promise<VehicleListPage> {
  const { since, policy } = await policyAndLogSize(db);
  const asked = url.searchParams.get('at') ?? '';
  const parsed = parseRego(asked);
  const at = isRecordRego(asked) || !parsed.ok ? asked : parsed.rego;
  const query = parsed.ok ? await wholeListAt(db, at) : parseListQuery(url.searchParams);
  const today = todayIn(config.timeZone, now());
  // Text without a letter or digit finds nothing, rather than everything.
  const unsearchable = query.text !== '' && normaliseSearch(query.text) === '';
  const { items, page, pages, total, counts, mismatched } = unsearchable
    ? NOTHING
    : await listVehicles(db, query, { today, policy });
  // A query of its own: the public uses the same search, and its lists show no companies.
  const companies = await companiesOf(
    db,
    items.map(({ id }) => id),
  );
  return {
    since,
    policyVersion: policy.version,
    query: { ...query, page },
    unsearchable,
    ask: askOf(query.text),
    near: total === 0 && query.text !== '' ? await nearText(db, query.text) : [],
    pages,
    total,
    counts,
    all: counts === null ? 0 : sumOf(counts),
    at: parsed.ok ? at : null,
    rows: items.map((vehicle) => ({
      ...listedRow(vehicle, today, { policy, mismatched }),
      companyName: companies.get(vehicle.id) ?? '',
      due: dueWords(vehicle, 'short'),
    })),
  };
}

const NOTHING = { items: [], page: 1, pages: 1, total: 0, counts: null, mismatched: new Set<string>() };

async function companiesOf(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('vehicle').select(['id', 'companyName']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, companyName }) => [id, companyName]));
}

const wholeListAt = async (db: Db, rego: string) => ({
  ...parseListQuery(new URLSearchParams()),
  page: await pageOfRego(db, rego),
});
