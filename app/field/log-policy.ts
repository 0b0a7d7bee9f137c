// What this phone knows of the public log, so that a proof can be read without reception: the log's key and its
// witnesses, as the registry publishes them in one file. The key that came first stays: another one must be explained,
// and is not taken.
import { utf8 } from '#app/tlog/bytes.ts';
import { formatVerifierKey, type VerifierKey } from '#app/tlog/signed-note.ts';
import { parseWitnessPolicy, type WitnessPolicy } from '#app/tlog/witness-policy.ts';

const PLACE = 'log policy';
const ADDRESS = '/log/1/policy';

export type KnownLog = { key: VerifierKey; policy: WitnessPolicy };

/** Undefined: this phone has never read it, or cannot. */
export async function knownLog(memory: Pick<Storage, 'getItem'> = localStorage): Promise<KnownLog | undefined> {
  const text = memory.getItem(PLACE);
  return text === null ? undefined : logIn(text);
}

/** Reads it again where there is a network. */
export async function fetchLogPolicy(memory: Pick<Storage, 'getItem' | 'setItem'> = localStorage): Promise<void> {
  try {
    const answer = await fetch(ADDRESS, { redirect: 'error', cache: 'no-store' });
    const text = answer.ok ? await answer.text() : '';
    const [fetched, known] = await Promise.all([logIn(text), knownLog(memory)]);
    const isSame = (log: KnownLog) =>
      known === undefined || formatVerifierKey(log.key) === formatVerifierKey(known.key);
    if (fetched !== undefined && isSame(fetched)) memory.setItem(PLACE, text);
  } catch {
    // What is known stays.
  }
}

async function logIn(text: string): Promise<KnownLog | undefined> {
  try {
    const policy = await parseWitnessPolicy(utf8(text));
    const [log] = policy.logs;
    return log === undefined ? undefined : { key: log.key, policy };
  } catch {
    return undefined;
  }
}
