// Lists of the API that come in pages: `?page=`, from 1, and a Link header (RFC 8288) that says where the others are.
import { z } from '@hono/zod-openapi';

const PATTERN = /^[1-9]\d{0,6}$/;

/** The page that is asked for, the first if none is; undefined: the text is no number of a page. */
export function askedPage(text = '1'): number | undefined {
  return PATTERN.test(text) ? Number(text) : undefined;
}

export const pageQuery = (perPage: number) =>
  z.object({
    page: z
      .string()
      .optional()
      .openapi({ description: `From 1, ${perPage} a page. Beyond the last it is the last`, example: '2' }),
  });

/** For the description of an answer. */
export const pageHeaders = {
  Link: {
    description: 'The addresses of the other pages: first, prev, next and last (RFC 8288). Without next it is the last',
    schema: { type: 'string' },
  },
} as const;

/** `pathname`: the list's own, in its escaped form. */
export function pageLinks(pathname: string, { page, pages }: { page: number; pages: number }): string {
  const link = (rel: string, to: number) => `<${pathname}?page=${to}>; rel="${rel}"`;
  return [
    link('first', 1),
    ...(page > 1 ? [link('prev', page - 1)] : []),
    ...(page < pages ? [link('next', page + 1)] : []),
    link('last', pages),
  ].join(', ');
}
