// A witness that is killed at any moment signs no fork when it is back: KILLS kills, while four clients submit two
// forks.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SigningKey } from '#app/tlog/sign-note.server.ts';
import { WITNESS } from '#test/built-programs.ts';
import { newKey } from '#test/small-log.ts';
import { killedRounds } from './killed-rounds.ts';
import { setUpWitness, WitnessProcess } from './witness-process.ts';

const KILLS = Number(process.env['KILLS'] ?? 60);
const WITHIN_MS = 60_000 + KILLS * 3000;

let folder: string;
let key: SigningKey;
let vkey: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'killed-witness-'));
  key = await newKey('log.example/1');
  vkey = await setUpWitness(folder, [key.verifier]);
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

test(
  `${KILLS} kills: of one size never two roots, and never a tree that does not extend the one before`,
  async () => {
    const { cosigned, answers, offences } = await killedRounds({ folder, key, vkey, options: {} }, KILLS);
    process.stdout.write(`${KILLS} kills, ${cosigned.length} cosigned, answers ${JSON.stringify([...answers])}\n`);
    expect(offences).toEqual([]);
    // It was kept busy, with both: less so where others load the machine.
    expect(cosigned.length).toBeGreaterThan(KILLS / 2);
    expect(answers.get(422)).toBeGreaterThan(KILLS / 10);
    expect(new Set(cosigned.map(({ round }) => round)).size).toBeGreaterThan(KILLS / 4);
  },
  WITHIN_MS,
);

test(
  'one that is killed in its first start starts the next time',
  async () => {
    for (let round = 0; round < 60; round += 1) {
      for (const name of ['state', 'state.new', 'key.used']) await rm(path.join(folder, name), { force: true });
      const first = new WitnessProcess(folder);
      await new Promise((resolve) => setTimeout(resolve, 30 + Math.random() * 80));
      await first.stop('SIGKILL');
      const second = new WitnessProcess(folder);
      expect(await second.address).toContain('http');
      await second.stop('SIGKILL');
    }
  },
  WITHIN_MS,
);

test(
  'a witness that stores after it answers is found',
  async () => {
    const source = await readFile(WITNESS, 'utf8');
    const stored = /^\twriteDurably\(`\$\{state\.file\}\.new`[^]*?^\tObject\.assign\(state, \{[^}]*\}\);\n/m;
    const planted = source.replace(stored, (code) => {
      const later = code.replace(/\tObject\.assign\(state, [^]*/, '');
      return `  const late = () => {\n${later}  state.text = text;\n  };
  if (process.env.STORE_AFTER_ANSWER) setTimeout(late, Number(process.env.STORE_AFTER_ANSWER));
  else late();
  state.heads = heads;\n`;
    });
    expect(planted).not.toBe(source);
    const script = path.join(folder, 'planted.mjs');
    await writeFile(script, planted);
    const options = { script, env: { STORE_AFTER_ANSWER: '20' } };
    const { offences } = await killedRounds({ folder, key, vkey, options }, 60);
    expect(offences.filter((sentence) => /^(Two roots|Not one line|Restarted)/.test(sentence)).length).toBeGreaterThan(
      3,
    );
    // The same copy, not told to: nothing is found, so it is the late store that is.
    await rm(path.join(folder, 'key'));
    await rm(path.join(folder, 'state'));
    vkey = await setUpWitness(folder, [key.verifier]);
    expect((await killedRounds({ folder, key, vkey, options: { script } }, 20)).offences).toEqual([]);
  },
  WITHIN_MS,
);
