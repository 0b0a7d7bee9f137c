// A witness for each test of a file, in a folder of its own.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { newKey } from '#test/small-log.ts';
import { monitoringPath, setUpWitness, WitnessProcess } from './witness-process.ts';

/** The log that it cosigns. */
export const ORIGIN = 'log.example/1';

export async function ownWitness() {
  let witness: WitnessProcess;
  let started: WitnessProcess[] = [];
  const start = (options: ConstructorParameters<typeof WitnessProcess>[1] = {}) => {
    const one = new WitnessProcess(own.folder, options);
    started.push(one);
    return one;
  };
  const own = {
    /** The log's. */
    key: await newKey(ORIGIN),
    folder: '',
    vkey: '',
    get witness() {
      return witness;
    },
    set witness(one) {
      witness = one;
    },
    /** Starts another in the same folder. */
    start,
    inFolder: (name: string) => path.join(own.folder, name),
    /** What it shows of the log: its last cosigned checkpoint. */
    head: async () => {
      const response = await own.witness.get(monitoringPath(ORIGIN));
      return response.status === 200 ? response.text() : '';
    },
  };
  beforeEach(async () => {
    own.folder = await mkdtemp(path.join(tmpdir(), 'witness-'));
    own.vkey = await setUpWitness(own.folder, [own.key.verifier]);
    own.witness = start();
  });
  afterEach(async () => {
    for (const one of started) await one.stop('SIGKILL');
    started = [];
    await rm(own.folder, { recursive: true });
  });
  return own;
}
