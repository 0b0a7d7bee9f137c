// Two dishonest admins, a technician in their pocket and accounts that they make try at random whatever moves a
// verdict: alone or in concert, watched by an honest admin or not. No verdict improves but by the rules of evidence,
// which rules.ts has in few words. A seed that fails is printed with its shortest history: `SEED=… HISTORIES=1 npx
// vitest run --mode endurance test/dishonest`.
import { expect, test } from 'vitest';
import { randomFrom } from '#test/random.ts';
import { makeProgram, shortest } from './program.ts';
import { runHistory } from './run-history.ts';

const SEED = Number(process.env['SEED'] ?? 76);
const HISTORIES = Number(process.env['HISTORIES'] ?? 24);
const STEPS = 40;

test(
  `${HISTORIES} histories from seed ${SEED} on: no verdict improves outside of the rules`,
  { timeout: 3_600_000 },
  async () => {
    const improved = new Map<string, number>();
    for (let seed = SEED; seed < SEED + HISTORIES; seed += 1) {
      const program = makeProgram(randomFrom(seed * 100_003), STEPS);
      const ran = await runHistory(program);
      if (ran.fault !== undefined) {
        const found = await shortest(program, async (shorter) => (await runHistory(shorter)).fault !== undefined);
        const { lines, fault } = await runHistory(found);
        const { second, isWatched } = found;
        throw new Error([`SEED=${seed}`, JSON.stringify({ second, isWatched }), ...lines, fault].join('\n'));
      }
      for (const deed of ran.improved) improved.set(deed, (improved.get(deed) ?? 0) + 1);
    }
    // Verdicts did improve, as they may: else nothing would be shown.
    if (HISTORIES > 1) expect([...improved.keys()]).toEqual(expect.arrayContaining(['record', 'accept', 'correct']));
  },
);
