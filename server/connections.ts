// How slow a connection may be, and how many there may be. Whoever says nothing, sends his request letter by letter or does
// not take his answer is cut after a while: waiting for him costs a descriptor and some memory, never another's time.
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from '#app/platform/process/logger.server.ts';

/** In milliseconds, but for `max`. */
export type ConnectionLimits = {
  /** From the connection, or from the first byte of a later request, to the end of its headers. */
  headersMs: number;
  /** To the end of its body: an upload over a slow network takes minutes. */
  requestMs: number;
  /**
   * Without a byte either way while a request is sent or answered. Event streams say something each 15 s. Not while the
   * server itself still works on its answer, as when pictures wait for their turn.
   */
  stalledMs: number;
  /** Between two requests; longer than the minute for which proxies keep theirs. */
  idleMs: number;
  /** How often it is looked who is too slow. */
  checkEveryMs: number;
  /** Connections at once: beyond it new ones are closed, so that descriptors are left for the database and the files. */
  max: number;
};

export const CONNECTION_LIMITS: ConnectionLimits = {
  headersMs: 30_000,
  requestMs: 600_000,
  stalledMs: 60_000,
  idleMs: 65_000,
  checkEveryMs: 5_000,
  max: 10_000,
};

const HEADERS_MAX_BYTES = 16 * 1024;
const SAY_EVERY_MS = 10_000;

/** What the HTTP server is made with. */
export function serverOptions(limits: ConnectionLimits): ServerOptions {
  return {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: limits.checkEveryMs,
    maxHeaderSize: HEADERS_MAX_BYTES,
  };
}

/** What can only be set on the server that was made. */
export function limitConnections(server: Server, limits: ConnectionLimits, log: Logger): void {
  const latest = new WeakMap<Socket, { request: IncomingMessage; answer: ServerResponse }>();
  server.on('request', (request, answer) => latest.set(request.socket, { request, answer }));
  server.setTimeout(limits.stalledMs, (socket) => {
    const { request, answer } = latest.get(socket) ?? {};
    const waitsForUs = request?.complete === true && answer?.headersSent === false;
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
