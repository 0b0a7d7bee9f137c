// GET /files/{id} and /files/{id}/thumbnail: the certificates and images of vehicles, and the certificates of
// weighbridges. A file is never served as active content: its type comes from our own table, the browser may not sniff
// it, and it opens in an empty sandbox. Only people who may restore a removed vehicle see its files.
import { Hono, type Context } from 'hono';
import { problem } from '#app/platform/http/problem-details.server.ts';
import { toWeb } from '#app/platform/http/web-stream.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { findPublicFile, type PublicFile } from './queries.server.ts';
import { parseRange } from './range.ts';
import { isUuid } from '#app/platform/process/uuid.ts';

const EXTENSIONS = { 'application/pdf': 'pdf', 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp' } as const;
// The same as for the JSON that names the file: five minutes after a vehicle is removed, no cache serves its files.
const SHARED_SECONDS = 300;

/** Whether the sender of these headers may see the files of a removed vehicle. */
type MaySeeRemoved = (headers: Headers) => Promise<boolean>;

export function filesApp(services: Services, maySeeRemoved: MaySeeRemoved): Hono {
  const app = new Hono();
  app.get('/:id', async (context) => answer(context, services, { part: 'whole', maySeeRemoved }));
  app.get('/:id/thumbnail', async (context) => answer(context, services, { part: 'thumbnail', maySeeRemoved }));
  app.all('*', () => problem(404, 'file-unknown', { detail: 'There is no file at this address.' }));
  return app;
}

async function answer(
  context: Context,
  { db, files, log }: Services,
  { part, maySeeRemoved }: { part: 'whole' | 'thumbnail'; maySeeRemoved: MaySeeRemoved },
): Promise<Response> {
  const id = context.req.param('id') ?? '';
  const file = isUuid(id) ? await findPublicFile(db, id) : undefined;
  if (file === undefined) return problem(404, 'file-unknown', { detail: 'There is no file at this address.' });
  if (file.removed === 'file')
    return problem(410, 'file-removed', { detail: 'This file was removed from its record.' });
  if (file.removed === 'vehicle' && !(await maySeeRemoved(context.req.raw.headers)))
    return problem(410, 'vehicle-removed', {
      detail: 'The vehicle that this file belongs to was removed from the registry.',
    });
  const thumbnail = part === 'thumbnail' && file.thumbnailKey !== null ? file.thumbnailKey : undefined;
  const key = thumbnail ?? file.storageKey;
  const size = await files.size(key);
  if (size === undefined) {
    log.error({ key }, 'a stored file is missing');
    return problem(404, 'file-missing', {
      detail: 'This file is missing from the registry’s storage. Its record is kept.',
    });
  }
  const headers = fileHeaders(file, key);
  if (context.req.header('if-none-match') === headers['etag']) return new Response(null, { status: 304, headers });
  const range = parseRange(context.req.header('range'), context.req.header('if-range') ?? headers['etag'], {
    etag: headers['etag'],
    size,
  });
  if (range === 'unsatisfiable')
    return new Response(null, { status: 416, headers: { ...headers, 'content-range': `bytes */${size}` } });
  const length = range === undefined ? size : range.end - range.start + 1;
  const sent = {
    ...headers,
    'content-length': String(length),
    ...(range === undefined ? {} : { 'content-range': `bytes ${range.start}-${range.end}/${size}` }),
  };
  const body = context.req.method === 'HEAD' ? null : toWeb(await files.read(key, range));
  return new Response(body, { status: range === undefined ? 200 : 206, headers: sent });
}

function fileHeaders(file: PublicFile, key: string) {
  const isThumbnail = key === file.thumbnailKey;
  const type = isThumbnail ? 'image/webp' : file.mediaType;
  return {
    'content-type': type,
    'content-disposition': `inline; filename="${file.name}.${EXTENSIONS[type]}"`,
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': file.removed === null ? `public, max-age=${SHARED_SECONDS}` : 'no-store',
    'accept-ranges': 'bytes',
    etag: `"${file.sha256.slice(0, 32)}${isThumbnail ? '-t' : ''}"`,
  };
}
