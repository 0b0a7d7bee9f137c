// Limits how slow connections may be, and how many there may be. A client that sends nothing, sends its request byte by
// byte or does not read its answer is cut off after a while. Until then it costs a file descriptor and some memory.
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from '#app/platform/process/logger.server.ts';

/** Times in milliseconds. */
export const CONNECTION_LIMITS = {
  /** From the connection, or from the first byte of a later request, to the end of its headers. */
  headersMs: 30_000,
  /** To the end of its body: an upload over a slow network takes minutes. */
  requestMs: 600_000,
  /**
   * Without a byte either way while a request is sent or answered. Event streams send something every 15 s. It does not
   * apply while the server still works on its answer, as when images wait to be processed.
   */
  stalledMs: 60_000,
  /** Between two requests. Longer than 60 s, the time for which proxies keep an idle connection open. */
  idleMs: 65_000,
  /** How often Node checks for connections that are too slow. */
  checkEveryMs: 5_000,
  /** Connections at once. Further ones are closed, so that file descriptors are left for the database and the files. */
  max: 10_000,
};
type ConnectionLimits = typeof CONNECTION_LIMITS;

const HEADERS_MAX_BYTES = 16 * 1024;
const SAY_EVERY_MS = 10_000;

/** The limits that `createServer` takes. */
export function serverOptions(limits: ConnectionLimits): ServerOptions {
  return {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: limits.checkEveryMs,
    maxHeaderSize: HEADERS_MAX_BYTES,
  };
}

/** Sets the limits that only an existing server takes. */
export function limitConnections(server: Server, limits: ConnectionLimits, log: Logger): void {
  // Without an object for each request: while a page is made it lives long, so V8 comes to allocate such objects in the
  // old space, where they keep what they name. Each cached answer then takes up to twice the processor time.
  const latest = new WeakMap<Socket, ServerResponse<IncomingMessage>>();
  server.on('request', (request, answer) => latest.set(request.socket, answer));
  server.setTimeout(limits.stalledMs, (socket) => {
    const answer = latest.get(socket);
    const waitsForUs = answer?.req.complete === true && !answer.headersSent;
    if (!waitsForUs) socket.destroy();
  });
  server.maxConnections = limits.max;
  let said = 0;
  server.on('drop', () => {
    if (performance.now() - said < SAY_EVERY_MS) return;
    said = performance.now();
    log.warn({ max: limits.max }, 'too many connections: new ones are closed');
  });
}
