// The search text and the page number in a list's address.
import { parsePage } from '#app/platform/http/page-number.ts';
import { dropUnseen } from '#app/platform/process/typed-text.ts';

export type ListAddress = { text: string; page: number };

const TEXT_MAX_LENGTH = 100;

/** Reads `?q=` and `?page=`. An invalid value counts as missing. */
export function parseListAddress(params: URLSearchParams): ListAddress {
  return {
    text: dropUnseen(params.get('q') ?? '')
      .slice(0, TEXT_MAX_LENGTH)
      .trim(),
    page: parsePage(params),
  };
}

/** The address of a page of the list at `path`. */
export function listAddress(path: string, { text, page }: ListAddress): string {
  const search = new URLSearchParams({
    ...(text === '' ? {} : { q: text }),
    ...(page > 1 ? { page: String(page) } : {}),
  }).toString();
  return search === '' ? path : `${path}?${search}`;
}

/** The address of a record that was opened from `list`; null: from none. */
export const withList = (record: string, list: string | null): string =>
  list === null ? record : `${record}?from=${encodeURIComponent(list).replaceAll('%2F', '/')}`;
