// The newest witnessed checkpoint, under the registry's own policy.
import type { Config } from '#app/platform/process/config.server.ts';
import type { WitnessPolicy } from '#app/tlog/witness-policy.ts';
import { byWords, isOld, witnessesOf, ageWords, type Witnessed } from '#app/tlog/witnessed.ts';
import { openLogFolder } from './log-folder.server.ts';
import { logKey } from './log-key.server.ts';
import { witnessPolicy } from './witness-policy.server.ts';

export type WitnessedLog = { policy: WitnessPolicy; newest: { size: number; witnessed: Witnessed } | undefined };

/** Undefined: the registry asks no witnesses. `newest` is missing where nothing is witnessed, or cannot be read. */
export async function readWitnessed(config: Config, now: Date): Promise<WitnessedLog | undefined> {
  const registry = await witnessPolicy(config);
  if (registry === undefined) return undefined;
  const { policy } = registry;
  const { verifier } = await logKey(config);
  try {
    const head = await openLogFolder(config).readWitnessed(verifier);
    if (head === undefined) return { policy, newest: undefined };
    return { policy, newest: { size: head.head.size, witnessed: await witnessesOf(head.note, policy, now) } };
  } catch {
    return { policy, newest: undefined };
  }
}

/** For a page: how much is witnessed, by whom, and whether that is old or missing; null: no witness is asked. */
export async function witnessedWords(
  config: Config,
  now: Date,
): Promise<{ words: string; isOld: boolean; size: number } | null> {
  const log = await readWitnessed(config, now);
  if (log === undefined) return null;
  const { newest } = log;
  const at = newest?.witnessed.at ?? newest?.witnessed.by[0]?.at;
  if (newest === undefined || at === undefined) return { words: 'Not yet', isOld: true, size: 0 };
  const { size, witnessed } = newest;
  return {
    words: `${size.toLocaleString('en-AU')} entries, by ${byWords(witnessed)}, ${ageWords(at, now)} ago`,
    isOld: witnessed.at === null || isOld(witnessed, now),
    size,
  };
}
