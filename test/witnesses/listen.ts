// Lets an HTTP server of a test listen on a free port of this machine, and ends it with all its connections.
import { once } from 'node:events';
import type { Server } from 'node:http';

// `origin` is the URL without a path. `stop` may be called twice.
export async function listen(server: Server): Promise<{ origin: string; stop: () => Promise<void> }> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { origin: `http://127.0.0.1:${address.port}`, stop };
}
