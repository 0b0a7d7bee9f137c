// The mirror and witnesses: what it asks of their cosignatures, and when it is one itself.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseUtf8, utf8 } from '#app/tlog/bytes.ts';
import { formatVerifierKey } from '#app/tlog/signed-note.ts';
import { runWitness, setUpWitness, WitnessProcess } from '#test/witness-program/witness-process.ts';
import { mirroredLog } from './mirrored-log.ts';

const log = await mirroredLog();
const { own, serve, follow, inCopy, audited, newWitnessKey, cosigned } = log;

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

  test('the quorum of the policy, as cosigned by the witness', async () => {
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
    expect(await judged()).toMatchObject({ code: 1, words: expect.stringContaining('cannot be read') });
    setWitnessed(b, c, a.replace(/.{12}(?=.{4}\n$)/, 'AAAAAAAAAAAA'));
    expect(await judged()).toMatchObject({ code: 1, words: expect.stringContaining('does not match its cosignature') });
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
