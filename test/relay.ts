// A TCP relay in front of something: of several targets each connection gets the next that answers, as behind a load
// balancer. It can freeze: nothing passes any more and nothing is closed, as when a machine or its network is gone.
import { connect, createServer, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net';

export type Relay = {
  port: number;
  freeze: () => void;
  stop: () => Promise<void>;
};

/** Starts one on a free port of 127.0.0.1. */
export async function startRelay(targets: readonly NetConnectOpts[]): Promise<Relay> {
  const open = new Set<Socket>();
  let frozen = false;
  let next = 0;
  const keep = (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket));
    return socket;
  };
  const join = (caller: Socket, triesLeft: number) => {
    const target = targets[next++ % targets.length];
    if (target === undefined || triesLeft === 0 || caller.destroyed) return caller.destroy();
    const called = connect(target);
    called.once('error', () => join(caller, triesLeft - 1));
    called.once('connect', () => {
      called.removeAllListeners('error');
      keep(called);
      for (const [from, to] of [
        [caller, called],
        [called, caller],
      ] as const) {
        from.on('data', (bytes) => frozen || to.write(bytes));
        from.on('close', () => frozen || to.destroy());
      }
      caller.resume();
    });
  };
  const server = createServer({ pauseOnConnect: true }, (caller) => {
    keep(caller);
    if (!frozen) join(caller, targets.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    freeze: () => (frozen = true),
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
