// An HTTP proxy in front of a registry that can give out the next version of the service worker and of the list of the
// program: a browser asks for the worker past every other means of a test.
import { createServer, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

const WORKER = '/field-worker.js';
const PROGRAM = '/program.json';

export type NextVersion = { url: string; release: () => void; stop: () => Promise<void> };

export async function startNextVersion(registryUrl: string): Promise<NextVersion> {
  const { hostname, port } = new URL(registryUrl);
  let isReleased = false;
  const server = createServer((asked, answer) => {
    const { method, url: path, headers } = asked;
    const isNext = isReleased && (path === WORKER || path === PROGRAM);
    // A compressed one could not be added to.
    const sent = { ...headers, ...(isNext ? { 'accept-encoding': 'identity', 'if-none-match': '' } : {}) };
    const onward = request({ hostname, port, method, path, headers: sent }, (got) => {
      if (!isNext) {
        answer.writeHead(got.statusCode ?? 502, got.headers);
        return void got.pipe(answer);
      }
      const { 'content-length': _length, etag: _etag, 'last-modified': _modified, ...kept } = got.headers;
      answer.writeHead(got.statusCode ?? 502, kept);
      buffer(got).then(
        (bytes) =>
          answer.end(
            path === PROGRAM
              ? JSON.stringify({ ...JSON.parse(bytes.toString()), version: 'next' })
              : `${bytes.toString()}\n// the next version`,
          ),
        () => answer.destroy(),
      );
    });
    onward.on('error', () => answer.destroy());
    asked.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    release: () => void (isReleased = true),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
