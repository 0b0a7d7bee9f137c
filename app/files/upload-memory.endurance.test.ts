import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { END, MULTIPART, partHead } from '#test/multipart-body.ts';

const PIECE = Buffer.alloc(64 * 1024, 1);
let reader: ChildProcess;
let port: number;
beforeAll(async () => {
  reader = fork(new URL('../../test/upload-process.ts', import.meta.url), { execArgv: ['--expose-gc'] });
  [port] = (await once(reader, 'message')) as [number];
  await upload(1);
});
afterAll(() => reader.disconnect());

function* form(megabytes: number): Generator<Uint8Array> {
  yield partHead({ name: 'certificate_file', filename: 'a.pdf' });
  for (let sent = 0; sent < megabytes * 16; sent += 1) yield PIECE;
  yield Buffer.from('\r\n');
  yield END;
}

async function upload(megabytes: number): Promise<unknown> {
  const sending = request({ port, method: 'POST', headers: { 'content-type': MULTIPART }, agent: false });
  const answered = once(sending, 'response') as Promise<[Readable]>;
  await pipeline(Readable.from(form(megabytes)), sending);
  const [answer] = await answered;
  return JSON.parse(Buffer.concat(await answer.toArray()).toString());
}
async function grownMegabytes(): Promise<number> {
  return Number(await (await fetch(`http://127.0.0.1:${port}/`)).text());
}

/** The same form, each byte of the file in a chunk of its own. */
async function dribble(bytes: number): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const chunk = (data: Uint8Array) =>
    Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]);
  socket.write(
    `POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: ${MULTIPART}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  socket.write(chunk(partHead({ name: 'certificate_file', filename: 'a.pdf' })));
  socket.write(Buffer.alloc(bytes * 6, chunk(Buffer.from('x'))));
  socket.write(Buffer.concat([chunk(Buffer.from('\r\n')), chunk(END), Buffer.from('0\r\n\r\n')]));
  return Buffer.concat(await socket.toArray()).toString();
}

test('half a million bytes that come one by one take no more than at once', async () => {
  await grownMegabytes();
  expect(await dribble(500_000)).toMatch(/^HTTP\/1\.1 200 [^]*\[\]/);
  const grown = await grownMegabytes();
  expect(grown).toBeLessThan(50);
});

test.each([
  [1, 50],
  [8, 300],
])('%i uploads of 200 MB at once are cut off, and memory grows by less than %i MB', async (count, limit) => {
  await grownMegabytes();
  const answers = await Promise.all(Array.from({ length: count }, () => upload(200)));
  expect(answers).toEqual(Array.from({ length: count }, () => ['a.pdf: The file is larger than 20 MB.']));
  const grown = await grownMegabytes();
  expect(grown).toBeLessThan(limit);
});

test('four pictures of 49 megapixels at once take no more than one', async () => {
  const picture = await sharp({ create: { width: 7000, height: 7000, channels: 3, background: '#456' } })
    .jpeg()
    .toBuffer();
  const encode = async () =>
    (await fetch(`http://127.0.0.1:${port}/image`, { method: 'POST', body: new Uint8Array(picture) })).json();
  await encode();
  await grownMegabytes();
  const answers = await Promise.all(Array.from({ length: 4 }, encode));
  expect(answers).toEqual([4096, 4096, 4096, 4096]);
  const grown = await grownMegabytes();
  expect(grown).toBeLessThan(300);
});
