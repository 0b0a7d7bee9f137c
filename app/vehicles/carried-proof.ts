// A proof to carry: the file of the last thing that was logged about a truck, read without a network. What it proves is
// that the truck stood so when the log was last witnessed; today's verdict is worked out from that, and is the page's
// of that moment. Nothing newer is known where it is read.
import { formatDay, formatInstantInZone, todayIn } from '#app/platform/time/calendar.ts';
import { FIRST_POLICY } from '#app/policy/policy.ts';
import type { VerifierKey } from '#app/tlog/signed-note.ts';
import { vehicleDueField, type Body } from '#app/tlog/leaf-body.ts';
import { parseLeaf, type Leaf } from '#app/tlog/leaf.ts';
import { isCounting, isRestsOn, type RestsOn } from '#app/tlog/rests-on.ts';
import type { Sha256 } from '#app/tlog/sha256.ts';
import { parseProofExtra, parseTlogProof } from '#app/tlog/tlog-proof.ts';
import { CouldNotTell, Tampered, verification, type Verification } from '#app/tlog/verification.ts';
import { verifyProofFile } from '#app/tlog/verify-proof-file.ts';
import { ageWords, isOld, witnessesOf, byWords, type Witnessed } from '#app/tlog/witnessed.ts';
import type { WitnessPolicy } from '#app/tlog/witness-policy.ts';
import { plateText } from './plate-text.ts';
import { parseRego } from './vehicle.ts';
import { judge, NOT_TOLD, type Judgement, type VerdictFacts, type VerdictPolicy } from './verdict.ts';

export type Reading = {
  key: VerifierKey;
  /** Undefined: the registry named no witnesses. */
  policy: WitnessPolicy | undefined;
  /** The rego on the truck; '' for any. */
  rego: string;
  now: Date;
  zone: string;
  /** When a truck is due soon, as far as the reader knows the registry's rules; the first ones unless it is said. */
  rules?: VerdictPolicy;
};

/** `judgement`: only where it is proved. */
export type CarriedAnswer = Verification & { rego?: string; judgement?: Judgement };

/** Reads the file. Refuses one that is altered, of another truck, or not witnessed where the policy wants that. */
export async function readCarriedProof(sha256: Sha256, file: Uint8Array, reading: Reading): Promise<CarriedAnswer> {
  let judged: Pick<CarriedAnswer, 'rego' | 'judgement'> = {};
  const answer = await verification(async () => {
    const { key, policy, rego, now, zone, rules = FIRST_POLICY } = reading;
    const proved = await verifyProofFile(sha256, file, {
      key,
      witnessing: policy === undefined ? undefined : { policy, now },
    });
    if (proved.result === 'tampered') throw new Tampered(proved.sentence);
    if (proved.result === 'could-not-tell') throw new CouldNotTell(proved.sentence);
    const said = stateIn(file, rego);
    const witnessed = policy === undefined ? undefined : await witnessesOf(said.checkpoint, policy, now);
    const at = witnessed?.at instanceof Date ? witnessed.at : new Date(said.at);
    const asAt = formatInstantInZone(at, zone);
    const judgement = judge(said.facts, todayIn(zone, now), rules);
    judged = {
      rego: said.rego,
      judgement: {
        ...judgement,
        sentence: `As the registry stood on ${asAt}: ${judgement.sentence}${restsWords(said)}`,
      },
    };
    return {
      sentence: `Proved as at ${asAt}, ${ageWords(at, now)} ago${byWhom(witnessed)}. Nothing newer is known here.`,
      isOld: witnessed === undefined ? now.getTime() - at.getTime() > DAY_MS : isOld(witnessed, now),
    };
  });
  return answer.result === 'proved' ? { ...answer, ...judged } : answer;
}

// As typed, and without its state: the file says whether that is part of the plate. One that is not valid is of no
// truck.
function regosOf(text: string): string[] {
  const parsed = parseRego(text);
  return parsed.ok ? [parsed.rego, parsed.without?.rego ?? parsed.rego] : [text];
}

const DAY_MS = 86_400_000;

const byWhom = (witnessed: Witnessed | undefined): string =>
  witnessed === undefined || witnessed.by.length === 0 ? '' : `, by ${byWords(witnessed)}`;

type Proved = {
  rego: string;
  at: string;
  facts: VerdictFacts;
  restsOn: RestsOn;
  restsOnDay: string | null;
  checkpoint: Uint8Array;
};

// The file is verified; whether it says how the truck stands is another question.
function stateIn(file: Uint8Array, asked: string): Proved {
  const { checkpoint, extra } = parseTlogProof(file);
  if (extra === undefined) throw new CouldNotTell('The file does not hold its entry.');
  const { leaf: bytes, openings } = parseProofExtra(extra);
  const { at, type, body, plate } = parseLeaf(bytes);
  // Of a truck whose plate was changed the entry commits to the one of then; its chain began under the first.
  const rego = regoIn(openings.get(plate === undefined ? 'subject' : 'plate')?.value);
  const { validated, restsOnDay = null } = body;
  if (rego === undefined || typeof validated !== 'boolean')
    throw new CouldNotTell('It is no proof of a truck’s state. Take the one of the truck’s own page.');
  const regos = regosOf(asked);
  if (asked !== '' && !regos.includes(rego) && !regos.includes(plateText(rego)))
    throw new Tampered(`It is the proof of ${rego}, and not of ${regos[0]}.`);
  if (type === 'vehicle.deleted')
    throw new CouldNotTell(`${rego} was removed from the registry: the last entry about it says so.`);
  const restsOn = isRestsOn(body.restsOn) ? body.restsOn : restsOnVisit(body);
  if (restsOn === undefined)
    throw new CouldNotTell(
      'The entry is older than those that say on what a verdict rests, so it cannot be told. Take the file again from the truck’s own page.',
    );
  return { rego, at, facts: factsIn({ type, body }, restsOn), restsOn, restsOnDay, checkpoint };
}

/** What an entry says of the verdict: not whether a validation never was, or was withdrawn. */
export const factsIn = ({ type, body }: Pick<Leaf, 'type' | 'body'>, restsOn: string): VerdictFacts => ({
  hasCalibration: restsOn !== 'no-calibration',
  noneCounts: restsOn === 'nothing',
  validated: body.validated === true,
  nextDueOn: body[vehicleDueField(type)] ?? null,
  withdrawnOn: NOT_TOLD,
});

// An older entry that closed a visit, or decided about it, says what became of it. Where that does not count, the due
// date may be of a visit before, or of what was taken over.
const restsOnVisit = ({ visitState }: Body): RestsOn | undefined => (isCounting(visitState) ? 'visit' : undefined);

function restsWords({ facts, restsOn, restsOnDay }: Proved): string {
  if (!facts.validated) return '';
  const of = restsOnDay === null ? '' : ` of ${formatDay(restsOnDay)}`;
  if (restsOn === 'visit') return ` It rests on the visit${of === '' ? ' that counts' : of}.`;
  return restsOn === 'taken-over' ? ` It rests on what was taken over${of}.` : '';
}

const regoIn = (subject: unknown): string | undefined =>
  typeof subject === 'object' && subject !== null && 'rego' in subject && typeof subject.rego === 'string'
    ? subject.rego
    : undefined;
