// npm run bench:kill: kill -9 of the registry under load, round after round, everything compared after each. ROUNDS (100)
// and SEED choose them. Each part is written down in kill-rounds.jsonl, so that runs add up; the sum is printed. Ends with
// 1 when something was found.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { ROUNDS_A_REGISTRY, runRounds } from '#test/kill/run-rounds.ts';

const FILE = path.join(import.meta.dirname, 'kill-rounds.jsonl');
const part = z.looseObject({
  rounds: z.number(),
  kills: z.number(),
  acknowledged: z.number(),
  open: z.number(),
  findings: z.number(),
});

const rounds = Number(process.env['ROUNDS'] ?? 100);
const seed = process.env['SEED'] ?? String(randomInt(1e9));
const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout.trim();
const say = (line: string) => process.stdout.write(`${line}\n`);

let findings = 0;
for (let done = 0; done < rounds; done += ROUNDS_A_REGISTRY) {
  const partSeed = `${seed}-${done}`;
  say(`seed ${partSeed}`);
  const totals = await runRounds(Math.min(ROUNDS_A_REGISTRY, rounds - done), partSeed, say);
  findings += totals.findings;
  const line = JSON.stringify({ on: new Date().toISOString().slice(0, 10), commit, seed: partSeed, ...totals });
  await appendFile(FILE, `${line}\n`);
}
const parts = (await readFile(FILE, 'utf8'))
  .trim()
  .split('\n')
  .map((line) => part.parse(JSON.parse(line)));
const sum = (of: 'rounds' | 'kills' | 'acknowledged' | 'open' | 'findings') =>
  parts.reduce((total, part) => total + part[of], 0);
say(
  `In all: ${sum('rounds')} rounds, ${sum('kills')} kills, ${sum('acknowledged')} acknowledged writes, ${sum('open')} whose answer was lost; ${sum('findings')} findings.`,
);
process.exit(findings === 0 ? 0 : 1);
