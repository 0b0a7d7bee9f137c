// The form of a response in the cache, and how it is sent: as a 304, or with its body in an encoding that the client
// accepts.
import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** `headers`: a 304 has them too. `bodies`: in each encoding that a client has asked for so far. */
export type CachedResponse = {
  route: string;
  etag: string;
  headers: [string, string][];
  bodies: { identity: Buffer<ArrayBuffer> } & Partial<Record<Encoding, Buffer<ArrayBuffer>>>;
};
type Encoding = 'br' | 'gzip';
type Asked = { ifNoneMatch: string | undefined; acceptEncoding: string | undefined };

const OF_ONE_ANSWER = new Set(['content-length', 'content-encoding', 'transfer-encoding', 'date']);

/** Makes the cache entry of an answer with status 200 and this plain body. */
export function cacheResponse(route: string, headers: Headers, plain: Buffer<ArrayBuffer>): CachedResponse {
  const etag = headers.get('etag') ?? weakEtag(plain);
  headers.set('etag', etag);
  headers.append('vary', 'Accept-Encoding');
  return {
    route,
    etag,
    headers: [...headers].filter(([name]) => !OF_ONE_ANSWER.has(name)),
    bodies: { identity: plain },
  };
}

/** The answer from the cache: a 304, or the body in an encoding that the client accepts. */
export function answerOf({ headers, etag, bodies }: CachedResponse, asked: Asked): Response {
  if (matchesEtag(asked.ifNoneMatch, etag)) return new Response(null, { status: 304, headers });
  const encoding = acceptable(asked.acceptEncoding);
  const body = encoding === 'identity' ? bodies.identity : (bodies[encoding] ??= compress(bodies.identity, encoding));
  const answer = new Response(body, { headers });
  answer.headers.set('content-length', String(body.length));
  if (encoding !== 'identity') answer.headers.set('content-encoding', encoding);
  return answer;
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
function acceptable(accepted = ''): Encoding | 'identity' {
  if (TAKES.br.test(accepted)) return 'br';
  return TAKES.gzip.test(accepted) ? 'gzip' : 'identity';
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
