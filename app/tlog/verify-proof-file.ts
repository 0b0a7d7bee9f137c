// Verifies a proof file offline: signature, inclusion, and that the opened values are those the leaf commits to. Runs
// in browsers and in Node.
import type { Bytes } from './bytes.ts';
import { openCheckpoint } from './checkpoint.ts';
import { commit } from './commitment.ts';
import { type Leaf, openableFields, parseLeaf } from './leaf.ts';
import { verifyInclusion } from './merkle-proof.ts';
import { leafHash } from './merkle-tree.ts';
import type { Sha256 } from './sha256.ts';
import type { VerifierKey } from './signed-note.ts';
import { parseProofExtra, parseTlogProof, type ProofExtra } from './tlog-proof.ts';
import { CouldNotTell, Tampered, type Verification, verification } from './verification.ts';
import { insistOnWitnesses, isOld, type Witnessing, witnessSentence } from './witnessed.ts';

/**
 * Every byte of the file counts, but for the signatures of others than `key` and the policy's witnesses. With a policy,
 * a checkpoint that its witnesses have not seen proves nothing.
 */
export async function verifyProofFile(
  sha256: Sha256,
  file: Uint8Array,
  { key, witnessing }: { key: VerifierKey; witnessing?: Witnessing | undefined },
): Promise<Verification> {
  return verification(async () => {
    const { index, hashes, checkpoint, extra } = parseTlogProof(file);
    const { size, root, origin } = await openCheckpoint(checkpoint, key);
    if (extra === undefined)
      throw new CouldNotTell('The file does not hold the entry that it is to prove (no extra data).');
    const { leaf: bytes, openings } = parseProofExtra(extra);
    const proved = { leafHash: await leafHash(sha256, bytes), index, size, root, proof: hashes };
    if (!(await verifyInclusion(sha256, proved)))
      throw new Tampered(`The entry in the file is not entry ${index} of the ${size} that ${origin} signed.`);
    const leaf = readLeaf(bytes, index);
    await checkOpenings(sha256, leaf, openings);
    const opened = openings.size === 0 ? '' : ` Opened: ${[...openings.keys()].join(', ')}.`;
    const sentence = `Proved: ${leaf.type} was logged at ${leaf.at} as entry ${index} of ${origin} and is unchanged.${opened}`;
    if (witnessing === undefined) return sentence;
    const witnessed = await insistOnWitnesses(checkpoint, key, witnessing);
    const { now } = witnessing;
    return { sentence: `${sentence}${witnessSentence(witnessed, now)}`, isOld: isOld(witnessed, now) };
  });
}

// What was signed and is no leaf is the log's own fault.
function readLeaf(bytes: Bytes, index: number): Leaf {
  try {
    return parseLeaf(bytes);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Tampered(`Entry ${index} breaks the rules of this log: ${reason}.`, { cause: error });
  }
}

/** Throws `Tampered` for a value that is not the one the leaf commits to, or a field without commitment. */
export async function checkOpenings(sha256: Sha256, leaf: Leaf, openings: ProofExtra['openings']): Promise<void> {
  const commitments = openableFields(leaf);
  for (const [field, opening] of openings)
    if ((await commit(sha256, field, opening)) !== commitments.get(field))
      throw new Tampered(`The value shown for ${field} is not the one that was logged.`);
}
