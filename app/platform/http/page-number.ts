const PAGE_PATTERN = /^[1-9]\d{0,6}$/;

/** The page of a list that `?page=` asks for; 1 when it is missing or invalid. */
export const parsePage = (params: URLSearchParams): number => pageOf(params.get('page'));

/** The same of a form's field. */
export const pageOf = (text = '' as string | null): number =>
  text !== null && PAGE_PATTERN.test(text) ? Number(text) : 1;
