// Two signed checkpoints that cannot both be of one honest log are evidence against its operator that anyone can check
// with the verifier key alone.
import { equalBytes } from './bytes.ts';
import { openGiven } from './checkpoint.ts';
import { EMPTY_FRONTIER, rootOf } from './merkle-tree.ts';
import type { Sha256 } from './sha256.ts';
import type { VerifierKey } from './signed-note.ts';
import { CouldNotTell, Tampered, type Verification, verification } from './verification.ts';

/** `tampered` when the two are a fork, `proved` when they show the same tree. Other sizes need the log itself. */
export async function forkEvidence(
  sha256: Sha256,
  [noteA, noteB]: readonly [Uint8Array, Uint8Array],
  key: VerifierKey,
): Promise<Verification> {
  return verification(async () => {
    const a = await openGiven(noteA, key, 'The first note is no evidence');
    const b = await openGiven(noteB, key, 'The second note is no evidence');
    const emptyRoot = await rootOf(sha256, EMPTY_FRONTIER);
    for (const { size, root } of [a, b])
      if (size === 0 && !equalBytes(root, emptyRoot))
        throw new Tampered(`${key.name} signed a root for the empty tree that is not the empty tree's.`);
    if (a.size !== b.size) {
      const [smaller, larger] = [Math.min(a.size, b.size), Math.max(a.size, b.size)];
      throw new CouldNotTell(
        `The notes are of ${smaller} and ${larger} entries: whether one tree begins with the other only the log shows. ` +
          `Audit it with the smaller one as saved checkpoint.`,
      );
    }
    if (!equalBytes(a.root, b.root))
      throw new Tampered(
        `Forked: ${key.name} signed two different trees of ${a.size} entries. These two notes are evidence for anyone who has the key.`,
      );
    return `Proved: both notes show the same tree of ${a.size} entries of ${key.name}.`;
  });
}
