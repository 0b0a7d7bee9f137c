// commands/witness.ts as a process: what becomes of its memory, and which settings it starts with.
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatVerifierKey } from '#app/tlog/signed-note.ts';
import { cosignedAt, textOf } from './cosignature.ts';
import { ForkingTree, formatRequest } from './forking-tree.ts';
import { ORIGIN, ownWitness } from './own-witness.ts';
import { runWitness, WITNESS_NAME } from './witness-process.ts';

const own = await ownWitness();
const STOPPED_CLOCK = path.resolve(import.meta.dirname, '../stopped-clock.mjs');

describe('its memory', () => {
  const tree = new ForkingTree().grow(50);

  test('outlives SIGTERM and kill -9', async () => {
    for (const [at, signal] of (['SIGTERM', 'SIGKILL', 'SIGINT', 'SIGKILL'] as const).entries()) {
      expect((await own.witness.submit(await tree.request(own.key, at * 10, at * 10 + 10))).status).toBe(200);
      const before = await own.head();
      const { code } = await own.witness.stop(signal);
      expect(code).toBe(signal === 'SIGKILL' ? null : 0);
      own.witness = own.start();
      expect(await own.head()).toBe(before);
      expect(
        (
          await own.witness.submit(
            await tree
              .fork(5)
              .grow(60)
              .request(own.key, at * 10 + 10),
          )
        ).status,
      ).toBe(422);
    }
  });

  test('SIGTERM finishes the request at hand', async () => {
    const port = Number(new URL(await own.witness.address).port);
    const body = await tree.request(own.key, 0, 10);
    const headers = { 'content-length': Buffer.byteLength(body) };
    const slow = request({ port, host: '127.0.0.1', path: '/add-checkpoint', method: 'POST', headers });
    const answered = new Promise((resolve) => slow.on('response', ({ statusCode }) => resolve(statusCode)));
    slow.write(body.slice(0, 10));
    // The head of the request has arrived when the next one, on another connection, is answered.
    await new Promise((resolve) => slow.on('socket', (socket) => socket.on('connect', resolve)));
    await own.witness.get('/');
    const ended = own.witness.stop('SIGTERM');
    slow.end(body.slice(10));
    expect(await answered).toBe(200);
    expect((await ended).code).toBe(0);
  });

  test('a clock that is set back takes no cosignature back', async () => {
    const first = await own.witness.submit(await tree.request(own.key, 0, 10));
    const time = cosignedAt(first.text, textOf(await tree.note(own.key, 10)), own.vkey);
    await own.witness.stop();
    const env = { STOPPED_AT: String(Date.parse('2020-01-01T00:00:00Z')) };
    own.witness = own.start({ node: ['--import', STOPPED_CLOCK], env });
    const second = await own.witness.submit(await tree.request(own.key, 10, 20));
    expect(time).toBeGreaterThan(1_600_000_000);
    expect(cosignedAt(second.text, textOf(await tree.note(own.key, 20)), own.vkey)).toBe(time);
  });

  test('damaged in any byte, emptied, missing or of another key: no start, and it is left as it is', async () => {
    await own.witness.submit(await tree.request(own.key, 0, 10));
    await own.witness.stop();
    const good = await readFile(own.inFolder('state'));
    const damaged: Buffer[] = [Buffer.alloc(0), Buffer.from('{}'), good.subarray(0, -1), good.subarray(0, 100)];
    for (let at = 0; at < good.length; at += Math.ceil(good.length / 12)) {
      const flipped = Buffer.from(good);
      flipped[at]! ^= 1;
      damaged.push(flipped);
    }
    for (const bytes of damaged) {
      await writeFile(own.inFolder('state'), bytes);
      const { code, errors } = await own.start().ended;
      expect([code, errors]).toEqual([2, expect.stringMatching(/^state: .* is (damaged|of another own.key)/)]);
      expect(await readFile(own.inFolder('state'))).toEqual(bytes);
    }
    await rm(own.inFolder('state'));
    expect(await own.start().ended).toMatchObject({ code: 2, errors: expect.stringContaining('is missing') });
    await writeFile(own.inFolder('state'), good);
    await rename(own.inFolder('key'), own.inFolder('old-key'));
    await runWitness('--new-key', WITNESS_NAME, own.inFolder('key'));
    expect(await own.start().ended).toMatchObject({ code: 2, errors: expect.stringContaining('of another key') });
    await rm(own.inFolder('state'));
    own.witness = own.start();
    expect(await own.head()).toBe('');
  });

  test('a state that cannot be written gives no cosignature, and the next request has it', async () => {
    await own.witness.submit(await tree.request(own.key, 0, 10));
    // A own.folder in the place of the new file: writing it fails.
    await mkdir(own.inFolder('state.new'));
    const { status, headers } = await own.witness.submit(await tree.request(own.key, 10, 20));
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect(await own.head()).toContain(`${ORIGIN}\n10\n`);
    await rm(own.inFolder('state.new'), { recursive: true });
    expect((await own.witness.submit(await tree.request(own.key, 10, 20))).status).toBe(200);
  });

  test('of two processes with one state the second does not start; when the first is gone it does', async () => {
    await own.witness.address;
    expect(await own.start().ended).toMatchObject({ code: 2, errors: expect.stringContaining('another witness runs') });
    const many = Array.from({ length: 4 }, () => own.start());
    for (const one of many) expect((await one.ended).code).toBe(2);
    await own.witness.stop('SIGKILL');
    const both = [own.start(), own.start(), own.start()];
    const codes = await Promise.all(
      both.map((one) => Promise.race([one.address.then(() => 'runs'), one.ended.then(({ code }) => code)])),
    );
    expect(codes.filter((code) => code === 'runs')).toHaveLength(1);
  });

  test('one that somebody else has written, on another machine, ends it without an answer', async () => {
    await own.witness.submit(await tree.request(own.key, 0, 10));
    const old = await readFile(own.inFolder('state'));
    await own.witness.submit(await tree.request(own.key, 10, 20));
    await writeFile(own.inFolder('state'), old);
    await expect(own.witness.submit(await tree.request(own.key, 20, 30))).rejects.toThrow('fetch failed');
    expect(await own.witness.ended).toMatchObject({ code: 1, errors: expect.stringContaining('another witness') });
    expect(await readFile(own.inFolder('state'))).toEqual(old);
  });
});

test('1,000 forks and rewinds, of a log restored from yesterday and of two publishers with one key: none is cosigned', async () => {
  const pick = (upTo: number) => Math.floor(Math.random() * (upTo + 1));
  const honest = new ForkingTree().grow(30);
  expect((await own.witness.submit(await honest.request(own.key, 0))).status).toBe(200);
  const statuses = new Map<number, number>();
  for (let round = 0; round < 1000; round += 1) {
    const signed = honest.size;
    // Yesterday's backup lacks some entries; a second publisher lacks those that the first one signed since.
    const other = honest.fork(signed - 1 - pick(Math.min(20, signed - 1))).grow(1 + pick(40));
    const old = [signed, signed, other.size, 0, pick(signed)][round % 5] ?? 0;
    const shown = pick(1) === 0 ? other.size : pick(other.size);
    const proof = round % 3 === 0 ? await honest.proof(signed, signed) : await other.proof(Math.min(old, shown), shown);
    const { status } = await own.witness.submit(formatRequest(old, proof, await other.note(own.key, shown)));
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (round % 10 === 0) {
      honest.grow(1 + pick(3));
      expect((await own.witness.submit(await honest.request(own.key, signed))).status).toBe(200);
    }
  }
  expect(statuses.get(200) ?? 0).toBe(0);
  expect([...statuses.keys()].toSorted()).toEqual([400, 409, 422]);
}, 120_000);

describe('settings', () => {
  const settings = (text: string) => writeFile(own.inFolder('witness.conf'), text);
  const log = () => `log ${formatVerifierKey(own.key.verifier)}\n`;

  test.each([
    ['key', () => `state s\nlisten 127.0.0.1:0\n${log()}`],
    ['key', () => `key missing\nstate s\nlisten 127.0.0.1:0\n${log()}`],
    ['key', () => `key witness.conf\nstate s\nlisten 127.0.0.1:0\n${log()}`],
    ['key', () => `key key\nkey key\nstate s\nlisten 127.0.0.1:0\n${log()}`],
    ['state', () => `key key\nlisten 127.0.0.1:0\n${log()}`],
    ['state', () => `key key\nstate nowhere/s\nlisten 127.0.0.1:0\n${log()}`],
    ['listen', () => `key key\nstate state\n${log()}`],
    ['listen', () => `key key\nstate state\nlisten 127.0.0.1\n${log()}`],
    ['listen', () => `key key\nstate state\nlisten 127.0.0.1:99999\n${log()}`],
    ['listen', () => `key key\nstate state\nlisten 192.0.2.1:80\n${log()}`],
    ['prefix', () => `key key\nstate state\nlisten 127.0.0.1:0\nprefix a/\n${log()}`],
    ['log', () => 'key key\nstate state\nlisten 127.0.0.1:0\n'],
    ['log', () => `key key\nstate state\nlisten 127.0.0.1:0\nlog ${own.vkey}\n`],
    ['log', () => `key key\nstate state\nlisten 127.0.0.1:0\n${log().replace('+A', '+B')}`],
    ['colour', () => `key key\nstate state\nlisten 127.0.0.1:0\ncolour red\n${log()}`],
  ])('a bad or missing %s ends the start with a sentence that names it', async (name, text) => {
    await own.witness.stop();
    await settings(text());
    const { code, errors } = await own.start().ended;
    expect([code, errors]).toEqual([2, expect.stringMatching(new RegExp(`^${name}: [^\n]+\\.\n$`))]);
  });

  test('a new key is nobody else’s to read, and is never written over', async () => {
    expect(own.vkey).toMatch(/^witness\.example\/w1\+[0-9a-f]{8}\+B/);
    expect((await stat(own.inFolder('key'))).mode & 0o777).toBe(0o600);
    const before = await readFile(own.inFolder('key'), 'utf8');
    expect(before).toMatch(/^PRIVATE\+KEY\+witness\.example\/w1\+[0-9a-f]{8}\+B[A-Za-z0-9+/]{43}\n$/);
    expect(await runWitness('--new-key', 'other', own.inFolder('key'))).toMatchObject({ code: 2, output: '' });
    expect(await readFile(own.inFolder('key'), 'utf8')).toBe(before);
    for (const name of ['', 'a b', 'a+b'])
      expect((await runWitness('--new-key', name, own.inFolder('new'))).code).toBe(2);
    expect((await runWitness()).code).toBe(2);
  });
});
