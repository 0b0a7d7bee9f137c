import { request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { afterAll, expect, test } from 'vitest';
import { PAGES } from '#app/access/pages.ts';
import { createTestServices } from '#test/services.ts';
import { bodySize, bodySizes } from './body-size.ts';
import type { ServerEnv } from './server-env.ts';

const app = new Hono()
  .use(bodySize(1000, () => new Response('too large', { status: 413 })))
  .all('*', async (context) => context.text(`read ${(await context.req.text()).length}`));
const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** Sends `size` bytes: with Content-Length when `isSaid`, else chunked. */
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

const services = await createTestServices({ RATE_LIMITS: 'off' });
afterAll(() => services.stop());
const limited = new Hono<ServerEnv>().use(bodySizes(services)).all('*', (context) => context.text('let through'));
const statusOf = async (path: string, headers: Record<string, string>) =>
  (await limited.request(path, { method: 'POST', headers })).status;

/** Their forms take a list as text, or a few files of anybody. */
const PAGE_OF_LIST = /^\/(check|follow|following|lists|vehicles\/import|references\/import|reports|my-reports)\b/;

test('only pages whose forms take files let a larger body through, and only one that says its length', async () => {
  const pages = Object.keys(PAGES).map((pattern) => pattern.replaceAll(/:\w+/g, 'X').replace('*', 'no/such/page'));
  const takes: string[] = [];
  const lists: string[] = [];
  for (const path of pages)
    for (const address of [path, `${path === '/' ? '/_' : path}.data`]) {
      const status = await statusOf(address, { 'content-length': '2000000' });
      if (status === 200 && PAGE_OF_LIST.test(path)) lists.push(address);
      else if (status === 200) takes.push(address);
      else expect([address, status]).toEqual([address, 413]);
      expect([address, await statusOf(address, { 'content-length': '120000000' })]).toEqual([address, 413]);
    }
  const forms = ['vehicles/new', 'vehicles/new/X', 'vehicles/update/X', 'vehicles/calibrate/X', 'admins/new'];
  const expected = [...forms, 'references/X/verify', 'admins/update/X', 'profile/update', 'uploads'].flatMap((path) => [
    `/${path}`,
    `/${path}.data`,
  ]);
  expect(takes.toSorted()).toEqual(expected.toSorted());
  const ofLists = [
    '/check',
    '/check/follow',
    '/check/X',
    '/following/X',
    '/follow/confirm/X',
    '/lists/X',
    '/reports/new',
    '/reports/r/X',
    '/my-reports/X',
    '/vehicles/import',
    '/vehicles/import/left-out.csv',
    '/references/import',
    '/references/import/left-out.csv',
  ];
  expect(lists).toEqual(ofLists.flatMap((path) => [path, `${path}.data`]));
  expect(await statusOf('/check', { 'content-length': '10000000' })).toBe(413);
  const workbook = { 'content-length': '20000000', 'content-type': 'multipart/form-data; boundary=x' };
  expect(await statusOf('/check', workbook)).toBe(200);
  expect(await statusOf('/check', { ...workbook, 'content-length': '23000000' })).toBe(413);
  expect(await statusOf('/api/v1/check', { 'content-length': '2000000' })).toBe(200);
  expect(await statusOf('/uploads', { 'transfer-encoding': 'chunked' })).toBe(411);
  expect(await statusOf('/api/v1/vehicles', { 'content-length': '2000000' })).toBe(413);
});
