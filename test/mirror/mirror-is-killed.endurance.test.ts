// The mirror is killed at any moment: its copy is whole all the same, and it never cosigns an earlier time.
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { MIRROR } from '#test/built-programs.ts';
import { someEntries } from '#test/small-log.ts';
import { mirroredLog } from './mirrored-log.ts';

const { own, serve, args, follow, audited, newWitnessKey, cosigned } = await mirroredLog();

test('60 kills at random moments: the copy is whole whenever it is looked at, and goes on', async () => {
  const vkey = await newWitnessKey();
  const script = `${own('saves-often')}.mjs`;
  const source = await readFile(MIRROR, 'utf8');
  const planted = source.replace(/SAVE_EVERY_MS = \w+/, 'SAVE_EVERY_MS = 0');
  expect(planted).not.toBe(source);
  await writeFile(script, planted);
  let [finished, last] = [0, 0];
  const all = await someEntries(3700, 3);
  await serve(all.slice(0, 650));
  const began = Date.now();
  expect((await follow('--witness', own('key'))).code).toBe(0);
  // About as long as a look takes on this machine at this moment: half of them come to their end.
  let span = Date.now() - began;
  for (let round = 0; round < 60; round += 1) {
    await serve(all.slice(0, 700 + round * 50));
    const [, ...rest] = args('--witness', own('key'));
    const child = spawn(process.execPath, [round % 2 === 0 ? script : MIRROR, ...rest], { stdio: 'ignore' });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    await new Promise((resolve) => setTimeout(resolve, span * (0.2 + Math.random())));
    child.kill('SIGKILL');
    const code = await ended;
    expect(code ?? 0).toBe(0);
    if (code === 0) finished += 1;
    span *= code === 0 ? 0.9 : 1.1;
    expect(await audited()).toContain('Proved: the ');
    const time = (await cosigned(vkey)) ?? 0;
    expect(time).toBeGreaterThanOrEqual(last);
    last = Math.max(time, 1);
  }
  expect(finished).toBeGreaterThan(10);
  expect(60 - finished).toBeGreaterThan(10);
  expect((await follow('--witness', own('key'))).code).toBe(0);
  expect(await audited()).toContain('Proved: the 3650 entries');
}, 120_000);
