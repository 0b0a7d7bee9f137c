// A proof to carry: the file of the last thing that was logged about a truck, read without a network. What it proves is that the
// truck stood so when the log was last witnessed; today's verdict is worked out from that. Nothing newer is known where it is read.
import { formatInstantInZone, todayIn } from '#app/platform/time/calendar.ts';
import { FIRST_POLICY } from '#app/policy/policy.ts';
import type { VerifierKey } from '#app/tlog/signed-note.ts';
import { vehicleDueField } from '#app/tlog/leaf-body.ts';
import { parseLeaf } from '#app/tlog/leaf.ts';
import type { Sha256 } from '#app/tlog/sha256.ts';
import { parseProofExtra, parseTlogProof } from '#app/tlog/tlog-proof.ts';
import { CouldNotTell, Tampered, verification, type Verification } from '#app/tlog/verification.ts';
import { verifyProofFile } from '#app/tlog/verify-proof-file.ts';
import { ageWords, isOld, witnessesOf, byWords, type Witnessed } from '#app/tlog/witnessed.ts';
import type { WitnessPolicy } from '#app/tlog/witness-policy.ts';
import { parseRego } from './vehicle.ts';
import { judge, type Judgement } from './verdict.ts';

export type Reading = {
  key: VerifierKey;
  /** Undefined: the registry named no witnesses. */
  policy: WitnessPolicy | undefined;
  /** The rego on the truck; '' for any. */
  rego: string;
  now: Date;
  zone: string;
};

/** `judgement`: only where it is proved. */
export type CarriedAnswer = Verification & { rego?: string; judgement?: Judgement };

/** Reads the file. Refuses one that is altered, of another truck, or not witnessed where the policy wants that. */
export async function readCarriedProof(sha256: Sha256, file: Uint8Array, reading: Reading): Promise<CarriedAnswer> {
  let judged: Pick<CarriedAnswer, 'rego' | 'judgement'> = {};
  const answer = await verification(async () => {
    const { key, policy, rego, now, zone } = reading;
    const proved = await verifyProofFile(sha256, file, key, policy === undefined ? undefined : { policy, now });
    if (proved.result === 'tampered') throw new Tampered(proved.sentence);
    if (proved.result === 'could-not-tell') throw new CouldNotTell(proved.sentence);
    const said = standingIn(file);
    if (rego !== '' && regoOf(rego) !== said.rego)
      throw new Tampered(`It is the proof of ${said.rego}, and not of ${regoOf(rego)}.`);
    const { validated, nextDueOn } = said;
    const judgement = judge(
      { hasCalibration: true, validated, noneCounts: validated && nextDueOn === null, nextDueOn },
      todayIn(zone, now),
      FIRST_POLICY,
    );
    judged = { rego: said.rego, judgement };
    const witnessed = policy === undefined ? undefined : await witnessesOf(said.checkpoint, policy, now);
    const at = witnessed?.at instanceof Date ? witnessed.at : new Date(said.at);
    return {
      sentence: `Proved as at ${formatInstantInZone(at, zone)}, ${ageWords(at, now)} ago${byWhom(witnessed)}. Nothing newer is known here.`,
      isOld: witnessed === undefined ? now.getTime() - at.getTime() > DAY_MS : isOld(witnessed, now),
    };
  });
  return answer.result === 'proved' ? { ...answer, ...judged } : answer;
}

// One that is not valid is of no truck.
function regoOf(text: string): string {
  const parsed = parseRego(text);
  return parsed.ok ? parsed.rego : text;
}

const DAY_MS = 86_400_000;

const byWhom = (witnessed: Witnessed | undefined): string =>
  witnessed === undefined || witnessed.by.length === 0 ? '' : `, by ${byWords(witnessed)}`;

type Standing = { rego: string; at: string; validated: boolean; nextDueOn: string | null; checkpoint: Uint8Array };

// The file is verified; whether it says how the truck stands is another question.
function standingIn(file: Uint8Array): Standing {
  const { checkpoint, extra } = parseTlogProof(file);
  if (extra === undefined) throw new CouldNotTell('The file does not hold its entry.');
  const { leaf: bytes, openings } = parseProofExtra(extra);
  const { at, type, body } = parseLeaf(bytes);
  const rego = regoIn(openings.get('subject')?.value);
  const { validated } = body;
  if (rego === undefined || typeof validated !== 'boolean')
    throw new CouldNotTell('It is no file of a truck’s standing. Take the one of the truck’s own page.');
  const due = Object.entries(body).find(([field]) => field === vehicleDueField(type))?.[1];
  return { rego, at, validated, nextDueOn: typeof due === 'string' ? due : null, checkpoint };
}

const regoIn = (subject: unknown): string | undefined =>
  typeof subject === 'object' && subject !== null && 'rego' in subject && typeof subject.rego === 'string'
    ? subject.rego
    : undefined;
