// What proves the registry's answer about a truck at the end of a day, to be read without a network: the entries about
// the truck and about the rules up to then, each with its proof that it was in the log of that day; that this log ended
// with the day; and that what was signed since begins with it. The verdict is worked out from these.
import { addDays, formatDay, instantOfDay, isDay } from '#app/platform/time/calendar.ts';
import { z } from 'zod';
import { FIRST_POLICY } from '#app/policy/policy.ts';
import { equalBytes, formatBase64, Malformed, parseBase64, parseUtf8, utf8, type Bytes } from '#app/tlog/bytes.ts';
import { canonicalJson, parseCanonicalJson } from '#app/tlog/canonical-json.ts';
import { openCheckpoint } from '#app/tlog/checkpoint.ts';
import { vehicleDueField } from '#app/tlog/leaf-body.ts';
import { parseLeaf, type Leaf } from '#app/tlog/leaf.ts';
import { verifyConsistency, verifyInclusion } from '#app/tlog/merkle-proof.ts';
import { leafHash } from '#app/tlog/merkle-tree.ts';
import { isRestsOn } from '#app/tlog/rests-on.ts';
import type { Sha256 } from '#app/tlog/sha256.ts';
import type { VerifierKey } from '#app/tlog/signed-note.ts';
import { CouldNotTell, Tampered, verification, type Verification } from '#app/tlog/verification.ts';
import { checkOpenings } from '#app/tlog/verify-proof-file.ts';
import { insistOnWitnesses, type Witnessing } from '#app/tlog/witnessed.ts';
import { judge, saidOn } from './verdict.ts';

const opening = z.strictObject({ salt: z.string(), value: z.looseObject({ rego: z.string() }) });
const entry = z.strictObject({ index: z.int().nonnegative(), leaf: z.string(), hashes: z.array(z.string()).max(64) });
const schema = z.strictObject({
  proof: z.literal('registry-day@1'),
  day: z.string().refine(isDay),
  zone: z.string(),
  rego: z.string(),
  verdict: z.string(),
  /** Of the log at the end of the day. */
  size: z.int().positive(),
  root: z.string(),
  /** The checkpoint that was signed that day; null: none was. */
  signed: z.string().nullable(),
  /** A later one, and that its log begins with that of the day. */
  checkpoint: z.string(),
  consistency: z.array(z.string()).max(64),
  /** About the truck and the rules; the last of the day and the first after it. What is later is proved by the later log. */
  entries: z.array(entry),
  subject: opening,
  /** Of a truck whose plate was changed: what the entry that says its state commits to. */
  plate: opening.nullable(),
});
export type PastProof = z.infer<typeof schema>;
type Entry = { index: number; leaf: Leaf; hash: Bytes };
type Reading = { key: VerifierKey; witnessing?: Witnessing | undefined; zone: string; rego: string };

export const formatPastProof = (proof: PastProof): string => canonicalJson(proof);

/** Reads the file. Refuses one that is altered or of another truck. */
export function readPastProof(sha256: Sha256, file: Uint8Array, reading: Reading): Promise<Verification> {
  return verification(async () => {
    const parsed = schema.safeParse(parseCanonicalJson(parseUtf8(file)));
    if (!parsed.success) throw new Malformed('it is no proof of what was said on a day');
    const proof = parsed.data;
    const { day, rego, size, zone } = proof;
    if (zone !== reading.zone) throw new CouldNotTell(`Its days are those of ${zone}: give it as the zone.`);
    if (reading.rego !== '' && reading.rego !== rego) throw new Tampered(`It is the proof of ${rego}.`);
    const entries = await provedEntries(sha256, proof, reading);
    insistOnDay(entries, proof);
    const about = chainOf(entries, size);
    const rules = rulesOf(entries, size);
    const last = about.then.findLast(({ leaf }) => leaf.body.restsOn !== undefined);
    if (last === undefined)
      throw new CouldNotTell('Its entries are older than those that say on what a verdict rests.');
    await checkOpenings(sha256, last.leaf, openingsOf(proof));
    if ((last.leaf.plate === undefined) !== (proof.plate === null)) throw new Tampered('Its plate is not opened.');
    if ((proof.plate ?? proof.subject).value.rego !== rego) throw new Tampered(`It was not ${rego} on that day.`);
    const facts = factsIn(last.leaf);
    const { verdict, word } = judge(facts, day, rules);
    if (verdict !== proof.verdict) throw new Tampered(`Its entries do not say ${proof.verdict}, but ${verdict}.`);
    return `${rego} on ${formatDay(day)}: it said “${word}”. ${saidOn(facts, day, rules)} Proved by ${about.then.length} entries about it among the ${size} of the log at the end of that day, ${proof.signed === null ? 'which was not signed that day; what was signed later begins with it' : 'signed that day'}. ${about.hasLater ? 'The next entry about it came later.' : 'No later entry about it is in this file.'}`;
  });
}

const openingsOf = ({ subject, plate }: PastProof) =>
  new Map([['subject', subject] as const, ...(plate === null ? [] : [['plate', plate] as const])]);

// Each entry in its order, once it is proved to be in the log.
async function provedEntries(sha256: Sha256, proof: PastProof, { key, witnessing }: Reading): Promise<Entry[]> {
  const { size, root: rootText, signed, checkpoint, consistency, entries } = proof;
  const root = parseBase64(rootText);
  const head = await openCheckpoint(utf8(checkpoint), key);
  if (witnessing !== undefined) await insistOnWitnesses(utf8(checkpoint), key, witnessing);
  const grown = { oldSize: size, oldRoot: root, ...head, proof: consistency.map(parseBase64) };
  if (!(await verifyConsistency(sha256, grown)))
    throw new Tampered('What was signed later does not begin with the log of that day.');
  if (signed !== null) {
    const then = await openCheckpoint(utf8(signed), key);
    if (then.size !== size || !equalBytes(then.root, root)) throw new Tampered('That day another log was signed.');
  }
  const proved: Entry[] = [];
  for (const { index, leaf, hashes } of entries) {
    if (index <= (proved.at(-1)?.index ?? -1)) throw new Tampered('Its entries are not in their order.');
    const hash = await leafHash(sha256, utf8(leaf));
    const tree = index < size ? { size, root } : head;
    const inTree = { leafHash: hash, index, size: tree.size, root: tree.root, proof: hashes.map(parseBase64) };
    if (!(await verifyInclusion(sha256, inTree))) throw new Tampered(`Entry ${index} is not the one that was logged.`);
    proved.push({ index, leaf: parseLeaf(utf8(leaf)), hash });
  }
  return proved;
}

// The log of that day is neither shorter nor longer.
function insistOnDay(entries: readonly Entry[], { day, zone, size }: PastProof): void {
  const end = instantOfDay(addDays(day, 1), zone).toISOString();
  const last = entries.find(({ index }) => index === size - 1);
  const next = entries.find(({ index }) => index === size);
  if (next === undefined) throw new CouldNotTell('No later entry is in it, so it does not show that the day was over.');
  if (last === undefined || last.leaf.at >= end || next.leaf.at < end)
    throw new Tampered(`The log did not have ${size} entries at the end of that day.`);
}

// The entries about the truck are a chain, so none is left out between them.
function chainOf(entries: readonly Entry[], size: number): { then: Entry[]; hasLater: boolean } {
  const subject = entries.find(({ leaf }) => leaf.subject !== undefined && leaf.subjectSeq === 1)?.leaf.subject;
  const chain = entries.filter(({ leaf }) => subject !== undefined && leaf.subject === subject);
  for (const [place, { leaf }] of chain.entries()) {
    const before = chain[place - 1];
    if (leaf.subjectSeq !== place + 1 || leaf.prev !== (before && formatBase64(before.hash)))
      throw new Tampered('An entry about the truck is missing.');
  }
  const then = chain.filter(({ index }) => index < size);
  return { then, hasLater: then.length < chain.length };
}

// Of each version; its number is one more than that of the one before.
function rulesOf(entries: readonly Entry[], size: number): { dueSoonDays: number } {
  const changed = entries.filter(({ leaf }) => leaf.type === 'policy.changed');
  for (const [place, { leaf }] of changed.entries())
    if (place > 0 && leaf.body.policyVersion !== (changed[place - 1]?.leaf.body.policyVersion ?? 0) + 1)
      throw new Tampered('A version of the rules is missing.');
  const { dueSoonDays } = changed.findLast(({ index }) => index < size)?.leaf.body ?? FIRST_POLICY;
  return { dueSoonDays: dueSoonDays ?? FIRST_POLICY.dueSoonDays };
}

function factsIn({ type, body }: Leaf) {
  const { restsOn, validated } = body;
  if (type === 'vehicle.deleted') throw new CouldNotTell('The truck was removed from the registry by that day.');
  if (!isRestsOn(restsOn) || validated === undefined) throw new CouldNotTell('Its entry does not say how it stood.');
  const nextDueOn = body[vehicleDueField(type)] ?? null;
  return { hasCalibration: restsOn !== 'no-calibration', noneCounts: restsOn === 'nothing', validated, nextDueOn };
}
