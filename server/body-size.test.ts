import { request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { afterAll, expect, test } from 'vitest';
import { bodySize } from './body-size.ts';

const app = new Hono()
  .use(bodySize(1000, () => new Response('too large', { status: 413 })))
  .all('*', async (context) => context.text(`read ${(await context.req.text()).length}`));
const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** Sends `size` bytes, in pieces without saying how many, or with their number. */
function ask(method: string, size: number, isSaid: boolean): Promise<string> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const headers = isSaid ? { 'content-length': size } : size === 0 ? {} : { 'transfer-encoding': 'chunked' };
    const asking = send({ port, host: '127.0.0.1', method, headers, agent: false }, (answer) => {
      let text = '';
      answer.on('data', (piece: Buffer) => (text += piece.toString()));
      answer.on('end', () => resolve(`${answer.statusCode} ${text}`));
    });
    asking.on('error', reject);
    for (let at = 0; at < size; at += 500) asking.write('x'.repeat(Math.min(500, size - at)));
    asking.end();
  });
}

test.each([
  ['GET', 0, false, '200 read 0'],
  ['POST', 0, false, '200 read 0'],
  ['POST', 0, true, '200 read 0'],
  ['POST', 1000, true, '200 read 1000'],
  ['POST', 1001, true, '413 too large'],
  ['POST', 1000, false, '200 read 1000'],
  ['POST', 1001, false, '413 too large'],
] as const)('%s of %i bytes, told before: %s, is answered %s', async (method, size, isSaid, answer) => {
  expect(await ask(method, size, isSaid)).toBe(answer);
});
