// A list's search and page as they stand in its address.

export type ListAddress = { text: string; page: number };

const TEXT_MAX_LENGTH = 100;
const PAGE_PATTERN = /^[1-9]\d{0,6}$/;

/** Reads `?q=` and `?page=`. What it does not understand counts as not asked for. */
export function parseListAddress(params: URLSearchParams): ListAddress {
  const page = params.get('page') ?? '';
  return {
    text: (params.get('q') ?? '').slice(0, TEXT_MAX_LENGTH).trim(),
    page: PAGE_PATTERN.test(page) ? Number(page) : 1,
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
