// The results on the home page and /search: one page of matches, with their verdicts of today.
import { formatDay, todayIn } from '#app/platform/time/calendar.ts';
import { parsePage } from '#app/platform/http/page-number.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { policyAndLogSize } from '#app/policy/queries.server.ts';
import { listedRow } from '#app/vehicles/listed-vehicle.ts';
import { askOf, nearText } from '#app/vehicles/near-regos.server.ts';
import { findListedVehicle } from '#app/vehicles/list-vehicles.server.ts';
import { findFormers, type Former } from '#app/vehicles/plates.server.ts';
import { untilWords } from '#app/vehicles/plates.ts';
import { readRego } from '#app/vehicles/read-rego.server.ts';
import { searchVehicles, type SearchPage } from '#app/vehicles/search-vehicles.server.ts';
import { plateText } from '#app/vehicles/plate-text.ts';
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
  // Side by side: neither waits for the other.
  const [found, asked] = await Promise.all([
    searchVehicles(db, text, parsePage(url.searchParams)),
    readAsked(db, text),
  ]);
  const front = found.page === 1 ? await findFront(db, asked, found) : undefined;
  if (found.total === 0 && front === undefined)
    return { kind: 'none', text, near: await nearText(db, text), ask: askOf(text), since };
  return {
    kind: 'found',
    text,
    since,
    asAt,
    policyVersion: policy.version,
    page: found.page,
    pages: found.pages,
    total: found.total + (front === undefined ? 0 : 1),
    rows: [
      ...(front === undefined ? [] : [{ ...listedRow(front.vehicle, today, { policy, ...front }), note: front.note }]),
      ...found.items.map((vehicle) => listedRow(vehicle, today, { policy, mismatched: found.mismatched })),
    ],
  };
}

async function readAsked(db: Services['db'], text: string): Promise<Asked | undefined> {
  const read = await readRego(db, text);
  if (!read.ok || read.without !== undefined || read.several !== undefined) return undefined;
  const former = (await findFormers(db, [read.rego])).get(read.rego);
  // The search finds the text by itself.
  return former === undefined && read.rego === normaliseSearch(text) ? undefined : { rego: read.rego, former };
}

type Asked = { rego: string; former: Former | undefined };

// The truck that had the text as its plate before; or the one whose plate the text is, with the state that was typed.
// Only where it is not among the others.
async function findFront(db: Services['db'], asked: Asked | undefined, { items }: SearchPage) {
  if (asked === undefined || (asked.former === undefined && items.length > 0)) return undefined;
  const { former } = asked;
  const rego = former?.now ?? asked.rego;
  const listed = items.some((one) => one.rego === rego) ? undefined : await findListedVehicle(db, rego);
  if (listed === undefined) return undefined;
  const note = former && `${plateText(former.rego)} · ${untilWords(former)}, now ${plateText(rego)}`;
  return { ...listed, note };
}
