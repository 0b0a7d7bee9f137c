// Holds the scripted witness to its script: a test that believes it is slow, wrong or silent must be right.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { expectConflict, expectCosigned, reply, type Reply } from './conformance-case.ts';
import { makeLog } from './conformance-log.ts';
import { type ScriptedAnswer, type ScriptedWitness, startScriptedWitness } from './scripted-witness.ts';
import { cosignatureTime, isSignedBy, parseSignatureLines, parseVkey, WITNESS_KEY } from './signed-note.ts';

const log = makeLog('scripted.example/log');
const submitted = log.request(5, 8);
const NAME = 'scripted.example/witness';
let witness: ScriptedWitness;

beforeEach(async () => {
  witness = await startScriptedWitness({ name: NAME });
});
afterEach(() => witness.stop());

describe('what it cosigns', () => {
  test('is right unless the test says otherwise', async () => {
    expectCosignedBy(await send());
    witness.next({ kind: 'cosignature', among: 16 });
    const given = await send();
    expectCosignedBy(given);
    expect(parseSignatureLines(given.body)?.lines).toHaveLength(17);
  });

  test.each([0n, 4_000_000_000n, 2n ** 63n - 1n])('carries the time %s', async (time) => {
    witness.next({ kind: 'cosignature', time });
    expect(await cosigned(log.text(8))).toEqual({ isNamed: true, time });
  });

  test('is a valid cosignature over another root', async () => {
    witness.next({ kind: 'cosignature', wrong: 'root' });
    const { body } = await send();
    const signature = parseSignatureLines(body)!.signatures[0]!;
    const key = parseVkey(witness.vkey, WITNESS_KEY);
    expect(isSignedBy(key, signature)).toBe(true);
    expect(cosignatureTime(key, log.text(8), signature)).toBeUndefined();
    const otherRoot = createHash('sha256').update('another root').digest();
    expect(cosignatureTime(key, log.text(8, { root: otherRoot }), signature)).toBeGreaterThan(0n);
  });

  test('stands under a wrong name', async () => {
    witness.next({ kind: 'cosignature', wrong: 'name' });
    expect(await cosigned(log.text(8))).toEqual({ isNamed: false, time: expect.any(BigInt) });
  });

  test('is of another key, under the right name and key ID', async () => {
    witness.next({ kind: 'cosignature', wrong: 'key' });
    expect(await cosigned(log.text(8))).toEqual({ isNamed: true, time: undefined });
  });
});

describe('what it answers', () => {
  test('is the status, body and headers of the script, one for each request in turn', async () => {
    witness.next(
      { kind: 'status', status: 503, body: 'later', headers: { 'Retry-After': '7' } },
      { kind: 'conflict', size: 2n ** 60n },
      { kind: 'redirect', to: 'http://elsewhere.example/' },
    );
    const first = await post();
    expect([first.status, first.headers.get('retry-after'), await first.text()]).toEqual([503, '7', 'later']);
    expectConflict(await send(), 2n ** 60n);
    const third = await post();
    expect([third.status, third.headers.get('location')]).toEqual([307, 'http://elsewhere.example/']);
    expectCosignedBy(await send());
  });

  test('goes round for ever', async () => {
    witness.always({ kind: 'conflict', size: 3 }, { kind: 'conflict', size: 5 });
    const sizes: string[] = [];
    for (let count = 0; count < 5; count++) sizes.push((await send()).body);
    expect(sizes).toEqual(['3\n', '5\n', '3\n', '5\n', '3\n']);
  });

  test('comes late', async () => {
    witness.next({ kind: 'slow', ms: 150, answer: { kind: 'status', status: 418 } });
    const start = performance.now();
    expect((await post()).status).toBe(418);
    expect(performance.now() - start).toBeGreaterThanOrEqual(149);
  });

  test('never comes', async () => {
    witness.next({ kind: 'hang' });
    const sent = post().catch(() => 'no answer');
    await witness.received(1);
    await witness.stop();
    expect(await sent).toBe('no answer');
  });

  test.each([
    ['reset', 'ECONNRESET'],
    ['garbage', 'HPE_INVALID_CONSTANT'],
  ] satisfies [ScriptedAnswer['kind'], string][])('is a %s', async (kind, code) => {
    witness.next({ kind });
    await expect(rawStatus()).rejects.toMatchObject({ code });
  });

  test('is no UTF-8', async () => {
    witness.next({ kind: 'garbage-body' });
    const bytes = await (await post()).arrayBuffer();
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toThrow();
  });

  test.each([{ kind: 'endless' }, { kind: 'drip', everyMs: 1 }] satisfies ScriptedAnswer[])(
    'has no end: $kind',
    async (answer) => {
      witness.next(answer);
      const { body } = await post();
      let chunks = 0;
      for await (const _ of body!) if (++chunks === 20) break;
      expect(chunks).toBe(20);
    },
  );

  test('is cut off in its middle', async () => {
    witness.next({ kind: 'cut' });
    const response = await post();
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });
});

test('it records each request as it came', async () => {
  const before = new Date();
  await send();
  await fetch(`${witness.url}/other`, { headers: { 'X-Given': 'one' } });
  const [first, second] = witness.requests;
  expect(first).toMatchObject({ method: 'POST', path: '/add-checkpoint', body: submitted });
  expect(first?.at.getTime()).toBeGreaterThanOrEqual(before.getTime());
  expect(second).toMatchObject({ method: 'GET', path: '/other', body: '' });
  expect(second?.headers.get('x-given')).toBe('one');
});

// The process of a test must end by itself, whatever still waited.
test('it keeps no process alive after it stopped', async () => {
  const program = `
    import { startScriptedWitness } from './scripted-witness.ts';
    const witness = await startScriptedWitness({ name: 'exit.example' });
    const answers = [{ kind: 'hang' }, { kind: 'endless' }, { kind: 'drip', everyMs: 1 }, { kind: 'reset' },
      { kind: 'slow', ms: 600_000, answer: { kind: 'hang' } }];
    witness.next(...answers);
    for (const _ of answers) fetch(witness.url, { method: 'POST', body: 'a' }).catch(() => undefined);
    await witness.received(answers.length);
    await witness.stop();
    console.log('stopped');
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: path.join(import.meta.dirname),
    timeout: 20_000,
  });
  expect(stdout).toBe('stopped\n');
});

function post(): Promise<Response> {
  return fetch(`${witness.url}/add-checkpoint`, { method: 'POST', body: submitted, redirect: 'manual' });
}

async function send(): Promise<Reply> {
  return reply(await post());
}

function expectCosignedBy(given: Reply): void {
  const restart = (): Promise<never> => Promise.reject(new Error('This one does not start again.'));
  expectCosigned({ ...witness, restart }, log.text(8), given);
}

// Whether the line has the name and ID of the witness, and the time for which its key signed the text.
async function cosigned(text: string): Promise<{ isNamed: boolean; time: bigint | undefined }> {
  const signature = parseSignatureLines((await send()).body)!.signatures[0]!;
  const key = parseVkey(witness.vkey, WITNESS_KEY);
  return { isNamed: isSignedBy(key, signature), time: cosignatureTime(key, text, signature) };
}

function rawStatus(): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(`${witness.url}/add-checkpoint`, { method: 'POST' }, (response) =>
      resolve(response.statusCode),
    );
    sent.on('error', reject);
    sent.end(submitted);
  });
}
