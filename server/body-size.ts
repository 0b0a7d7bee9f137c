// Limits the size of a request's body before a byte of it is read. app/access/pages.ts says which pages take uploads.
import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { problem } from '#app/platform/http/problem-details.server.ts';
import type { Page } from '#app/access/pages.ts';
import { BYTES_A_HIT, refuseBytes } from '#app/check-list/line-limit.server.ts';
import { WORKBOOK_MAX_BYTES } from '#app/platform/http/table-file.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { LIST_CHECK } from './limits.ts';
import { pageAt } from './page-at.ts';
import type { ServerEnv } from './server-env.ts';

const MAX_BYTES = 1024 * 1024;
const LIST_MAX_BYTES = 9 * 1024 * 1024;
/** A workbook, and the rest of its form. */
const TABLE_MAX_BYTES = WORKBOOK_MAX_BYTES + 1024 * 1024;
const UPLOADS_MAX_BYTES = 110 * 1024 * 1024;

export function bodySizes(services: Pick<Services, 'db' | 'config' | 'now'>): MiddlewareHandler<ServerEnv> {
  const small = bodySize(MAX_BYTES, () => tooLarge('1 MB'));
  const list = bodySize(LIST_MAX_BYTES, () => tooLarge('9 MB'));
  const table = bodySize(TABLE_MAX_BYTES, () => tooLarge('20 MB'));
  const uploads = bodySize(UPLOADS_MAX_BYTES, () => tooLarge('110 MB'));
  return async (context, next) => {
    const isUnknown = context.req.header('transfer-encoding') !== undefined;
    const length = isUnknown ? LIST_MAX_BYTES : Number(context.req.header('content-length') ?? 0);
    const page: Page = length < BYTES_A_HIT ? {} : pageAt(context.req.path).page;
    if (page.list === true || context.req.path === LIST_CHECK) {
      const mayBeTable = !isUnknown && TABLE_TYPE.test(context.req.header('content-type') ?? '');
      const [most, limit] = mayBeTable ? [TABLE_MAX_BYTES, table] : [LIST_MAX_BYTES, list];
      const refusal = length > most ? undefined : await refuseBytes(services, context.get('clientAddress'), length);
      return refusal ?? limit(context, next);
    }
    if (page.uploads === undefined) return small(context, next);
    // Without Content-Length the whole body would be in memory before the guard has checked who sends it.
    if (isUnknown) return problem(411, 'length-required', { detail: 'The request needs a Content-Length header.' });
    return uploads(context, next);
  };
}

// A form with a file, and what the API takes as a workbook.
const TABLE_TYPE = /^\s*(?:multipart\/form-data|application\/vnd\.)/i;

const tooLarge = (limit: string) =>
  problem(413, 'body-too-large', { detail: `The request is too large. At most ${limit} is allowed.` });

/**
 * Answers `tooLarge` to a body of more than `maxSize` bytes. Node never reads more than Content-Length. Hono counts the
 * bytes only where that header is missing: it would make a stream of every other body, even a short or an empty one.
 */
export function bodySize(maxSize: number, tooLarge: () => Response): MiddlewareHandler {
  const counted = bodyLimit({ maxSize, onError: tooLarge });
  return (context, next) => {
    const { method } = context.req;
    const length = context.req.header('content-length');
    const isCounted = context.req.header('transfer-encoding') !== undefined || length === undefined;
    if (isCounted && method !== 'GET' && method !== 'HEAD') return counted(context, next);
    return Number(length ?? 0) > maxSize ? Promise.resolve(tooLarge()) : next();
  };
}
