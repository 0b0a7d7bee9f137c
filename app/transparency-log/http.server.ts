// The log's files for everyone, from anywhere (c2sp.org/tlog-tiles): all that is below the log's address. What was
// never signed is not there, whatever lies in the folder.
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Hono, type Context } from 'hono';
import { cors } from 'hono/cors';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import { problem } from '#app/platform/http/problem-details.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { openLogFolder } from './log-folder.server.ts';
import { logKey } from './log-key.server.ts';
import { publishedPolicy } from './witness-policy.server.ts';
import type { Bytes } from '#app/tlog/bytes.ts';
import { CHECKPOINT_PATH, parseTilePath, POLICY_PATH, WITNESSED_PATH } from '#app/tlog/tiles.ts';

const ONE_YEAR_SECONDS = 31_536_000;

/** To be mounted at LOG_PREFIX. */
export function logApp({ config }: Pick<Services, 'config'>): Hono {
  const folder = openLogFolder(config);
  const readCheckpoint = async () => folder.readCheckpoint((await logKey(config)).verifier);
  const app = new Hono();
  app.use(cors({ origin: '*', allowMethods: ['GET', 'HEAD'], exposeHeaders: ['ETag', 'X-Request-Id'] }));
  app.use(async (context, next) => {
    await next();
    context.res.headers.set('cross-origin-resource-policy', 'cross-origin');
  });
  const retainedHeaders = [...RETAINED_304_HEADERS, 'access-control-allow-origin', 'access-control-expose-headers'];
  app.get(`/${CHECKPOINT_PATH}`, etag({ retainedHeaders }), async (context) => {
    const signed = await readCheckpoint();
    if (signed === undefined) return problem(404, 'log-not-signed', { detail: 'This log has no signed entry yet.' });
    return answerText(context, signed.note);
  });
  app.get(`/${WITNESSED_PATH}`, etag({ retainedHeaders }), async (context) => {
    const witnessed = await folder.readWitnessed((await logKey(config)).verifier);
    if (witnessed === undefined)
      return problem(404, 'log-not-witnessed', { detail: 'No witness has signed this log yet.' });
    return answerText(context, witnessed.note);
  });
  app.get(`/${POLICY_PATH}`, etag({ retainedHeaders }), async (context) =>
    answerText(context, await publishedPolicy(config)),
  );
  app.get('/tile/*', async (context) => {
    const tile = parseTilePath(context.req.path.slice(context.req.path.indexOf('tile/')));
    const signed = tile === undefined ? undefined : await readCheckpoint();
    const bytes =
      tile === undefined || signed === undefined ? undefined : await folder.readTile(tile, signed.head.size);
    if (bytes === undefined) return missing();
    context.header('content-type', 'application/octet-stream');
    context.header('cache-control', `public, max-age=${ONE_YEAR_SECONDS}, immutable`);
    if (tile?.level !== 'entries') return context.body(bytes);
    // Hashes do not get smaller; entries are JSON, and do.
    context.header('vary', 'Accept-Encoding', { append: true });
    if (!takesGzip(context.req.header('accept-encoding'))) return context.body(bytes);
    context.header('content-encoding', 'gzip');
    return context.body(new Uint8Array(await pack(bytes)));
  });
  app.all('*', missing);
  return app;
}

const pack = promisify(gzip);

// 'gzip;q=0' refuses it.
const takesGzip = (accepted = ''): boolean =>
  accepted.split(',').some((coding) => /^\s*(?:gzip|x-gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i.test(coding));

const answerText = (context: Context, text: Bytes | string) =>
  context.body(text, 200, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' });

const missing = () => problem(404, 'log-file-unknown', { detail: 'The public log has no such file.' });
