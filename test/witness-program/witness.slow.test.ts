// docs/witness.mjs as a process: every answer of c2sp.org/tlog-witness, and what becomes of its memory.
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { formatBase64, parseUtf8 } from '#app/tlog/bytes.ts';
import { formatVerifierKey, parseNote } from '#app/tlog/signed-note.ts';
import { type SigningKey, signNote } from '#app/tlog/sign-note.server.ts';
import { newKey, publish, someEntries } from '#test/small-log.ts';
import { cosignedAt, textOf } from './cosignature.ts';
import { ForkingTree, formatRequest } from './forking-tree.ts';
import {
  monitoringPath,
  runWitness,
  setUpWitness,
  WITNESS_NAME,
  WitnessProcess,
  writeSettings,
} from './witness-process.ts';

const ORIGIN = 'log.example/1';
const EMPTY_ROOT = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';
const STOPPED_CLOCK = path.resolve(import.meta.dirname, '../stopped-clock.mjs');

let key: SigningKey;
let folder: string;
let vkey: string;
let witness: WitnessProcess;
let started: WitnessProcess[];
beforeAll(async () => {
  key = await newKey(ORIGIN);
});
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'witness-'));
  vkey = await setUpWitness(folder, [key.verifier]);
  started = [];
  witness = start();
});
afterEach(async () => {
  for (const one of started) await one.stop('SIGKILL');
  await rm(folder, { recursive: true });
});

function start(options: ConstructorParameters<typeof WitnessProcess>[1] = {}): WitnessProcess {
  const one = new WitnessProcess(folder, options);
  started.push(one);
  return one;
}
const inFolder = (name: string) => path.join(folder, name);
const head = async () => {
  const response = await witness.get(monitoringPath(ORIGIN));
  return response.status === 200 ? response.text() : '';
};

describe('cosigning', () => {
  test('a tree that grows is cosigned at each size, and shown with both signatures', async () => {
    const tree = new ForkingTree();
    expect((await witness.get(monitoringPath(ORIGIN))).status).toBe(404);
    let [old, before] = [0, 0];
    for (const size of [0, 1, 2, 3, 4, 7, 8, 9, 255, 256, 257, 257, 600]) {
      const note = await tree.grow(size - tree.size).note(key);
      const { status, text } = await witness.submit(formatRequest(old, await tree.proof(old), note));
      expect([size, status]).toEqual([size, 200]);
      const time = cosignedAt(text, textOf(note), vkey) ?? 0;
      expect(Math.abs(time - Date.now() / 1000)).toBeLessThan(60);
      expect(time).toBeGreaterThanOrEqual(before);
      expect(await head()).toBe(`${note}${text}`);
      [old, before] = [size, time];
    }
  });

  test('a log as the registry publishes it is cosigned', async () => {
    const small = await publish(await someEntries(300, 5), key);
    const note = parseUtf8(small.files.get('checkpoint')!);
    expect((await witness.submit(formatRequest(0, [], note))).status).toBe(200);
  });

  test('several keys of one log, an extension line, and signatures of strangers', async () => {
    const second = await newKey(ORIGIN);
    await writeSettings(folder, [key.verifier, second.verifier]);
    await witness.stop();
    witness = start();
    const tree = new ForkingTree().grow(5);
    const note = await tree.note(second, 5, ['an extension']);
    const stranger = (await tree.note(await newKey('stranger.example'), 5)).split('\n\n')[1];
    const sameName = (await tree.note(await newKey(ORIGIN), 5)).split('\n\n')[1];
    const { status, text } = await witness.submit(formatRequest(0, [], `${note}${stranger}${sameName}`));
    expect(status).toBe(200);
    expect(cosignedAt(text, textOf(note), vkey)).toBeDefined();
    // Only what was verified is shown.
    expect(await head()).toBe(`${note}${text}`);
    expect((await witness.submit(await tree.grow(1).request(key, 5))).status).toBe(200);
  });

  test('a witness asked by many at once signs one line of trees', async () => {
    const tree = new ForkingTree().grow(40);
    await witness.submit(await tree.request(key, 0, 1));
    const answers = await Promise.all(
      Array.from({ length: 39 }, async (_, at) => witness.submit(await tree.request(key, 1, at + 2))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(38);
  });
});

describe('refusals', () => {
  const tree = new ForkingTree().grow(20);
  const refused = async (body: string | Uint8Array<ArrayBuffer>) => (await witness.submit(body)).status;
  // Each begins with a tree of ten that is signed, and must leave it so.
  const refusal = (name: string, body: () => Promise<void>, within = 30_000) =>
    test(
      name,
      async () => {
        expect((await witness.submit(await tree.request(key, 0, 10))).status).toBe(200);
        await body();
        expect(await head()).toContain(`${ORIGIN}\n10\n`);
        expect((await witness.submit(await tree.request(key, 10, 20))).status).toBe(200);
      },
      within,
    );

  refusal('404: another log, another place', async () => {
    expect(await refused(await tree.request(await newKey('other.example'), 0))).toBe(404);
    expect((await witness.get('/add-checkpoint')).status).toBe(404);
    expect((await witness.get(monitoringPath('other.example'))).status).toBe(404);
    expect((await fetch(`${await witness.address}/sign-subtree`, { method: 'POST', body: 'x' })).status).toBe(404);
  });

  refusal('403: no signature of a known key, or a wrong one beside a right one', async () => {
    expect(await refused(await tree.request(await newKey(ORIGIN), 10))).toBe(403);
    const note = await tree.note(key);
    const other = parseNote(Buffer.from(await tree.note(key, 19))).signatures[0]!;
    const wrong = `— ${ORIGIN} ${formatBase64(Uint8Array.from([...other.keyId, ...other.signature]))}\n`;
    const proof = await tree.proof(10);
    expect(await refused(formatRequest(10, proof, `${note}${wrong}`))).toBe(403);
    expect(await refused(formatRequest(10, proof, `${textOf(note)}\n${wrong}`))).toBe(403);
  });

  refusal('400 before 409: an old size beyond the checkpoint', async () => {
    expect(await refused(formatRequest(21, [], await tree.note(key)))).toBe(400);
  });

  refusal('409: another old size, with the size', async () => {
    for (const old of [0, 9, 11]) {
      const { status, text, headers } = await witness.submit(await tree.request(key, old));
      expect([old, status, text]).toEqual([old, 409, '10\n']);
      expect(headers.get('content-type')).toBe('text/x.tlog.size');
    }
    expect(await refused(await tree.request(key, 5, 8))).toBe(409);
  });

  refusal('422: a fork, a wrong, short, long or missing proof, another root of the same size', async () => {
    const fork = tree.fork(8).grow(12);
    const note = await tree.note(key);
    const proof = await tree.proof(10);
    for (const body of [
      await fork.request(key, 10),
      await fork.request(key, 10, 10),
      formatRequest(10, await fork.proof(10), note),
      formatRequest(10, proof.slice(1), note),
      formatRequest(10, proof.slice(0, -1), note),
      formatRequest(10, [...proof, proof[0]!], note),
      formatRequest(10, [], note),
      formatRequest(10, proof, await tree.note(key, 10)),
    ])
      expect(await refused(body)).toBe(422);
  });

  refusal(
    'what the log has signed and the witness refuses is written down; a forged one is not, nor the key',
    async () => {
      const note = await tree.fork(8).grow(12).note(key);
      await refused(formatRequest(10, await tree.proof(10), note));
      await refused(await tree.request(key, 7));
      await refused(await tree.request(await newKey(ORIGIN), 10));
      const lines = witness.output.split('\n').filter((line) => line.includes('"refused"'));
      expect(lines.map((line) => JSON.parse(line))).toEqual([
        expect.objectContaining({ refused: 422, origin: ORIGIN, old: 10, size: 20, note }),
        expect.objectContaining({ refused: 409, origin: ORIGIN, old: 7, size: 20 }),
      ]);
      const secret = (await readFile(inFolder('key'), 'utf8')).trim().split('+').at(-1)!;
      expect(witness.output).not.toContain(secret);
    },
  );

  refusal('400: whatever is not written as it must be', async () => {
    const note = await tree.note(key);
    const [proof, hash] = [await tree.proof(10), (await tree.proof(10))[0]!];
    const good = formatRequest(10, proof, note);
    const signed = (text: string) => formatRequest(10, proof, signNote(key, text));
    const [, , root] = note.split('\n');
    for (const [name, body] of Object.entries({
      empty: '',
      'no old size': good.slice(good.indexOf('\n') + 1),
      'leading zero': formatRequest('010', proof, note),
      'a sign': formatRequest('+10', proof, note),
      'a minus': formatRequest('-0', [], note),
      'two spaces': formatRequest(' 10', proof, note),
      'an old size beyond 2^53-1': formatRequest('9007199254740992', proof, note),
      CR: good.replaceAll('\n', '\r\n'),
      tab: good.replace('old ', 'old\t'),
      NUL: good.replace(ORIGIN, `${ORIGIN}\0`),
      'no newline at the end': good.slice(0, -1),
      'an empty line more at the end': `${good}\n`,
      'no empty line before the checkpoint': good.replace('\n\n', '\n'),
      '64 proof lines': formatRequest(
        10,
        Array.from({ length: 64 }, () => hash),
        note,
      ),
      'base64 without its padding': formatRequest(10, [hash.slice(0, -1)], note),
      'base64 with stray bits': formatRequest(10, [`${hash.slice(0, -2)}${hash.at(-2) === 'B' ? 'C' : 'B'}=`], note),
      'base64 for addresses': formatRequest(10, [`-_${hash.slice(2)}`], note),
      'a short hash': formatRequest(10, [hash.slice(4)], note),
      'no signature': good.slice(0, good.lastIndexOf('—')),
      'a signature that is no base64': `${good.slice(0, -3)}!!\n`,
      'a signature of four bytes': `${good}— a.example AAAAAA==\n`,
      'a hyphen for a dash': good.replace('—', '-'),
      'a size with a leading zero': signed(`${ORIGIN}\n020\n${root}\n`),
      'a size beyond 2^53-1': signed(`${ORIGIN}\n9007199254740992\n${root}\n`),
      'a size of 20 digits': signed(`${ORIGIN}\n18446744073709551615\n${root}\n`),
      'a short root': signed(`${ORIGIN}\n20\n${root!.slice(4)}\n`),
      'no root': signed(`${ORIGIN}\n20\n`),
      'an empty line in the text': signed(`${ORIGIN}\n20\n${root}\n\nmore\n`),
    }))
      expect([name, await refused(body)]).toEqual([name, 400]);
    expect(await refused(Uint8Array.from([...Buffer.from(good), 0xff]))).toBe(400);
  });

  refusal('413, and garbage of any length', async () => {
    expect(await refused('old 0\n'.repeat(44_000))).toBe(413);
    for (const length of [1, 100, 60_000]) expect(await refused(Uint8Array.from(randomBytes(length)))).toBe(400);
    const socket = connect(Number(new URL(await witness.address).port), '127.0.0.1');
    socket.on('error', () => {});
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.resume().end(randomBytes(5000));
    await closed;
  });

  refusal(
    '408: a request that takes longer than ten seconds',
    async () => {
      const port = Number(new URL(await witness.address).port);
      const began = Date.now();
      const slow = request({ port, host: '127.0.0.1', path: '/add-checkpoint', method: 'POST' });
      const answered = new Promise((resolve) => slow.on('response', ({ statusCode }) => resolve(statusCode)));
      slow.on('error', () => {});
      slow.write('old ');
      expect(await answered).toBe(408);
      expect(Date.now() - began).toBeGreaterThan(9_000);
    },
    20_000,
  );

  refusal('503 with Retry-After beyond 100 that wait', async () => {
    const port = Number(new URL(await witness.address).port);
    const slow = Array.from({ length: 100 }, () => {
      const waiting = request({ port, host: '127.0.0.1', path: '/add-checkpoint', method: 'POST', agent: false });
      waiting.on('error', () => {});
      waiting.write('old ');
      return waiting;
    });
    const body = await tree.request(key, 7);
    await expect.poll(async () => (await witness.submit(body)).status, { timeout: 5000 }).toBe(503);
    expect((await witness.submit(body)).headers.get('retry-after')).toBe('1');
    for (const waiting of slow) waiting.destroy();
    await expect.poll(async () => (await witness.submit(body)).status, { timeout: 5000 }).toBe(409);
  });
});

test('an empty tree has the root of nothing, and what extends nothing needs no proof', async () => {
  const wrong = signNote(key, `${ORIGIN}\n0\n${formatBase64(await new ForkingTree().grow(1).root())}\n`);
  expect((await witness.submit(formatRequest(0, [], wrong))).status).toBe(422);
  expect((await witness.submit(formatRequest(0, [EMPTY_ROOT], await new ForkingTree().note(key)))).status).toBe(422);
  const tree = new ForkingTree().grow(3);
  expect((await witness.submit(formatRequest(0, await tree.proof(1), await tree.note(key)))).status).toBe(422);
  expect((await witness.submit(formatRequest(0, [], await new ForkingTree().note(key)))).status).toBe(200);
});

test('a proof of another size than the one signed proves nothing', async () => {
  const tree = new ForkingTree().grow(16);
  await witness.submit(await tree.request(key, 0, 8));
  for (const size of [17, 20, 32, 2 ** 40]) {
    const lie = signNote(key, `${ORIGIN}\n${size}\n${formatBase64(await tree.root())}\n`);
    expect((await witness.submit(formatRequest(8, await tree.proof(8), lie))).status).toBe(422);
  }
  expect((await witness.submit(await tree.request(key, 8))).status).toBe(200);
});

test('sizes up to 2^53-1 are taken', async () => {
  const root = formatBase64(Uint8Array.from(randomBytes(32)));
  const note = signNote(key, `${ORIGIN}\n9007199254740991\n${root}\n`);
  expect((await witness.submit(formatRequest(0, [], note))).status).toBe(200);
  expect((await witness.submit(formatRequest('9007199254740991', [], note))).status).toBe(200);
});

describe('what it shows', () => {
  test('metrics, name, key and logs, to every origin of a browser', async () => {
    const tree = new ForkingTree().grow(12);
    await witness.submit(await tree.request(key, 0));
    await witness.submit(await tree.request(key, 3));
    const metrics = await witness.get('/metrics');
    expect(metrics.headers.get('access-control-allow-origin')).toBe('*');
    const text = await metrics.text();
    expect(text).toContain('witness_cosigned_total 1\n');
    expect(text).toContain('witness_refused_total{status="409"} 1\n');
    expect(text).toContain(`witness_log_size{origin="${ORIGIN}"} 12\n`);
    expect(text).toMatch(/witness_log_time_seconds\{origin="log.example\/1"\} \d{10}\n/);
    const about = await (await witness.get('/')).text();
    expect(about).toContain(`${WITNESS_NAME}: a witness`);
    expect(about).toContain(vkey);
    expect(about).toContain(ORIGIN);
    expect((await witness.get(monitoringPath(ORIGIN))).headers.get('access-control-allow-origin')).toBe('*');
  });

  test('all of it below a prefix', async () => {
    await witness.stop();
    await writeSettings(folder, [key.verifier], ['prefix /a/w1']);
    witness = start();
    expect((await witness.submit(await new ForkingTree().grow(1).request(key, 0))).status).toBe(404);
    expect((await witness.submit(await new ForkingTree().grow(1).request(key, 0), '/a/w1')).status).toBe(200);
    expect((await witness.get(`/a/w1${monitoringPath(ORIGIN)}`)).status).toBe(200);
    expect((await witness.get('/a/w1/metrics')).status).toBe(200);
  });
});

describe('its memory', () => {
  const tree = new ForkingTree().grow(50);

  test('outlives SIGTERM and kill -9', async () => {
    for (const [at, signal] of (['SIGTERM', 'SIGKILL', 'SIGINT', 'SIGKILL'] as const).entries()) {
      expect((await witness.submit(await tree.request(key, at * 10, at * 10 + 10))).status).toBe(200);
      const before = await head();
      const { code } = await witness.stop(signal);
      expect(code).toBe(signal === 'SIGKILL' ? null : 0);
      witness = start();
      expect(await head()).toBe(before);
      expect(
        (
          await witness.submit(
            await tree
              .fork(5)
              .grow(60)
              .request(key, at * 10 + 10),
          )
        ).status,
      ).toBe(422);
    }
  });

  test('SIGTERM finishes the request at hand', async () => {
    const port = Number(new URL(await witness.address).port);
    const body = await tree.request(key, 0, 10);
    const headers = { 'content-length': Buffer.byteLength(body) };
    const slow = request({ port, host: '127.0.0.1', path: '/add-checkpoint', method: 'POST', headers });
    const answered = new Promise((resolve) => slow.on('response', ({ statusCode }) => resolve(statusCode)));
    slow.write(body.slice(0, 10));
    // The head of the request has arrived when the next one, on another connection, is answered.
    await new Promise((resolve) => slow.on('socket', (socket) => socket.on('connect', resolve)));
    await witness.get('/');
    const ended = witness.stop('SIGTERM');
    slow.end(body.slice(10));
    expect(await answered).toBe(200);
    expect((await ended).code).toBe(0);
  });

  test('a clock that is set back takes no cosignature back', async () => {
    const first = await witness.submit(await tree.request(key, 0, 10));
    const time = cosignedAt(first.text, textOf(await tree.note(key, 10)), vkey);
    await witness.stop();
    const env = { STOPPED_AT: String(Date.parse('2020-01-01T00:00:00Z')) };
    witness = start({ node: ['--import', STOPPED_CLOCK], env });
    const second = await witness.submit(await tree.request(key, 10, 20));
    expect(time).toBeGreaterThan(1_600_000_000);
    expect(cosignedAt(second.text, textOf(await tree.note(key, 20)), vkey)).toBe(time);
  });

  test('damaged in any byte, emptied, missing or of another key: no start, and it is left as it is', async () => {
    await witness.submit(await tree.request(key, 0, 10));
    await witness.stop();
    const good = await readFile(inFolder('state'));
    const damaged: Buffer[] = [Buffer.alloc(0), Buffer.from('{}'), good.subarray(0, -1), good.subarray(0, 100)];
    for (let at = 0; at < good.length; at += Math.ceil(good.length / 12)) {
      const flipped = Buffer.from(good);
      flipped[at]! ^= 1;
      damaged.push(flipped);
    }
    for (const bytes of damaged) {
      await writeFile(inFolder('state'), bytes);
      const { code, errors } = await start().ended;
      expect([code, errors]).toEqual([2, expect.stringMatching(/^state: .* is (damaged|of another key)/)]);
      expect(await readFile(inFolder('state'))).toEqual(bytes);
    }
    await rm(inFolder('state'));
    expect(await start().ended).toMatchObject({ code: 2, errors: expect.stringContaining('is missing') });
    await writeFile(inFolder('state'), good);
    await rename(inFolder('key'), inFolder('old-key'));
    await runWitness('--new-key', WITNESS_NAME, inFolder('key'));
    expect(await start().ended).toMatchObject({ code: 2, errors: expect.stringContaining('of another key') });
    await rm(inFolder('state'));
    witness = start();
    expect(await head()).toBe('');
  });

  test('a state that cannot be written gives no cosignature, and the next request has it', async () => {
    await witness.submit(await tree.request(key, 0, 10));
    // A folder in the place of the new file: writing it fails.
    await mkdir(inFolder('state.new'));
    const { status, headers } = await witness.submit(await tree.request(key, 10, 20));
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect(await head()).toContain(`${ORIGIN}\n10\n`);
    await rm(inFolder('state.new'), { recursive: true });
    expect((await witness.submit(await tree.request(key, 10, 20))).status).toBe(200);
  });

  test('of two processes with one state the second does not start; when the first is gone it does', async () => {
    await witness.address;
    expect(await start().ended).toMatchObject({ code: 2, errors: expect.stringContaining('another witness runs') });
    const many = Array.from({ length: 4 }, () => start());
    for (const one of many) expect((await one.ended).code).toBe(2);
    await witness.stop('SIGKILL');
    const both = [start(), start(), start()];
    const codes = await Promise.all(
      both.map((one) => Promise.race([one.address.then(() => 'runs'), one.ended.then(({ code }) => code)])),
    );
    expect(codes.filter((code) => code === 'runs')).toHaveLength(1);
  });

  test('one that somebody else has written, on another machine, ends it without an answer', async () => {
    await witness.submit(await tree.request(key, 0, 10));
    const old = await readFile(inFolder('state'));
    await witness.submit(await tree.request(key, 10, 20));
    await writeFile(inFolder('state'), old);
    await expect(witness.submit(await tree.request(key, 20, 30))).rejects.toThrow('fetch failed');
    expect(await witness.ended).toMatchObject({ code: 1, errors: expect.stringContaining('another witness') });
    expect(await readFile(inFolder('state'))).toEqual(old);
  });
});

test('1,000 forks and rewinds, of a log restored from yesterday and of two publishers with one key: none is cosigned', async () => {
  const pick = (upTo: number) => Math.floor(Math.random() * (upTo + 1));
  const honest = new ForkingTree().grow(30);
  expect((await witness.submit(await honest.request(key, 0))).status).toBe(200);
  const statuses = new Map<number, number>();
  for (let round = 0; round < 1000; round += 1) {
    const signed = honest.size;
    // Yesterday's backup lacks some entries; a second publisher lacks those that the first one signed since.
    const other = honest.fork(signed - 1 - pick(Math.min(20, signed - 1))).grow(1 + pick(40));
    const old = [signed, signed, other.size, 0, pick(signed)][round % 5] ?? 0;
    const shown = pick(1) === 0 ? other.size : pick(other.size);
    const proof = round % 3 === 0 ? await honest.proof(signed, signed) : await other.proof(Math.min(old, shown), shown);
    const { status } = await witness.submit(formatRequest(old, proof, await other.note(key, shown)));
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (round % 10 === 0) {
      honest.grow(1 + pick(3));
      expect((await witness.submit(await honest.request(key, signed))).status).toBe(200);
    }
  }
  expect(statuses.get(200) ?? 0).toBe(0);
  expect([...statuses.keys()].toSorted()).toEqual([400, 409, 422]);
}, 120_000);

describe('settings', () => {
  const settings = (text: string) => writeFile(inFolder('witness.conf'), text);
  const log = () => `log ${formatVerifierKey(key.verifier)}\n`;

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
    ['log', () => `key key\nstate state\nlisten 127.0.0.1:0\nlog ${vkey}\n`],
    ['log', () => `key key\nstate state\nlisten 127.0.0.1:0\n${log().replace('+A', '+B')}`],
    ['colour', () => `key key\nstate state\nlisten 127.0.0.1:0\ncolour red\n${log()}`],
  ])('a bad or missing %s ends the start with a sentence that names it', async (name, text) => {
    await witness.stop();
    await settings(text());
    const { code, errors } = await start().ended;
    expect([code, errors]).toEqual([2, expect.stringMatching(new RegExp(`^${name}: [^\n]+\\.\n$`))]);
  });

  test('a new key is nobody else’s to read, and is never written over', async () => {
    expect(vkey).toMatch(/^witness\.example\/w1\+[0-9a-f]{8}\+B/);
    expect((await stat(inFolder('key'))).mode & 0o777).toBe(0o600);
    const before = await readFile(inFolder('key'), 'utf8');
    expect(before).toMatch(/^PRIVATE\+KEY\+witness\.example\/w1\+[0-9a-f]{8}\+B[A-Za-z0-9+/]{43}\n$/);
    expect(await runWitness('--new-key', 'other', inFolder('key'))).toMatchObject({ code: 2, output: '' });
    expect(await readFile(inFolder('key'), 'utf8')).toBe(before);
    for (const name of ['', 'a b', 'a+b']) expect((await runWitness('--new-key', name, inFolder('new'))).code).toBe(2);
    expect((await runWitness()).code).toBe(2);
  });
});
