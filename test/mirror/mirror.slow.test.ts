// docs/mirror.mjs follows a log that is served as the registry serves it, alarms at what it must, and keeps a copy that can
// be audited like the log itself.
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { auditLog } from '#app/tlog/audit-log.ts';
import { parseUtf8, utf8 } from '#app/tlog/bytes.ts';
import { formatLeaf } from '#app/tlog/leaf.ts';
import { nodeSha256 } from '#app/tlog/sha256.server.ts';
import { formatVerifierKey } from '#app/tlog/signed-note.ts';
import { freePort } from '#test/cluster.ts';
import { newKey, someEntries } from '#test/small-log.ts';
import { runWitness, setUpWitness, WitnessProcess } from '#test/witness-program/witness-process.ts';
import { mirroredLog } from './mirrored-log.ts';

const log = await mirroredLog();
const { own, serve, args, follow, inCopy, audited, newWitnessKey, cosigned } = log;
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
      [flip('tile/0/001'), 'tile/0/001 does not fit the root signed'],
      [flip('tile/1/000.p/5'), 'do not give the root signed'],
      [
        new Map([...good, ['tile/entries/001', good.get('tile/entries/005.p/120')!] as const]),
        '120 entries and not 256: a gap',
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
    expect(await follow()).toMatchObject({ code: 1, words: expect.stringContaining('does not bear the signature') });
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

describe('witnesses', () => {
  const policy = (text: string) => writeFile(own('policy'), text);
  const judged = () => follow('--policy', own('policy'));

  async function witnesses(
    count: number,
  ): Promise<{ vkey: string; cosign: (old: number) => Promise<string>; end: () => void }[]> {
    return Promise.all(
      Array.from({ length: count }, async () => {
        const place = await mkdtemp(path.join(log.folder, 'witness-'));
        const vkey = await setUpWitness(place, [log.key.verifier]);
        const process = new WitnessProcess(place);
        const note = () => parseUtf8(log.files.get('checkpoint')!);
        const cosign = async (old: number) => (await process.submit(`old ${old}\n\n${note()}`)).text;
        return { vkey, cosign, end: () => void process.stop('SIGKILL') };
      }),
    );
  }
  const setWitnessed = (...lines: string[]) =>
    log.files.set('checkpoint.witnessed', utf8(`${parseUtf8(log.files.get('checkpoint')!)}${lines.join('')}`));

  test('the quorum of the policy, as cosigned by docs/witness.mjs', async () => {
    await serve(log.entries.slice(0, 300));
    const three = await witnesses(3);
    const [a = '', b = '', c = ''] = await Promise.all(three.map(({ cosign }) => cosign(0)));
    for (const { end } of three) end();
    const [x, y, z] = three.map(({ vkey }) => vkey);
    const head = `# ours\nlog ${formatVerifierKey(log.key.verifier)} ${log.base}\nwitness x ${x} https://x.example/\n\twitness y  ${y}\nwitness z ${z}\n`;
    await policy(`${head}group xy any x y\ngroup all all xy z\nquorum all\n`);
    expect(await judged()).toMatchObject({ code: 1, words: expect.stringContaining('has no checkpoint.witnessed') });
    // The copy is made all the same.
    expect(await audited()).toContain('Proved: the 300 entries');
    setWitnessed(a, b);
    expect(await judged()).toMatchObject({
      code: 1,
      words: expect.stringContaining('witness missing: the quorum lacks'),
    });
    setWitnessed(b, c);
    expect((await judged()).code).toBe(0);
    setWitnessed(b, c, a.replace(/.{4}=*\n$/, 'AAAA\n'));
    expect(await judged()).toMatchObject({ code: 1, words: expect.stringContaining('is wrong') });
    for (const [quorum, code] of [
      ['quorum x', 1],
      ['quorum z', 0],
      ['group g 2 x y z\nquorum g', 0],
      ['group g all x y z\nquorum g', 1],
      ['quorum none', 0],
    ] as const) {
      setWitnessed(b, c);
      await policy(`${head}${quorum}\n`);
      expect([quorum, (await judged()).code]).toEqual([quorum, code]);
    }
    for (const wrong of [
      '',
      'quorum nobody\n',
      'quorum x\nquorum y\n',
      'group g 3 x y\nquorum g\n',
      'group g 0 x\nquorum g\n',
      'group g any x x\nquorum g\n',
      'group g any x\ngroup h any x\nquorum h\n',
      'group g any h\ngroup h any x\nquorum g\n',
      `witness x2 ${x}\nquorum x\n`,
      'group x any y\nquorum x\n',
      'quorum x\r\n',
      'colour red\nquorum x\n',
    ]) {
      await policy(`${head}${wrong}`);
      expect([wrong, (await judged()).code]).toEqual([wrong, 2]);
    }
  });

  test('cosignatures that are older than a day, and a cosigned tree that is not the log’s', async () => {
    await serve(log.entries.slice(0, 300));
    const place = await mkdtemp(path.join(log.folder, 'witness-'));
    const vkey = await setUpWitness(place, [log.key.verifier]);
    const env = { STOPPED_AT: String(Date.now() - 90_000_000) };
    const clock = path.resolve(import.meta.dirname, '../stopped-clock.mjs');
    const yesterday = new WitnessProcess(place, { node: ['--import', clock], env });
    const { text } = await yesterday.submit(`old 0\n\n${parseUtf8(log.files.get('checkpoint')!)}`);
    await yesterday.stop();
    await policy(`witness w ${vkey}\nquorum w\n`);
    setWitnessed(text);
    expect(await judged()).toMatchObject({ code: 1, words: expect.stringContaining('older than a day') });
    const witnessed = log.files.get('checkpoint.witnessed')!;
    await serve(log.entries.slice(0, 700));
    log.files.set('checkpoint.witnessed', witnessed);
    expect(await judged()).toMatchObject({ code: 1, words: expect.stringContaining('older than a day') });
    const older = await inCopy('checkpoint');
    await serve(log.entries.toSpliced(100, 1));
    const other = log.files.get('checkpoint')!;
    await serve(log.entries);
    log.files.set('checkpoint.witnessed', other);
    expect(await judged()).toMatchObject({
      code: 1,
      words: expect.stringContaining('the 1399 entries signed are not'),
    });
    expect(await inCopy('checkpoint')).toEqual(older);
    const newer = log.files.get('checkpoint')!;
    await serve(log.entries.slice(0, 1000));
    log.files.set('checkpoint.witnessed', newer);
    expect(await judged()).toMatchObject({
      code: 2,
      words: expect.stringContaining('1000 entries, and 1400 cosigned'),
    });
  });
});

test('a mirror that witnesses cosigns what it has checked, and nothing once it has forgotten', async () => {
  const vkey = await newWitnessKey();
  for (const size of [300, 900]) {
    await serve(log.entries.slice(0, size));
    expect((await follow('--witness', own('key'))).code).toBe(0);
    expect(Math.abs((await cosigned(vkey))! - Date.now() / 1000)).toBeLessThan(60);
    expect(await audited()).toContain(`Proved: the ${size} entries`);
  }
  const before = await inCopy('checkpoint');
  await serve(log.entries.toSpliced(200, 1));
  expect((await follow('--witness', own('key'))).code).toBe(1);
  expect(await inCopy('checkpoint')).toEqual(before);
  await rm(log.copy, { recursive: true });
  expect(await follow('--witness', own('key'))).toMatchObject({
    code: 2,
    words: expect.stringContaining('has signed'),
  });
  // Nor does a witness take the key.
  const conf = own('conf');
  await writeFile(
    conf,
    `key ${own('key')}\nstate ${own('state')}\nlisten 127.0.0.1:0\nlog ${formatVerifierKey(log.key.verifier)}\n`,
  );
  expect(await runWitness(conf)).toMatchObject({ code: 2, errors: expect.stringContaining('this key has signed') });
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
