// The mirror follows a log that is served as the registry serves it, alarms at what it must, and keeps a copy that can
// be audited like the log itself.
import { spawn } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { auditLog } from '#app/tlog/audit-log.ts';
import { parseUtf8, utf8 } from '#app/tlog/bytes.ts';
import { formatLeaf } from '#app/tlog/leaf.ts';
import { nodeSha256 } from '#app/tlog/sha256.server.ts';
import { freePort } from '#test/cluster.ts';
import { newKey, someEntries } from '#test/small-log.ts';
import { mirroredLog } from './mirrored-log.ts';

const log = await mirroredLog();
const { own, serve, args, follow, inCopy, audited } = log;
const shortLeaf = (at: string) => formatLeaf({ v: 1, type: 'technician.approved', at, origin: 'recorded', body: {} });

describe('an honest log', () => {
  test('is followed as it grows, whatever its size, and the copy is audited at each', async () => {
    let seen = 0;
    for (const size of [0, 1, 2, 255, 256, 257, 600, 600, 1400]) {
      await serve(log.entries.slice(0, size));
      expect(await follow()).toEqual({
        code: 0,
        words: expect.stringContaining(`All is well: ${size} entries, ${size - seen} of them new`),
      });
      expect(await audited()).toContain(`Proved: the ${size} entries`);
      seen = size;
    }
    // What the copy has is what the log has: nothing more but its own state, and no partial file of a full one.
    const there = (await readdir(log.copy, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
    const names = there.map((one) => path.relative(log.copy, path.join(one.parentPath, one.name)));
    expect(names.toSorted().filter((name) => !/\.p\/\d+$/.test(name))).toEqual(
      ['.mirror.json', ...[...log.files.keys()].filter((name) => !name.includes('.p/'))].toSorted(),
    );
    expect(names.filter((name) => /000\.p|001\.p/.test(name) && !name.startsWith('tile/1/'))).toEqual([]);
    for (const [name, bytes] of log.files) expect(Uint8Array.from(await inCopy(name))).toEqual(bytes);
  });

  test('of more than one tile of tiles is copied and goes on', async () => {
    const many = await someEntries(66_000, 1000);
    await serve(many.slice(0, 65_700));
    expect((await follow()).code).toBe(0);
    await serve(many);
    expect(await follow()).toMatchObject({
      code: 0,
      words: expect.stringContaining('66000 entries, 300 of them new'),
    });
    expect(await audited()).toContain('Proved: the 66000 entries');
  });

  test('that deleted the partial files of full ones is copied all the same', async () => {
    await serve(log.entries.slice(0, 300));
    const old = log.files;
    await serve(log.entries);
    for (const name of ['checkpoint', 'tile/1/000.p/1']) log.files.set(name, old.get(name)!);
    expect(await follow()).toMatchObject({ code: 0, words: expect.stringContaining('300 entries') });
    expect(await audited()).toContain('Proved: the 300 entries');
  });
});

describe('an alarm', () => {
  test.each([
    ['a shortened log', () => log.entries.slice(0, 500), 'the log has 500 entries, and had 600'],
    [
      'an entry that was changed since',
      () => log.entries.with(301, shortLeaf('2026-11-21T00:05:01.000Z')).slice(0, 900),
      'forked or was rewritten',
    ],
    ['another tree of the same size', () => log.entries.toSpliced(599, 1).slice(0, 600), 'forked or was rewritten'],
    [
      'a step back in time',
      () => log.entries.with(700, shortLeaf('2020-01-01T00:00:00.000Z')),
      'earlier than the one before',
    ],
    [
      'an entry left out of a chain',
      () => log.entries.toSpliced(603, 1),
      'does not follow the last entry of its vehicle',
    ],
    ['an entry that is none', () => log.entries.with(700, utf8('hello')), 'entry 700 is no entry of this log'],
  ])('%s: with both notes, to the command too, and the copy stays as it was', async (_name, of, words) => {
    await serve(log.entries.slice(0, 600));
    await follow();
    const [before, was] = [await inCopy('checkpoint'), log.files.get('checkpoint')!];
    await serve(of());
    const { code, words: said } = await follow('--command', `cat > ${own('mail')}`);
    expect([code, said]).toEqual([1, expect.stringContaining(words)]);
    expect(said).toMatch(/^ALARM: /);
    for (const note of [was, log.files.get('checkpoint')!]) expect(said).toContain(parseUtf8(note));
    expect(await readFile(own('mail'), 'utf8')).toBe(said);
    expect(await inCopy('checkpoint')).toEqual(before);
    // It stays an alarm, and the copy is that of the last good tree.
    expect((await follow()).code).toBe(1);
    expect(await audited()).toContain('Proved: the 600 entries');
    await serve(log.entries);
    expect((await follow()).code).toBe(0);
  });

  test('files that are not what was signed, and a gap', async () => {
    await serve(log.entries);
    const good = log.files;
    const flip = (name: string) => {
      const bytes = Uint8Array.from(good.get(name)!);
      bytes[bytes.length - 3]! ^= 1;
      return new Map([...good, [name, bytes] as const]);
    };
    for (const [changed, words] of [
      [flip('tile/entries/002'), 'entry 767 is not the one signed'],
      [flip('tile/0/001'), 'The file tile/0/001 is not what was signed'],
      [flip('tile/1/000.p/5'), 'do not give the root of the signed checkpoint'],
      [
        new Map([...good, ['tile/entries/001', good.get('tile/entries/005.p/120')!] as const]),
        'tile/entries/001 does not hold 256 entries: a gap',
      ],
    ] as const) {
      log.copy = `${log.copy}x`;
      log.files = new Map(changed);
      expect(await follow()).toEqual({ code: 1, words: expect.stringContaining(words) });
    }
    log.files = new Map([...good].filter(([name]) => name !== 'tile/entries/003'));
    expect(await follow()).toEqual({ code: 2, words: expect.stringContaining('tile/entries/003 was answered 404') });
  });

  test('a checkpoint signed by another key; a log that is not there, or a bad argument: could not tell', async () => {
    await serve(log.entries.slice(0, 100), await newKey());
    expect(await follow()).toMatchObject({ code: 1, words: expect.stringContaining('bears no signature of the key') });
    log.files = new Map();
    expect(await follow('--command', `touch ${own('mail')}`)).toMatchObject({
      code: 2,
      words: expect.stringContaining('404'),
    });
    await expect(readFile(own('mail'))).rejects.toThrow('ENOENT');
    for (const more of [['--colour', 'red'], ['--stale', 'x'], ['--every', '5'], ['--policy', own('none')], ['more']])
      expect((await follow(...more)).code).toBe(2);
    await serve(log.entries.slice(0, 100));
    await follow();
    await writeFile(path.join(log.copy, '.mirror.json'), '{');
    expect((await follow()).code).toBe(2);
  });

  test('a log that does not change for longer than it should', async () => {
    await serve(log.entries.slice(0, 10));
    expect((await follow('--stale', '60')).code).toBe(0);
    const state = path.join(log.copy, '.mirror.json');
    const text = await readFile(state, 'utf8');
    await writeFile(
      state,
      text.replace(/"changed":(\d+)/, (_all, at) => `"changed":${Number(at) - 3700}`),
    );
    expect(await follow('--stale', '60')).toMatchObject({
      code: 1,
      words: expect.stringContaining('stale: the log has not'),
    });
    expect((await follow('--stale', '120')).code).toBe(0);
    await serve(log.entries.slice(0, 11));
    expect((await follow('--stale', '60')).code).toBe(0);
  });
});

test('serves the copy and follows on; a second mirror of one folder does not start', async () => {
  await serve(log.entries.slice(0, 100));
  const port = await freePort();
  const alarms = `cat >> ${own('alarms')}`;
  const more = args('--serve', `127.0.0.1:${port}`, '--every', '0.1', '--command', alarms);
  const child = spawn(process.execPath, more, { stdio: 'ignore' });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const get = async (name: string) => fetch(`http://127.0.0.1:${port}/${name}`);
  const size = async () => (await (await get('checkpoint')).text()).split('\n')[1];
  try {
    await expect.poll(() => size().catch(() => undefined), { timeout: 5000 }).toBe('100');
    expect(await follow()).toMatchObject({ code: 2, words: expect.stringContaining('another mirror runs') });
    await serve(log.entries.slice(0, 900));
    await expect.poll(size, { timeout: 5000 }).toBe('900');
    const readServed = async (name: string) => {
      const answer = await get(name);
      return answer.status === 200 ? new Uint8Array(await answer.arrayBuffer()) : undefined;
    };
    const { sentence } = await auditLog({ sha256: nodeSha256, readFile: readServed, key: log.key.verifier });
    expect(sentence).toContain('Proved: the 900 entries');
    expect((await get('checkpoint')).headers.get('access-control-allow-origin')).toBe('*');
    for (const name of ['.mirror.json', '../key', 'tile', 'tile/0', '%2e%2e/key', 'tile/0/../../.mirror.json'])
      expect((await get(name)).status).toBe(404);
    await serve(log.entries.slice(0, 800));
    const told = () => readFileText(own('alarms'));
    await expect.poll(told, { timeout: 5000 }).toContain('ALARM: the log has 800 entries, and had 900');
    await serve(log.entries.slice(0, 1000));
    await expect.poll(size, { timeout: 5000 }).toBe('1000');
    // What stays the same is told once.
    expect((await told()).match(/ALARM/g)).toHaveLength(1);
  } finally {
    child.kill('SIGTERM');
  }
  expect(await ended).toBe(0);
});

const readFileText = (name: string) => readFile(name, 'utf8').catch(() => '');
