// What proves the registry's answer about a truck at the end of a day, to be read without a network: the entries about
// the truck and the rules up to then, each with its proof that it was in the log of that day; that this log ended with
// the day; and that what was signed since begins with it. The verdict is worked out from these.
import { z } from 'zod';
import { addDays, formatDay, instantOfDay, isDay } from '#app/platform/time/calendar.ts';
import { FIRST_POLICY } from '#app/policy/policy.ts';
import { equalBytes, formatBase64, Malformed, parseBase64, parseUtf8, utf8, type Bytes } from '#app/tlog/bytes.ts';
import { parseCanonicalJson } from '#app/tlog/canonical-json.ts';
import { openCheckpoint } from '#app/tlog/checkpoint.ts';
import { parseLeaf, type Leaf } from '#app/tlog/leaf.ts';
import { verifyConsistency, verifyInclusion } from '#app/tlog/merkle-proof.ts';
import { leafHash } from '#app/tlog/merkle-tree.ts';
import type { Sha256 } from '#app/tlog/sha256.ts';
import type { VerifierKey } from '#app/tlog/signed-note.ts';
import { CouldNotTell, Tampered, verification, type Verification } from '#app/tlog/verification.ts';
import { checkOpenings } from '#app/tlog/verify-proof-file.ts';
import { insistOnWitnesses, type Witnessing } from '#app/tlog/witnessed.ts';
import { factsIn } from './carried-proof.ts';
import { judge, saidOn } from './verdict.ts';

const opening = z.strictObject({ salt: z.string(), value: z.looseObject({ rego: z.string() }) });
// Hashes are in base64. `size`, `root`: of the log at the end of the day. `signed`: the checkpoint of that day, if one
// was. `checkpoint`: a later one, whose log begins with that of the day (`consistency`). `entries`: about the truck and
// the rules, the last of the day, the first after it; the later log proves what is later. `plate`: of a truck whose
// plate was changed, what the entry that says its state commits to.
const schema = z.strictObject({
  proof: z.literal('registry-day@1'),
  day: z.string().refine(isDay),
  zone: z.string(),
  rego: z.string(),
  verdict: z.string(),
  size: z.int().positive(),
  root: z.string(),
  signed: z.string().nullable(),
  checkpoint: z.string(),
  consistency: z.array(z.string()),
  entries: z.array(z.strictObject({ index: z.int().nonnegative(), leaf: z.string(), hashes: z.array(z.string()) })),
  subject: opening,
  plate: opening.nullable(),
});
export type PastProof = z.infer<typeof schema>;
type Entry = { index: number; leaf: Leaf; hash: Bytes };
type Reading = { key: VerifierKey; witnessing?: Witnessing | undefined; zone: string; rego: string };

/** Reads the file, which is canonical JSON. Refuses one that is altered, or of another truck than `rego`; '': any. */
export function readPastProof(sha256: Sha256, file: Uint8Array, reading: Reading): Promise<Verification> {
  return verification(async () => {
    const parsed = schema.safeParse(parseCanonicalJson(parseUtf8(file)));
    if (!parsed.success) throw new Malformed('it is no proof of what was said on a day');
    const proof = parsed.data;
    const { day, rego, size, zone, subject, plate, signed } = proof;
    if (zone !== reading.zone) throw new CouldNotTell(`Its days are those of ${zone}: give it as the zone.`);
    const entries = await provedEntries(sha256, proof, reading);
    const chain = chainOf(entries);
    const then = chain.filter(({ index }) => index < size);
    const last = then.findLast(({ leaf }) => leaf.body.restsOn !== undefined)?.leaf;
    if (last === undefined)
      throw new CouldNotTell('Its entries are older than those that say on what a verdict rests.');
    if (last.type === 'vehicle.deleted') throw new CouldNotTell('The truck was removed from the registry by that day.');
    await checkOpenings(sha256, last, new Map(Object.entries({ subject, ...(plate === null ? {} : { plate }) })));
    const isOfRego = (last.plate === undefined) === (plate === null) && (plate ?? subject).value.rego === rego;
    if (!isOfRego || ![rego, ''].includes(reading.rego)) throw new Tampered('It is the proof of another truck.');
    const facts = factsIn(last, last.body.restsOn ?? '');
    const rules = rulesOf(entries, size);
    const { verdict, word } = judge(facts, day, rules);
    if (verdict !== proof.verdict) throw new Tampered(`Its entries do not say ${proof.verdict}, but ${verdict}.`);
    const how =
      signed === null ? 'not signed that day, and all that was signed later begins with it' : 'signed that day';
    const later =
      then.length < chain.length ? 'The next entry about it came later.' : 'No later entry is in this file.';
    return `${rego} on ${formatDay(day)}: it said “${word}”. ${saidOn(facts, day, rules)} Proved by ${then.length} entries about it in the log of that day, of ${size} entries, ${how}. ${later}`;
  });
}

// Each entry in its order, once it is proved to be in the log; and the log of that day was neither shorter nor longer.
async function provedEntries(sha256: Sha256, proof: PastProof, { key, witnessing }: Reading): Promise<Entry[]> {
  const { day, zone, size, signed, checkpoint, consistency, entries } = proof;
  const then = { size, root: parseBase64(proof.root) };
  const head = await openCheckpoint(utf8(checkpoint), key);
  if (witnessing !== undefined) await insistOnWitnesses(utf8(checkpoint), key, witnessing);
  const heads = { oldSize: size, oldRoot: then.root, size: head.size, root: head.root };
  if (!(await verifyConsistency(sha256, { ...heads, proof: consistency.map(parseBase64) })))
    throw new Tampered('What was signed later does not begin with the log of that day.');
  const ofDay = signed === null ? then : await openCheckpoint(utf8(signed), key);
  if (ofDay.size !== size || !equalBytes(ofDay.root, then.root)) throw new Tampered('That day another log was signed.');
  const proved: Entry[] = [];
  for (const { index, leaf, hashes } of entries) {
    if (index <= (proved.at(-1)?.index ?? -1)) throw new Tampered('Its entries are not in their order.');
    const hash = await leafHash(sha256, utf8(leaf));
    const { size: treeSize, root } = index < size ? then : head;
    const inTree = { leafHash: hash, index, size: treeSize, root, proof: hashes.map(parseBase64) };
    if (!(await verifyInclusion(sha256, inTree))) throw new Tampered(`Entry ${index} is not the one that was logged.`);
    proved.push({ index, leaf: parseLeaf(utf8(leaf)), hash });
  }
  const end = instantOfDay(addDays(day, 1), zone).toISOString();
  const atOf = (index: number) => proved.find((one) => one.index === index)?.leaf.at;
  const [last, next] = [atOf(size - 1), atOf(size)];
  if (last === undefined || next === undefined) throw new CouldNotTell('It does not show that the day was over.');
  if (last >= end || next < end) throw new Tampered(`The log did not have ${size} entries at the end of that day.`);
  return proved;
}

// The entries about the truck are a chain, so none is left out between them.
function chainOf(entries: readonly Entry[]): Entry[] {
  const subject = entries.find(({ leaf }) => leaf.subjectSeq === 1)?.leaf.subject;
  const chain = entries.filter(({ leaf }) => subject !== undefined && leaf.subject === subject);
  for (const [place, { leaf }] of chain.entries()) {
    const before = chain[place - 1];
    if (leaf.subjectSeq !== place + 1 || leaf.prev !== (before && formatBase64(before.hash)))
      throw new Tampered('An entry about the truck is missing.');
  }
  return chain;
}

// Those in force at the end of the day. The number of a version is one more than that of the one before.
function rulesOf(entries: readonly Entry[], size: number): { dueSoonDays: number } {
  const changed = entries.filter(({ leaf }) => leaf.type === 'policy.changed');
  const versions = changed.map(({ leaf }) => leaf.body.policyVersion ?? 0);
  if (versions.some((version, place) => place > 0 && version !== (versions[place - 1] ?? 0) + 1))
    throw new Tampered('A version of the rules is missing.');
  const inForce = changed.findLast(({ index }) => index < size)?.leaf.body;
  return { dueSoonDays: inForce?.dueSoonDays ?? FIRST_POLICY.dueSoonDays };
}
