// What the list of vehicles is asked for, and its address: search, filters, order and page stand in the URL.
import { parsePage } from '#app/platform/http/page-number.ts';
import { VERDICTS, type Verdict } from './verdict.ts';

const SORTS = ['rego', 'vin', 'warranty', 'due'] as const;
export type VehicleSort = (typeof SORTS)[number];

/** The filters of a field that are typed: part of it, in any case; empty: all. */
export const TYPED_FILTERS = ['company', 'serial'] as const;
export type TypedFilter = (typeof TYPED_FILTERS)[number];

/** `verdicts` empty: all. */
export type VehicleListQuery = Record<TypedFilter, string> & {
  text: string;
  verdicts: readonly Verdict[];
  sort: VehicleSort;
  descending: boolean;
  page: number;
};

/** The longest text that is searched and shown again. */
export const TEXT_MAX_LENGTH = 60;

/** Reads an address. What it does not understand counts as not asked for. */
export function parseListQuery(params: URLSearchParams): VehicleListQuery {
  const asked = params.getAll('verdict').flatMap((text) => text.split(','));
  const typed = (name: string) => (params.get(name) ?? '').slice(0, TEXT_MAX_LENGTH).trim();
  return {
    text: typed('q'),
    company: typed('company'),
    serial: typed('serial'),
    verdicts: VERDICTS.map(({ verdict }) => verdict).filter((verdict) => asked.includes(verdict)),
    sort: SORTS.find((sort) => sort === params.get('sort')) ?? 'rego',
    descending: params.get('dir') === 'desc',
    page: parsePage(params),
  };
}

/** The parameters of `query` other than its page, in their order. What is the default is left out. */
export function listOptions({ text, verdicts, sort, descending, ...query }: VehicleListQuery): [string, string][] {
  const options: [string, string][] = text === '' ? [] : [['q', text]];
  for (const name of TYPED_FILTERS) if (query[name] !== '') options.push([name, query[name]]);
  if (verdicts.length > 0) options.push(['verdict', verdicts.join(',')]);
  if (sort !== 'rego' || descending) options.push(['sort', sort], ['dir', descending ? 'desc' : 'asc']);
  return options;
}

/** The address of `query` at `path`. */
export function listHref(query: VehicleListQuery, path = '/vehicles'): string {
  const pairs = listOptions(query);
  if (query.page > 1) pairs.push(['page', String(query.page)]);
  // A comma needs no escape, and people read addresses.
  const search = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`).join('&');
  return search === '' ? path : `${path}?${search}`;
}

/** The whole list, opened where `rego` stands. */
export const listHrefAt = (rego: string) => `/vehicles?at=${rego}#${rego}`;

/** Whether it asks for some of the vehicles only. */
export const isNarrowed = (query: VehicleListQuery): boolean =>
  query.text !== '' || query.verdicts.length > 0 || TYPED_FILTERS.some((name) => query[name] !== '');

/** Where the heading of a column leads: ordered by it, or the other way round when it already is. */
export function sortHref(query: VehicleListQuery, sort: VehicleSort): string {
  return listHref({ ...query, sort, descending: query.sort === sort && !query.descending, page: 1 });
}
