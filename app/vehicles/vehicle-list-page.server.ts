// The data of the back office's list of vehicles, with today's verdicts.
import { todayIn } from '#app/platform/time/calendar.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { policyAndLogSize } from '#app/policy/queries.server.ts';
import { listVehicles, pageOfRego } from './list-vehicles.server.ts';
import { askOf, nearText } from './near-regos.server.ts';
import { listedRow } from './listed-vehicle.ts';
import { parseListQuery } from './list-query.ts';
import { isRecordRego, normaliseSearch, parseRego } from './vehicle.ts';
import { sumOf } from './verdict-sql.server.ts';
import { dueWords } from './verdict.ts';

export type VehicleListPage = Awaited<ReturnType<typeof vehicleListPage>>;

/** The page for the parameters of `url`. */
export async function vehicleListPage({ db, config, now }: Services, url: URL) {
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
    // The activity log's size before the reads: live updates begin there.
    since,
    policyVersion: policy.version,
    query: { ...query, page },
    unsearchable,
    // What stands behind the regos that are similar to the text, when nothing matches it.
    ask: askOf(query.text),
    near: total === 0 && query.text !== '' ? await nearText(db, query.text) : [],
    pages,
    total,
    counts,
    all: counts === null ? 0 : sumOf(counts),
    // The rego that the list was opened at.
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
