// The results on the home page and /search: one page of matches, with their verdicts of today.
import { formatDay, todayIn } from '#app/platform/time/calendar.ts';
import { parsePage } from '#app/platform/http/page-number.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { policyAndLogSize } from '#app/policy/queries.server.ts';
import { listedRow } from '#app/vehicles/listed-vehicle.ts';
import { nearText } from '#app/vehicles/near-regos.server.ts';
import { searchVehicles } from '#app/vehicles/search-vehicles.server.ts';
import { normaliseSearch } from '#app/vehicles/vehicle.ts';
import type { SearchResults } from './search-results.ts';

/** The longest text that is searched. */
const TEXT_MAX_LENGTH = 60;

/** The results for `?q=` and `?page=` of `url`. */
export async function searchResults({ db, config, now }: Services, url: URL): Promise<SearchResults> {
  const text = (url.searchParams.get('q') ?? '').slice(0, TEXT_MAX_LENGTH);
  const { since, policy } = await policyAndLogSize(db);
  const today = todayIn(config.timeZone, now());
  const asAt = formatDay(today);
  if (text.trim() === '') return { kind: 'empty', since };
  if (normaliseSearch(text) === '') return { kind: 'unsearchable', text, since };
  const found = await searchVehicles(db, text, parsePage(url.searchParams));
  if (found.total === 0) return { kind: 'none', text, near: await nearText(db, text), since };
  return {
    kind: 'found',
    text,
    since,
    asAt,
    policyVersion: policy.version,
    page: found.page,
    pages: found.pages,
    total: found.total,
    rows: found.items.map((vehicle) => listedRow(vehicle, today, { policy, mismatched: found.mismatched })),
  };
}
