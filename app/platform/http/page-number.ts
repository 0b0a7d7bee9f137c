const PAGE_PATTERN = /^[1-9]\d{0,6}$/;

/** Which page of a list `?page=` asks for; the first when it says nothing of use. */
export function parsePage(params: URLSearchParams): number {
  const page = params.get('page') ?? '';
  return PAGE_PATTERN.test(page) ? Number(page) : 1;
}
