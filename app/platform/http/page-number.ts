const PAGE_PATTERN = /^[1-9]\d{0,6}$/;

/** The page of a list that `?page=` asks for; 1 when it is missing or invalid. */
export function parsePage(params: URLSearchParams): number {
  const page = params.get('page') ?? '';
  return PAGE_PATTERN.test(page) ? Number(page) : 1;
}
