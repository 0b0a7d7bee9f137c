// A request may be answered before its body is read, as when it is refused or too large. This middleware first reads
// and discards the rest. Otherwise the adapter cuts the connection half a second after the answer, in the middle of the
// next request on it.
import { IncomingMessage } from 'node:http';
import type { MiddlewareHandler } from 'hono';
import type { ServerEnv } from './server-env.ts';

const PAST_MAX_BYTES = 4 * 1024 * 1024;

export function readPast(): MiddlewareHandler<ServerEnv> {
  return async (context, next) => {
    await next();
    const { incoming } = context.env;
    if (incoming instanceof IncomingMessage && isLeft(incoming)) await toItsEnd(incoming);
  };
}

function isLeft({ headers, readableEnded, destroyed }: IncomingMessage): boolean {
  const length = Number(headers['content-length'] ?? 0);
  const hasBody = headers['transfer-encoding'] !== undefined || length > 0;
  return hasBody && !readableEnded && !destroyed && length <= PAST_MAX_BYTES;
}

function toItsEnd(incoming: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    // An earlier reader that has stopped reading would hold up the rest.
    incoming.removeAllListeners('data');
    let bytes = 0;
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > PAST_MAX_BYTES) resolve();
    });
    for (const event of ['end', 'close', 'error']) incoming.once(event, () => resolve());
    incoming.resume();
  });
}
