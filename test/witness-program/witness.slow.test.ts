// commands/witness.ts as a process: every answer of c2sp.org/tlog-witness.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { formatBase64, parseUtf8 } from '#app/tlog/bytes.ts';
import { parseNote } from '#app/tlog/signed-note.ts';
import { signNote } from '#app/tlog/sign-note.server.ts';
import { newKey, publish, someEntries } from '#test/small-log.ts';
import { cosignedAt, textOf } from './cosignature.ts';
import { ForkingTree, formatRequest } from './forking-tree.ts';
import { ORIGIN, ownWitness } from './own-witness.ts';
import { monitoringPath, WITNESS_NAME, writeSettings } from './witness-process.ts';

const EMPTY_ROOT = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';
const own = await ownWitness();

describe('cosigning', () => {
  test('a tree that grows is cosigned at each size, and shown with both signatures', async () => {
    const tree = new ForkingTree();
    expect((await own.witness.get(monitoringPath(ORIGIN))).status).toBe(404);
    let [old, before] = [0, 0];
    for (const size of [0, 1, 2, 3, 4, 7, 8, 9, 255, 256, 257, 257, 600]) {
      const note = await tree.grow(size - tree.size).note(own.key);
      const { status, text } = await own.witness.submit(formatRequest(old, await tree.proof(old), note));
      expect([size, status]).toEqual([size, 200]);
      const time = cosignedAt(text, textOf(note), own.vkey) ?? 0;
      expect(Math.abs(time - Date.now() / 1000)).toBeLessThan(60);
      expect(time).toBeGreaterThanOrEqual(before);
      expect(await own.head()).toBe(`${note}${text}`);
      [old, before] = [size, time];
    }
  });

  test('a log as the registry publishes it is cosigned', async () => {
    const small = await publish(await someEntries(300, 5), own.key);
    const note = parseUtf8(small.files.get('checkpoint')!);
    expect((await own.witness.submit(formatRequest(0, [], note))).status).toBe(200);
  });

  test('several keys of one log, an extension line, and signatures of strangers', async () => {
    const second = await newKey(ORIGIN);
    await writeSettings(own.folder, [own.key.verifier, second.verifier]);
    await own.witness.stop();
    own.witness = own.start();
    const tree = new ForkingTree().grow(5);
    const note = await tree.note(second, 5, ['an extension']);
    const stranger = (await tree.note(await newKey('stranger.example'), 5)).split('\n\n')[1];
    const sameName = (await tree.note(await newKey(ORIGIN), 5)).split('\n\n')[1];
    const { status, text } = await own.witness.submit(formatRequest(0, [], `${note}${stranger}${sameName}`));
    expect(status).toBe(200);
    expect(cosignedAt(text, textOf(note), own.vkey)).toBeDefined();
    // Only what was verified is shown.
    expect(await own.head()).toBe(`${note}${text}`);
    expect((await own.witness.submit(await tree.grow(1).request(own.key, 5))).status).toBe(200);
  });

  test('a witness asked by many at once signs one line of trees', async () => {
    const tree = new ForkingTree().grow(40);
    await own.witness.submit(await tree.request(own.key, 0, 1));
    const answers = await Promise.all(
      Array.from({ length: 39 }, async (_, at) => own.witness.submit(await tree.request(own.key, 1, at + 2))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(38);
  });
});

describe('refusals', () => {
  const tree = new ForkingTree().grow(20);
  const refused = async (body: string | Uint8Array<ArrayBuffer>) => (await own.witness.submit(body)).status;
  // Each begins with a tree of ten that is signed, and must leave it so.
  const refusal = (name: string, body: () => Promise<void>, within = 30_000) =>
    test(
      name,
      async () => {
        expect((await own.witness.submit(await tree.request(own.key, 0, 10))).status).toBe(200);
        await body();
        expect(await own.head()).toContain(`${ORIGIN}\n10\n`);
        expect((await own.witness.submit(await tree.request(own.key, 10, 20))).status).toBe(200);
      },
      within,
    );

  refusal('404: another log, another place', async () => {
    expect(await refused(await tree.request(await newKey('other.example'), 0))).toBe(404);
    expect((await own.witness.get('/add-checkpoint')).status).toBe(404);
    expect((await own.witness.get(monitoringPath('other.example'))).status).toBe(404);
    expect((await fetch(`${await own.witness.address}/sign-subtree`, { method: 'POST', body: 'x' })).status).toBe(404);
  });

  refusal('403: no signature of a known own.key, or a wrong one beside a right one', async () => {
    expect(await refused(await tree.request(await newKey(ORIGIN), 10))).toBe(403);
    const note = await tree.note(own.key);
    const other = parseNote(Buffer.from(await tree.note(own.key, 19))).signatures[0]!;
    const wrong = `— ${ORIGIN} ${formatBase64(Uint8Array.from([...other.keyId, ...other.signature]))}\n`;
    const proof = await tree.proof(10);
    expect(await refused(formatRequest(10, proof, `${note}${wrong}`))).toBe(403);
    expect(await refused(formatRequest(10, proof, `${textOf(note)}\n${wrong}`))).toBe(403);
  });

  refusal('400 before 409: an old size beyond the checkpoint', async () => {
    expect(await refused(formatRequest(21, [], await tree.note(own.key)))).toBe(400);
  });

  refusal('409: another old size, with the size', async () => {
    for (const old of [0, 9, 11]) {
      const { status, text, headers } = await own.witness.submit(await tree.request(own.key, old));
      expect([old, status, text]).toEqual([old, 409, '10\n']);
      expect(headers.get('content-type')).toBe('text/x.tlog.size');
    }
    expect(await refused(await tree.request(own.key, 5, 8))).toBe(409);
  });

  refusal('422: a fork, a wrong, short, long or missing proof; 409: another root of the same size', async () => {
    const fork = tree.fork(8).grow(12);
    const note = await tree.note(own.key);
    const proof = await tree.proof(10);
    expect(await refused(await fork.request(own.key, 10, 10))).toBe(409);
    for (const body of [
      await fork.request(own.key, 10),
      formatRequest(10, await fork.proof(10), note),
      formatRequest(10, proof.slice(1), note),
      formatRequest(10, proof.slice(0, -1), note),
      formatRequest(10, [...proof, proof[0]!], note),
      formatRequest(10, [], note),
      formatRequest(10, proof, await tree.note(own.key, 10)),
    ])
      expect(await refused(body)).toBe(422);
  });

  refusal(
    'what the log has signed and the witness refuses is written down; a forged one is not, nor the key',
    async () => {
      const note = await tree.fork(8).grow(12).note(own.key);
      await refused(formatRequest(10, await tree.proof(10), note));
      await refused(await tree.request(own.key, 7));
      await refused(await tree.request(await newKey(ORIGIN), 10));
      const lines = own.witness.output.split('\n').filter((line) => line.includes('"refused"'));
      expect(lines.map((line) => JSON.parse(line))).toEqual([
        expect.objectContaining({ refused: 422, origin: ORIGIN, old: 10, size: 20, note }),
        expect.objectContaining({ refused: 409, origin: ORIGIN, old: 7, size: 20 }),
      ]);
      // PRIVATE+KEY+name+hash+secret, whose base64 may hold a + as well.
      const secret = (await readFile(own.inFolder('key'), 'utf8')).trim().split('+').slice(4).join('+');
      expect(secret).toMatch(/^[\w+/]{40,}=*$/);
      expect(own.witness.output).not.toContain(secret);
    },
  );

  refusal('400: whatever is not written as it must be', async () => {
    const note = await tree.note(own.key);
    const [proof, hash] = [await tree.proof(10), (await tree.proof(10))[0]!];
    const good = formatRequest(10, proof, note);
    const signed = (text: string) => formatRequest(10, proof, signNote(own.key, text));
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
    const socket = connect(Number(new URL(await own.witness.address).port), '127.0.0.1');
    socket.on('error', () => {});
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.resume().end(randomBytes(5000));
    await closed;
  });

  refusal(
    '408: a request that takes longer than ten seconds',
    async () => {
      const port = Number(new URL(await own.witness.address).port);
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
    const port = Number(new URL(await own.witness.address).port);
    const slow = Array.from({ length: 100 }, () => {
      const waiting = request({ port, host: '127.0.0.1', path: '/add-checkpoint', method: 'POST', agent: false });
      waiting.on('error', () => {});
      waiting.write('old ');
      return waiting;
    });
    const body = await tree.request(own.key, 7);
    await expect.poll(async () => (await own.witness.submit(body)).status, { timeout: 5000 }).toBe(503);
    expect((await own.witness.submit(body)).headers.get('retry-after')).toBe('1');
    for (const waiting of slow) waiting.destroy();
    await expect.poll(async () => (await own.witness.submit(body)).status, { timeout: 5000 }).toBe(409);
  });
});

test('an empty tree has the root of nothing, and what extends nothing needs no proof', async () => {
  const wrong = signNote(own.key, `${ORIGIN}\n0\n${formatBase64(await new ForkingTree().grow(1).root())}\n`);
  expect((await own.witness.submit(formatRequest(0, [], wrong))).status).toBe(409);
  expect((await own.witness.submit(formatRequest(0, [EMPTY_ROOT], await new ForkingTree().note(own.key)))).status).toBe(
    422,
  );
  const tree = new ForkingTree().grow(3);
  expect((await own.witness.submit(formatRequest(0, await tree.proof(1), await tree.note(own.key)))).status).toBe(422);
  expect((await own.witness.submit(formatRequest(0, [], await new ForkingTree().note(own.key)))).status).toBe(200);
});

test('a proof of another size than the one signed proves nothing', async () => {
  const tree = new ForkingTree().grow(16);
  await own.witness.submit(await tree.request(own.key, 0, 8));
  for (const size of [17, 20, 32, 2 ** 40]) {
    const lie = signNote(own.key, `${ORIGIN}\n${size}\n${formatBase64(await tree.root())}\n`);
    expect((await own.witness.submit(formatRequest(8, await tree.proof(8), lie))).status).toBe(422);
  }
  expect((await own.witness.submit(await tree.request(own.key, 8))).status).toBe(200);
});

test('sizes up to 2^53-1 are taken', async () => {
  const root = formatBase64(Uint8Array.from(randomBytes(32)));
  const note = signNote(own.key, `${ORIGIN}\n9007199254740991\n${root}\n`);
  expect((await own.witness.submit(formatRequest(0, [], note))).status).toBe(200);
  expect((await own.witness.submit(formatRequest('9007199254740991', [], note))).status).toBe(200);
});

describe('what it shows', () => {
  test('metrics, name, key and logs, to every origin of a browser', async () => {
    const tree = new ForkingTree().grow(12);
    await own.witness.submit(await tree.request(own.key, 0));
    await own.witness.submit(await tree.request(own.key, 3));
    const metrics = await own.witness.get('/metrics');
    expect(metrics.headers.get('access-control-allow-origin')).toBe('*');
    const text = await metrics.text();
    expect(text).toContain('witness_cosigned_total 1\n');
    expect(text).toContain('witness_refused_total{status="409"} 1\n');
    expect(text).toContain(`witness_log_size{origin="${ORIGIN}"} 12\n`);
    expect(text).toMatch(/witness_log_time_seconds\{origin="log.example\/1"\} \d{10}\n/);
    const about = await (await own.witness.get('/')).text();
    expect(about).toContain(`${WITNESS_NAME}: a witness`);
    expect(about).toContain(own.vkey);
    expect(about).toContain(ORIGIN);
    expect((await own.witness.get(monitoringPath(ORIGIN))).headers.get('access-control-allow-origin')).toBe('*');
  });

  test('all of it below a prefix', async () => {
    await own.witness.stop();
    await writeSettings(own.folder, [own.key.verifier], ['prefix /a/w1']);
    own.witness = own.start();
    expect((await own.witness.submit(await new ForkingTree().grow(1).request(own.key, 0))).status).toBe(404);
    expect((await own.witness.submit(await new ForkingTree().grow(1).request(own.key, 0), '/a/w1')).status).toBe(200);
    expect((await own.witness.get(`/a/w1${monitoringPath(ORIGIN)}`)).status).toBe(200);
    expect((await own.witness.get('/a/w1/metrics')).status).toBe(200);
  });
});
