// By whom a checkpoint was witnessed, and since when, under a policy.
import { durationWords } from '#app/platform/time/duration.ts';
import { cosignedAt } from './cosignature.ts';
import { formatVerifierKey, parseNote, type VerifierKey } from './signed-note.ts';
import { CouldNotTell } from './verification.ts';
import { isQuorum, type WitnessPolicy } from './witness-policy.ts';

/** Clocks differ; a cosignature from further ahead is taken for none. */
export const AHEAD_MAX_S = 300;
/** From then on a quorum is old: nothing newer is known to be witnessed. */
export const OLD_AFTER_MS = 86_400_000;

export type Witnessed = {
  /** Those who cosigned, by their names in the policy, the newest first. */
  by: { name: string; at: Date }[];
  of: number;
  /** Since when the newest quorum stands; null: there is none, and undefined: none is wanted. */
  at: Date | null | undefined;
};

/** Throws Tampered for a cosignature of a witness of the policy that is not of this note. */
export async function witnessesOf(note: Uint8Array, policy: WitnessPolicy, now: Date): Promise<Witnessed> {
  const parsed = parseNote(note);
  const latest = now.getTime() / 1000 + AHEAD_MAX_S;
  const by: Witnessed['by'] = [];
  for (const { name, key } of policy.witnesses) {
    const seconds = await cosignedAt(parsed, key);
    if (seconds !== undefined && seconds <= latest) by.push({ name, at: new Date(seconds * 1000) });
  }
  by.sort((one, other) => other.at.getTime() - one.at.getTime());
  return { by, of: policy.witnesses.length, at: quorumAt(policy, by) };
}

// The newest are enough from the one on that makes them a quorum.
function quorumAt(policy: WitnessPolicy, by: Witnessed['by']): Date | null | undefined {
  if (policy.quorum === null) return undefined;
  const cosigned = new Set<string>();
  for (const { name, at } of by) {
    cosigned.add(name);
    if (isQuorum(policy, cosigned)) return at;
  }
  return null;
}

/** The policy that a verifier holds a log against, and the time by the verifier's clock. */
export type Witnessing = { policy: WitnessPolicy; now: Date };

/**
 * Throws CouldNotTell where the policy is not about this log, or wants more witnesses than there are: a checkpoint
 * without its witnesses may be one of two that contradict each other.
 */
export async function insistOnWitnesses(
  note: Uint8Array,
  key: VerifierKey,
  { policy, now }: Witnessing,
): Promise<Witnessed> {
  const logs = policy.logs.map((log) => formatVerifierKey(log.key));
  if (logs.length > 0 && !logs.includes(formatVerifierKey(key)))
    throw new CouldNotTell(`The policy is not about the log ${key.name}.`);
  const witnessed = await witnessesOf(note, policy, now);
  if (witnessed.at === null)
    throw new CouldNotTell(
      `The log signed it, but not enough witnesses have seen it: ${byWords(witnessed)}. Try again in a minute, or with a newer proof.`,
    );
  return witnessed;
}

/** "2 of 3 witnesses (north, south)"; "none of 3 witnesses". */
export const byWords = ({ by, of }: Pick<Witnessed, 'by' | 'of'>): string =>
  by.length === 0
    ? `none of ${of} ${of === 1 ? 'witness' : 'witnesses'}`
    : `${by.length} of ${of} ${of === 1 ? 'witness' : 'witnesses'} (${by.map(({ name }) => name).join(', ')})`;

/** Whether its quorum is older than a day. */
export const isOld = ({ at }: Pick<Witnessed, 'at'>, now: Date): boolean =>
  at instanceof Date && now.getTime() - at.getTime() > OLD_AFTER_MS;

/** " Witnessed by 2 of 3 witnesses (north, south), 14 seconds ago."; '' where none is wanted and none is there. */
export function witnessSentence(witnessed: Witnessed, now: Date): string {
  const newest = witnessed.at ?? witnessed.by[0]?.at;
  return newest === undefined ? '' : ` Witnessed by ${byWords(witnessed)}, ${ageWords(newest, now)} ago.`;
}

/** '24 seconds', '14 minutes', '1 day 4 hours'. */
export function ageWords(at: Date, now: Date): string {
  const ms = Math.max(0, now.getTime() - at.getTime());
  if (ms >= 60_000) return durationWords(ms);
  const seconds = Math.max(1, Math.floor(ms / 1000));
  return `${seconds} second${seconds === 1 ? '' : 's'}`;
}
