import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type Server } from 'node:http';
import { createConnection, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { stream, streamSSE } from 'hono/streaming';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogger } from '#app/platform/process/logger.server.ts';
import { limitConnections, serverOptions } from './connections.ts';
import { readPast } from './read-past.ts';
import type { ServerEnv } from './server-env.ts';

const LIMITS = { headersMs: 400, requestMs: 1500, stalledMs: 700, idleMs: 500, checkEveryMs: 50, max: 20 };
const LONG_ANSWER = 50_000_000;

let server: Server;
let port: number;
const sockets: Socket[] = [];
beforeEach(async () => {
  const app = new Hono<ServerEnv>();
  app.use(readPast());
  app.get('/', (context) => context.text('hello'));
  app.post('/waits', async (context) => {
    await context.req.arrayBuffer();
    await pause(2.5 * LIMITS.stalledMs);
    return context.text('done');
  });
  app.get('/long', () => {
    const piece = new Uint8Array(100_000);
    let left = LONG_ANSWER;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(piece);
        left -= piece.length;
        if (left <= 0) controller.close();
      },
    });
    return new Response(body, { headers: { 'content-length': String(LONG_ANSWER) } });
  });
  // Like a form that is refused after its first bytes.
  app.post('/refused', async (context) => {
    await context.req.raw.body?.getReader().read();
    return context.text('no', 415);
  });
  app.get('/later', (context) =>
    stream(context, async (answer) => {
      for (const piece of ['l', 'a', 't', 'e', 'r']) {
        await answer.write(piece);
        await answer.sleep(LIMITS.stalledMs / 4);
      }
    }),
  );
  app.get('/stream', (context) =>
    streamSSE(context, async (stream) => {
      while (!stream.aborted) {
        await stream.write(': \n\n');
        await stream.sleep(LIMITS.stalledMs / 3);
      }
    }),
  );
  app.post('/', async (context) => context.text(String((await context.req.arrayBuffer()).byteLength)));
  server = createServer(serverOptions(LIMITS), (...both) => void getRequestListener(app.fetch)(...both));
  limitConnections(server, LIMITS, createLogger({ logLevel: 'silent' }));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const bound = server.address();
  port = bound !== null && typeof bound === 'object' ? bound.port : 0;
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

/** A connection that has sent `text`. `heard` is what came back, `ended` waits for its end. */
function connect(text: string): { socket: Socket; heard: () => string; ended: Promise<unknown> } {
  const socket = createConnection(port, '127.0.0.1');
  sockets.push(socket);
  let heard = '';
  socket.on('error', () => {});
  socket.on('data', (chunk) => (heard += chunk.toString()));
  socket.write(text);
  return { socket, heard: () => heard, ended: new Promise((resolve) => socket.on('close', resolve)) };
}
const GET = 'GET / HTTP/1.1\r\nHost: x\r\n';

test('a connection that says nothing is closed', async () => {
  const { heard, ended } = connect('');
  await ended;
  expect(heard()).toMatch(/^(HTTP\/1\.1 408 |$)/);
});

test('headers that never end are cut off, however busily they come', async () => {
  const { socket, heard, ended } = connect(GET);
  const drip = setInterval(() => socket.write('X-A: b\r\n'), 50);
  await ended;
  clearInterval(drip);
  expect(heard()).toMatch(/^HTTP\/1\.1 408 /);
});

test('headers that are too large are refused', async () => {
  const { heard, ended } = connect(`${GET}X-Long: ${'a'.repeat(17_000)}\r\n\r\n`);
  await ended;
  expect(heard()).toMatch(/^HTTP\/1\.1 431 /);
});

test('a body that is slow beyond the limit is cut off, one within it is read', async () => {
  const head = (length: number) => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;
  const late = connect(head(10_000));
  const drip = setInterval(() => late.socket.write('a'), 50);
  const slow = connect(head(4));
  for (let count = 0; count < 4; count += 1) {
    await pause(150);
    slow.socket.write('a');
  }
  await expect.poll(slow.heard, { timeout: 5000 }).toMatch(/^HTTP\/1\.1 200 [^]*\r\n4$/);
  await late.ended;
  clearInterval(drip);
  expect(late.heard()).toMatch(/^HTTP\/1\.1 408 /);
});

test('a request that waits for the server to do its work is not cut, and neither is its connection left open for ever', async () => {
  const { heard, ended } = connect('POST /waits HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\na');
  await expect.poll(heard, { timeout: 10_000 }).toMatch(/^HTTP\/1\.1 200 [^]*\r\ndone$/);
  await ended;
});

test('an answer that nobody takes is given up, one that is taken slowly is not', async () => {
  const stuck = connect('GET /long HTTP/1.1\r\nHost: x\r\n\r\n');
  stuck.socket.pause();
  await expect
    .poll(() => new Promise((resolve) => server.getConnections((_error, count) => resolve(count))), { timeout: 10_000 })
    .toBe(0);
  const slow = connect('GET /long HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  slow.socket.removeAllListeners('data');
  let bytes = 0;
  slow.socket.on('data', (chunk) => {
    bytes += chunk.length;
    slow.socket.pause();
    setTimeout(() => slow.socket.resume(), 1);
  });
  await slow.ended;
  expect(bytes).toBeGreaterThan(LONG_ANSWER);
});

test('an event stream stays, a connection between two requests is closed after a while', async () => {
  const stream = connect('GET /stream HTTP/1.1\r\nHost: x\r\n\r\n');
  const idle = connect(`${GET}\r\n`);
  await idle.ended;
  expect(idle.heard()).toContain('hello');
  await pause(LIMITS.stalledMs * 2);
  expect(stream.socket.destroyed).toBe(false);
});

test('beyond the limit new connections are closed, and taken again when others end', async () => {
  const many = Array.from({ length: LIMITS.max }, () => connect(GET));
  await Promise.all(many.map(({ socket }) => once(socket, 'connect')));
  const { heard, ended } = connect(`${GET}\r\n`);
  await ended;
  expect(heard()).toBe('');
  await Promise.all(many.map((each) => each.ended));
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  expect(await answer.text()).toBe('hello');
});

test.each([10, 900_000, 3_000_000])(
  'a form of %i bytes is refused half read, and the connection goes on',
  async (bytes) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const send = async (path: string, body?: Buffer) => {
      const sending = request({ port, path, agent, method: body === undefined ? 'GET' : 'POST' });
      sending.end(body);
      const [answer] = (await once(sending, 'response')) as [IncomingMessage];
      await answer.resume().toArray();
      return answer.statusCode;
    };
    expect(await send('/refused', Buffer.alloc(bytes, 'a'))).toBe(415);
    // On the same connection, at the time when the adapter would otherwise cut it.
    expect(await send('/later')).toBe(200);
    agent.destroy();
  },
);
