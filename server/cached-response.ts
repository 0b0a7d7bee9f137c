// The form of a response in the cache, and how it is sent: as a 304, or with its body in an encoding that the client
// accepts.
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { ID_HEADER } from './observe-requests.ts';

export type CachedResponse = {
  route: string;
  etag: string;
  /** Names and values in turn, as `writeHead` takes them. A 304 has them too. */
  headers: readonly string[];
  /** The body in each encoding that a client has asked for so far. */
  bodies: { identity: Buffer } & Partial<Record<Encoding, Buffer>>;
};
type Encoding = 'br' | 'gzip';
type Asked = { ifNoneMatch: string | undefined; acceptEncoding: string | undefined };

const OF_ONE_ANSWER = new Set(['content-length', 'content-encoding', 'transfer-encoding', ID_HEADER, 'date']);

/** Makes the cache entry of an answer with status 200, and `first`, the answer to the request that it was made for. */
export function cacheResponse(
  route: string,
  headers: Headers,
  plain: Buffer<ArrayBuffer>,
  { ifNoneMatch, acceptEncoding }: Asked,
): { cached: CachedResponse; first: Response } {
  const etag = headers.get('etag') ?? weakEtag(plain);
  headers.set('etag', etag);
  headers.append('vary', 'Accept-Encoding');
  // That of the plain body.
  headers.delete('content-length');
  const raw = [...headers].filter(([name]) => !OF_ONE_ANSWER.has(name)).flat();
  const cached: CachedResponse = { route, etag, headers: raw, bodies: { identity: plain } };
  if (matchesEtag(ifNoneMatch, etag)) return { cached, first: new Response(null, { status: 304, headers }) };
  const encoding = acceptable(acceptEncoding);
  if (encoding === 'identity') return { cached, first: new Response(plain, { headers }) };
  const body = compress(plain, encoding);
  cached.bodies[encoding] = body;
  headers.set('content-encoding', encoding);
  return { cached, first: new Response(body, { headers }) };
}

/** Sends a cached response with the request's `id`. Returns the status. */
export function sendCached(
  { headers, etag, bodies }: CachedResponse,
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
): 200 | 304 {
  const all = [...headers, ID_HEADER, id];
  if (matchesEtag(request.headers['if-none-match'], etag)) {
    response.writeHead(304, all).end();
    return 304;
  }
  const encoding = acceptable(request.headers['accept-encoding']);
  const body = encoding === 'identity' ? bodies.identity : (bodies[encoding] ??= compress(bodies.identity, encoding));
  all.push('content-length', String(body.length));
  if (encoding !== 'identity') all.push('content-encoding', encoding);
  response.writeHead(200, all).end(body);
  return 200;
}

export const weakEtag = (body: Buffer): string =>
  `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;

// RFC 9110, 13.1.2: weak comparison.
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const bare = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => bare(tag) === bare(etag));
}

const TAKES: Record<Encoding, RegExp> = {
  br: /(^|[,\s])br\s*(,|$|;(?!\s*q=0(\.0*)?\s*(,|$)))/i,
  gzip: /(^|[,\s])gzip\s*(,|$|;(?!\s*q=0(\.0*)?\s*(,|$)))/i,
};

// RFC 9110, 12.5.3. An encoding with q=0 is not used. The plain bytes are always acceptable here.
function acceptable(accepted: string | undefined): Encoding | 'identity' {
  if (accepted === undefined) return 'identity';
  return TAKES.br.test(accepted) ? 'br' : TAKES.gzip.test(accepted) ? 'gzip' : 'identity';
}

// Runs once for each cached response, so it may cost a little more than compressing for a single request.
function compress(plain: Buffer, encoding: Encoding): Buffer<ArrayBuffer> {
  const compressed =
    encoding === 'gzip'
      ? gzipSync(plain, { level: 6 })
      : brotliCompressSync(plain, {
          params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
        });
  // A copy: the buffer of zlib is part of a block of 16 kB, which the cache would hold too.
  return Buffer.from(new Uint8Array(compressed).buffer);
}
