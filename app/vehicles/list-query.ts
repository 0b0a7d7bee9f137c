// What the list of vehicles is asked for, and its address: search, verdicts, order and page stand in the URL.
import { parsePage } from '#app/platform/page-number.ts';
import { VERDICTS, type Verdict } from './verdict.ts';

const SORTS = ['rego', 'vin', 'warranty', 'due'] as const;
export type VehicleSort = (typeof SORTS)[number];

/** `verdicts` empty: all. */
export type VehicleListQuery = {
  text: string;
  verdicts: readonly Verdict[];
  sort: VehicleSort;
  descending: boolean;
  page: number;
};

/** The longest text that is searched and shown again. */
const TEXT_MAX_LENGTH = 60;

/** Reads an address. What it does not understand counts as not asked for. */
export function parseListQuery(params: URLSearchParams): VehicleListQuery {
  const asked = params.getAll('verdict').flatMap((text) => text.split(','));
  return {
    text: (params.get('q') ?? '').slice(0, TEXT_MAX_LENGTH).trim(),
    verdicts: VERDICTS.map(({ verdict }) => verdict).filter((verdict) => asked.includes(verdict)),
    sort: SORTS.find((sort) => sort === params.get('sort')) ?? 'rego',
    descending: params.get('dir') === 'desc',
    page: parsePage(params),
  };
}

/** The parameters of `query` other than its text and page, in their order. What is the default is left out. */
export function listOptions({ verdicts, sort, descending }: VehicleListQuery): [string, string][] {
  const options: [string, string][] = [];
  if (verdicts.length > 0) options.push(['verdict', verdicts.join(',')]);
  if (sort !== 'rego' || descending) options.push(['sort', sort], ['dir', descending ? 'desc' : 'asc']);
  return options;
}

/** The address of `query` at `path`. */
export function listHref(query: VehicleListQuery, path = '/vehicles'): string {
  const pairs = listOptions(query);
  if (query.text !== '') pairs.unshift(['q', query.text]);
  if (query.page > 1) pairs.push(['page', String(query.page)]);
  // A comma needs no escape, and people read addresses.
  const search = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`).join('&');
  return search === '' ? path : `${path}?${search}`;
}

/** The whole list, opened where `rego` stands. */
export const listHrefAt = (rego: string) => `/vehicles?at=${rego}#${rego}`;

/** Where the heading of a column leads: ordered by it, or the other way round when it already is. */
export function sortHref(query: VehicleListQuery, sort: VehicleSort): string {
  return listHref({ ...query, sort, descending: query.sort === sort && !query.descending, page: 1 });
}
