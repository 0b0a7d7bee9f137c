// The query of the list of vehicles, and its URL, which holds the search, filters, order and page.
import { parsePage } from '#app/platform/http/page-number.ts';
import { dropUnseen } from '#app/platform/process/typed-text.ts';
import { isUuid } from '#app/platform/process/uuid.ts';
import { isDay } from '#app/platform/time/calendar.ts';
import type { TextColumn } from './vehicle-fields.ts';
import { VERDICTS, type Verdict } from './verdict-table.ts';

const SORTS = ['rego', 'vin', 'warranty', 'due'] as const;
export type VehicleSort = (typeof SORTS)[number];

/**
 * The text filters. The query, the URL, the inputs, the rows, the totals, the CSV and the labels follow from this
 * table. To add a filter, add a row here and an index on its column (as in 0027_vehicle_filters.sql).
 */
export const FILTERS = [
  {
    name: 'text',
    param: 'q',
    part: 'rego or VIN',
    label: 'Vehicles',
    placeholder: 'Search Vehicle...',
    typing: { autoCapitalize: 'characters' },
  },
  {
    name: 'company',
    param: 'company',
    part: 'companyName',
    label: 'Filter by Company',
    placeholder: 'Filter by Company...',
    typing: {},
  },
  {
    name: 'serial',
    param: 'serial',
    part: 'scaleSerialNumber',
    label: 'Filter by Scale Serial',
    placeholder: 'Filter by Scale Serial...',
    typing: {},
  },
] as const satisfies readonly {
  name: string;
  /** The URL's parameter. */
  param: string;
  /** Where the text is looked for: in a column, ignoring case, or in rego and VIN, normalised as they are. */
  part: 'rego or VIN' | TextColumn;
  label: string;
  placeholder: string;
  typing: { autoCapitalize?: string };
}[];

/** Which vehicles a filter by their visits finds. */
export const VISIT_FILTERS = [
  { visits: 'waits', words: 'A visit waits' },
  { visits: 'open', words: 'A visit is open' },
] as const;
export type VisitFilter = (typeof VISIT_FILTERS)[number]['visits'];

/** Each filter's text, the verdicts, the days around the due date, the visits, who calibrated. Empty: no filter. */
export type VehicleFilters = Record<(typeof FILTERS)[number]['name'], string> & {
  verdicts: readonly Verdict[];
  dueFrom: string;
  dueTo: string;
  visits: VisitFilter | '';
  /** The person who has a reading on them. */
  by: string;
};
export type VehicleOrder = { sort: VehicleSort; descending: boolean };
export type VehicleListQuery = VehicleFilters & VehicleOrder & { page: number };

/** Of the name of a kept list. */
export const KEPT_NAME_MAX = 60;

/** Longer texts are cut off, before the search and when the page shows them again. */
export const TEXT_MAX_LENGTH = 60;

/** Reads a URL's parameters. Unknown parameters and values are ignored. */
export function parseListQuery(params: URLSearchParams): VehicleListQuery {
  const asked = params.getAll('verdict').flatMap((text) => text.split(','));
  return {
    ...typedOf(({ param }) =>
      dropUnseen(params.get(param) ?? '')
        .slice(0, TEXT_MAX_LENGTH)
        .trim(),
    ),
    verdicts: VERDICTS.map(({ verdict }) => verdict).filter((verdict) => asked.includes(verdict)),
    dueFrom: dayOf(params.get('due_from')),
    dueTo: dayOf(params.get('due_to')),
    visits: VISIT_FILTERS.find(({ visits }) => visits === params.get('visits'))?.visits ?? '',
    by: isUuid(params.get('by')) ? (params.get('by') ?? '') : '',
    sort: SORTS.find((sort) => sort === params.get('sort')) ?? 'rego',
    descending: params.get('dir') === 'desc',
    page: parsePage(params),
  };
}

const dayOf = (text: string | null): string => (text !== null && isDay(text) ? text : '');

type Filter = (typeof FILTERS)[number];
function typedOf(of: (filter: Filter) => string): Record<Filter['name'], string>;
function typedOf(of: (filter: Filter) => string): Record<string, string> {
  return Object.fromEntries(FILTERS.map((filter) => [filter.name, of(filter)]));
}

/** The URL parameters of `query`, without its page and without default values. */
export function listOptions(query: VehicleListQuery): [string, string][] {
  const { verdicts, dueFrom, dueTo, visits, by, sort, descending } = query;
  const options: [string, string][] = [];
  for (const { name, param } of FILTERS) if (query[name] !== '') options.push([param, query[name]]);
  if (verdicts.length > 0) options.push(['verdict', verdicts.join(',')]);
  for (const [name, value] of [
    ['due_from', dueFrom],
    ['due_to', dueTo],
    ['visits', visits],
    ['by', by],
  ] as const)
    if (value !== '') options.push([name, value]);
  if (sort !== 'rego' || descending) options.push(['sort', sort], ['dir', descending ? 'desc' : 'asc']);
  return options;
}

/** The URL of `query` at `path`. */
export function listHref(query: VehicleListQuery, path = '/vehicles'): string {
  const pairs = listOptions(query);
  if (query.page > 1) pairs.push(['page', String(query.page)]);
  // A comma needs no escape, and people read URLs.
  const search = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`).join('&');
  return search === '' ? path : `${path}?${search}`;
}

/** The CSV file of `query` in which Excel changes nothing. */
export const excelHref = (query: VehicleListQuery): string => {
  const csv = listHref({ ...query, page: 1 }, '/vehicles.csv');
  return `${csv}${csv.includes('?') ? '&' : '?'}for=excel`;
};

/** The vehicles of the person `personId`, those due first on top. */
export const ownHref = (personId: string, verdicts: readonly Verdict[] = []): string =>
  listHref({ ...parseListQuery(new URLSearchParams({ by: personId, sort: 'due' })), verdicts });

/** The unfiltered list, opened at the page and row of `rego`. */
export const listHrefAt = (rego: string) => `/vehicles?at=${rego}#${rego}`;

/** Whether a search or filter is set. */
export const isNarrowed = (query: VehicleListQuery): boolean =>
  query.verdicts.length > 0 || isChosen(query) || FILTERS.some(({ name }) => query[name] !== '');

/** Whether a filter is set that is neither typed nor a verdict. */
export const isChosen = ({ dueFrom, dueTo, visits, by }: VehicleListQuery): boolean =>
  dueFrom !== '' || dueTo !== '' || visits !== '' || by !== '';

/** The link of a column's heading: sorts by the column, or reverses the order if the list is sorted by it already. */
export function sortHref(query: VehicleListQuery, sort: VehicleSort): string {
  return listHref({ ...query, sort, descending: query.sort === sort && !query.descending, page: 1 });
}
