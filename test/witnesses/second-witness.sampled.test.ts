// Holds the second witness to the specification, and to what the tests that use it rely on.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { expectCosigned, expectRefused, type RunningWitness, submit } from './conformance-case.ts';
import { makeLog } from './conformance-log.ts';
import { conformance } from './conformance.ts';
import { startSecondWitness } from './second-witness.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'second-witness-'));
afterAll(() => rmSync(folder, { recursive: true }));
let witnesses = 0;

describe('conformance', () => {
  conformance((logs) => {
    const stateFile = path.join(folder, `state-${witnesses++}.json`);
    const start = async (): Promise<RunningWitness> => {
      const witness = await startSecondWitness({ name: 'second.example/witness', logs, stateFile });
      const restart = async (): Promise<RunningWitness> => {
        await witness.stop();
        return start();
      };
      return { ...witness, restart };
    };
    return start();
  });
});

describe('for the tests that use it', () => {
  const log = makeLog('second.example/log');

  test('it says what it has seen, and takes its time from the given clock', async () => {
    const at = 1_800_000_000_000;
    const options = { name: 'second.example/clock', logs: [log.key.vkey], now: () => at };
    await using witness = disposable(await startSecondWitness(options));
    expect(witness.seen(log.origin)).toBeUndefined();
    const time = expectCosigned(witness, log.text(5), await submit(witness, log.request(0, 5)));
    expect(time).toBe(BigInt(at / 1000));
    expect(witness.seen(log.origin)).toMatchObject({ origin: log.origin, size: 5n, root: log.root(5) });
  });

  test('it cosigns nothing without a time', async () => {
    const options = { name: 'second.example/clock', logs: [log.key.vkey], now: () => 0 };
    await using witness = disposable(await startSecondWitness(options));
    expectRefused(await submit(witness, log.request(0, 5)), 500);
    expect(witness.seen(log.origin)).toBeUndefined();
  });

  test('it cosigns nothing that it cannot persist', async () => {
    const options = {
      name: 'second.example/full',
      logs: [log.key.vkey],
      stateFile: path.join(folder, 'none', 'state'),
    };
    await using witness = disposable(await startSecondWitness(options));
    expectRefused(await submit(witness, log.request(0, 5)), 500);
    expect(witness.seen(log.origin)).toBeUndefined();
  });

  test('it answers 413 to a request without end', async () => {
    const options = { name: 'second.example/long', logs: [log.key.vkey] };
    await using witness = disposable(await startSecondWitness(options));
    expectRefused(await submit(witness, 'a'.repeat(1024 * 1024)), 413);
  });

  test('its name makes its key', async () => {
    await using one = disposable(await startSecondWitness({ name: 'second.example/one', logs: [] }));
    await using same = disposable(await startSecondWitness({ name: 'second.example/one', logs: [] }));
    await using two = disposable(await startSecondWitness({ name: 'second.example/two', logs: [] }));
    expect(same.vkey).toBe(one.vkey);
    expect(two.vkey).not.toBe(one.vkey);
  });

  test('it shares no code with the product', () => {
    for (const file of ['second-witness', 'scripted-witness', 'signed-note', 'verify-consistency', 'listen'])
      expect(readFileSync(path.join(import.meta.dirname, `${file}.ts`), 'utf8')).not.toMatch(/from '(?:#|\.\.)/);
  });
});

function disposable<T extends { url: string; vkey: string; stop: () => Promise<void> }>(
  witness: T,
): T & RunningWitness & AsyncDisposable {
  const restart = (): Promise<RunningWitness> => Promise.reject(new Error('This one does not start again.'));
  return { ...witness, restart, [Symbol.asyncDispose]: witness.stop };
}
