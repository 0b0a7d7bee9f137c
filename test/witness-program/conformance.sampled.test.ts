// Holds commands/witness.ts to each MUST of the specification, with logs, proofs and signatures that share no code with
// it or with the product.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { parseVerifierKey } from '#app/tlog/signed-note.ts';
import type { RunningWitness } from '#test/witnesses/conformance-case.ts';
import { conformance } from '#test/witnesses/conformance.ts';
import { setUpWitness, WitnessProcess } from './witness-process.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'conformance-'));
});
afterAll(() => rm(folder, { recursive: true }));

conformance(
  async (logs) => {
    const own = await mkdtemp(path.join(folder, 'witness-'));
    const vkey = await setUpWitness(own, await Promise.all(logs.map((log) => parseVerifierKey(log))));
    const start = async (): Promise<RunningWitness> => {
      const witness = new WitnessProcess(own);
      const stop = async () => void (await witness.stop());
      const restart = async () => {
        await stop();
        return start();
      };
      return { url: await witness.address, vkey, stop, restart };
    };
    return start();
    // It refuses sizes beyond 2^53, which no log reaches: witness.slow.test.ts shows it.
  },
  { beyond: false },
);
