// What the log is asked for, and its address: who, what, which record, when and which page stand in the URL.
import { parsePage } from '#app/platform/http/page-number.ts';
import { ACTIVITY_KINDS, type ActivityKind } from '#app/activity-log/activity.ts';

/** Empty texts and a null kind: not asked for. `from` and `to` as typed: whether they are days is said at the field. */
export type LogQuery = {
  who: string;
  kind: ActivityKind | null;
  record: string;
  from: string;
  to: string;
  page: number;
};

/** The longest text that is searched and shown again; an address has at most 254 characters. */
export const LOG_TEXT_MAX_LENGTH = 254;

const KINDS: readonly ActivityKind[] = ACTIVITY_KINDS.flatMap(({ kinds }) => kinds);

/** Reads an address, or a form's fields. A kind that there is not counts as not asked for. */
export function parseLogQuery(params: URLSearchParams): LogQuery {
  const text = (name: string) => (params.get(name) ?? '').trim().slice(0, LOG_TEXT_MAX_LENGTH);
  return {
    who: text('who'),
    kind: KINDS.find((kind) => kind === params.get('kind')) ?? null,
    record: text('record'),
    from: text('from'),
    to: text('to'),
    page: parsePage(params),
  };
}

/** Whether anything is asked for beside a page. */
export function isFiltered({ who, kind, record, from, to }: LogQuery): boolean {
  return [who, kind ?? '', record, from, to].some((asked) => asked !== '');
}

/** The address of `query` at `path`. What is not asked for is left out. */
export function logHref(query: LogQuery, path = '/logs'): string {
  const { who, kind, record, from, to, page } = query;
  const pairs = Object.entries({ who, kind: kind ?? '', record, from, to, page: page > 1 ? String(page) : '' });
  const search = pairs
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%40', '@')}`)
    .join('&');
  return search === '' ? path : `${path}?${search}`;
}
