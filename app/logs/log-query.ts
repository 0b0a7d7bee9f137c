// The query of the log, and its URL: who, which kind, which record, when, and which page.
import { parsePage } from '#app/platform/http/page-number.ts';
import { dropUnseen } from '#app/platform/process/typed-text.ts';
import { ACTIVITY_KINDS, type ActivityKind } from '#app/activity-log/activity.ts';

/** An empty text or a null kind sets no filter. `from` and `to` are as typed: `logFilter` checks that they are days. */
export type LogQuery = {
  who: string;
  kind: ActivityKind | null;
  record: string;
  from: string;
  to: string;
  page: number;
};

/** The longest text that a filter takes: an email address has at most 254 characters. */
export const LOG_TEXT_MAX_LENGTH = 254;

const KINDS: readonly ActivityKind[] = ACTIVITY_KINDS.flatMap(({ kinds }) => kinds);

/** Reads the query from a URL or from a form's fields. An unknown kind sets no filter. */
export function parseLogQuery(params: URLSearchParams): LogQuery {
  const text = (name: string) =>
    dropUnseen(params.get(name) ?? '')
      .trim()
      .slice(0, LOG_TEXT_MAX_LENGTH);
  return {
    who: text('who'),
    kind: KINDS.find((kind) => kind === params.get('kind')) ?? null,
    record: text('record'),
    from: text('from'),
    to: text('to'),
    page: parsePage(params),
  };
}

/** Whether any filter is set. */
export function isFiltered({ who, kind, record, from, to }: LogQuery): boolean {
  return [who, kind ?? '', record, from, to].some((asked) => asked !== '');
}

/** The URL of `query` at `path`, without empty parameters. */
export function logHref(query: LogQuery, path = '/logs'): string {
  const { who, kind, record, from, to, page } = query;
  const pairs = Object.entries({ who, kind: kind ?? '', record, from, to, page: page > 1 ? String(page) : '' });
  const search = pairs
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%40', '@')}`)
    .join('&');
  return search === '' ? path : `${path}?${search}`;
}
