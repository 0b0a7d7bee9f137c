// A TCP proxy between the registry and a service, which fails on command. It listens on 127.0.0.1. A test switches the
// fault while it runs, for open connections too.
import { createConnection, createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** The service: a port of 127.0.0.1, or a Unix socket. */
export type Upstream = { port: number } | { path: string };
/**
 * What goes wrong. `refuse`: nobody listens and open connections are reset. `reset`: each new connection too, once it
 * is made. `silence`: connections stay and are made, and not a byte passes, as when packets vanish. `slow`: everything
 * comes `latencyMs` late, and no more than `bytesPerSecond` pass. `cut`: a connection is reset after `afterBytes` from
 * upstream; `cut-request`: after so many to it. `lose-answer`: what contains the text `to` arrives, and its connection
 * is reset in place of the answer, once.
 */
export type Fault =
  | { kind: 'none' | 'refuse' | 'reset' | 'silence' }
  | { kind: 'slow'; latencyMs: number; bytesPerSecond?: number }
  | { kind: 'cut' | 'cut-request'; afterBytes: number }
  | { kind: 'lose-answer'; to: string };

export type FaultProxy = {
  port: number;
  set: (fault: Fault) => Promise<void>;
  /** How many connections are open. */
  connections: () => number;
  /** How many were ever made. */
  made: () => number;
  close: () => Promise<void>;
};

const QUANTUM_MS = 20;
const UNDER_WAY_MAX_BYTES = 4 * 1024 * 1024;

/** Starts one that leads to `upstream` without a fault. */
export async function startFaultProxy(upstream: Upstream): Promise<FaultProxy> {
  let fault: Fault = { kind: 'none' };
  let changed = Promise.withResolvers<void>();
  let made = 0;
  const open = new Set<Socket>();
  const server = createServer((near) => {
    made += 1;
    if (fault.kind === 'reset') return void near.resetAndDestroy();
    const far = createConnection('path' in upstream ? upstream : { ...upstream, host: '127.0.0.1' });
    const end = () => {
      open.delete(near);
      near.resetAndDestroy();
      far.destroy();
    };
    open.add(near);
    for (const side of [near, far]) {
      side.setNoDelay(true);
      side.on('error', end);
    }
    near.on('close', end);
    let passed = 0;
    let answerIsLost = false;
    let sent = 0;
    void carry(near, far, (piece) => {
      sent += piece.length;
      if (fault.kind === 'cut-request' && sent >= fault.afterBytes) return end();
      if (fault.kind !== 'lose-answer' || !Buffer.from(piece).includes(fault.to)) return;
      answerIsLost = true;
      fault = { kind: 'none' };
    });
    void carry(far, near, (piece) => {
      passed += piece.length;
      if (answerIsLost || (fault.kind === 'cut' && passed >= fault.afterBytes)) end();
    });
  });

  // Holds the bytes while nothing passes. The sender notices only that no answer comes.
  async function carry(from: Duplex, to: Duplex, pass: (piece: Uint8Array) => void): Promise<void> {
    const deliver = async (bytes: Uint8Array, due: number) => {
      await pause(due - performance.now());
      for (let at = 0; at < bytes.length;) {
        while (fault.kind === 'silence') await changed.promise;
        const speed = fault.kind === 'slow' ? fault.bytesPerSecond : undefined;
        const piece = bytes.subarray(at, speed === undefined ? undefined : at + Math.ceil((speed * QUANTUM_MS) / 1000));
        if (speed !== undefined) await pause(QUANTUM_MS);
        pass(piece);
        if (to.destroyed) return;
        if (!to.write(piece)) await new Promise((resolve) => to.once('drain', resolve).once('close', resolve));
        at += piece.length;
      }
    };
    let underWay = Promise.resolve();
    let waiting = 0;
    try {
      for await (const chunk of from) {
        const bytes: Uint8Array = chunk;
        const due = performance.now() + (fault.kind === 'slow' ? fault.latencyMs : 0);
        waiting += bytes.length;
        underWay = underWay.then(() => deliver(bytes, due)).then(() => void (waiting -= bytes.length));
        if (waiting > UNDER_WAY_MAX_BYTES) await underWay;
      }
      await underWay;
      while (fault.kind === 'silence') await changed.promise;
      to.end();
    } catch {
      to.destroy();
    }
  }

  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => resolve(server.off('error', reject) && undefined));
    });
  await listen(0);
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('no port');
  const stopListening = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of open) socket.resetAndDestroy();
    await closed;
  };
  return {
    port: bound.port,
    async set(next) {
      fault = next;
      changed.resolve();
      changed = Promise.withResolvers();
      if (next.kind === 'refuse' || next.kind === 'reset') for (const socket of open) socket.resetAndDestroy();
      if (next.kind === 'refuse' && server.listening) await stopListening();
      if (next.kind !== 'refuse' && !server.listening) await listen(bound.port);
    },
    connections: () => open.size,
    made: () => made,
    async close() {
      fault = { kind: 'none' };
      changed.resolve();
      if (server.listening) await stopListening();
    },
  };
}

async function pause(ms: number): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}
