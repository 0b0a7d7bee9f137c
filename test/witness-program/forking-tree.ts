// A tree of made-up leaves that can be forked: what a log that shows two faces would publish, with its proofs.
import { randomBytes } from 'node:crypto';
import { type Bytes, formatBase64 } from '#app/tlog/bytes.ts';
import { formatCheckpoint } from '#app/tlog/checkpoint.ts';
import { proveConsistency } from '#app/tlog/merkle-proof.ts';
import { nodeHash, rootOf } from '#app/tlog/merkle-tree.ts';
import { nodeSha256 } from '#app/tlog/sha256.server.ts';
import { type SigningKey, signNote } from '#app/tlog/sign-note.server.ts';

export class ForkingTree {
  readonly #leaves: string[];
  // Of complete subtrees, by height and index: the leaves below them do not change.
  readonly #hashes: Map<string, Bytes>;

  constructor(leaves: readonly string[] = [], hashes: ReadonlyMap<string, Bytes> = new Map()) {
    this.#leaves = [...leaves];
    this.#hashes = new Map(hashes);
  }

  get size(): number {
    return this.#leaves.length;
  }

  grow(by: number): this {
    for (let added = 0; added < by; added += 1) this.#leaves.push(formatBase64(Uint8Array.from(randomBytes(32))));
    return this;
  }

  /** A tree with the first `size` leaves, which grows in its own way. */
  fork(size = this.size): ForkingTree {
    return new ForkingTree(this.#leaves.slice(0, size), size === this.size ? this.#hashes : new Map());
  }

  /** Whether this tree's first `size` leaves begin with the first `otherSize` of the other. */
  extends(size: number, other: ForkingTree, otherSize: number): boolean {
    if (otherSize > size) return false;
    for (let at = 0; at < otherSize; at += 1) if (this.#leaves[at] !== other.#leaves[at]) return false;
    return true;
  }

  async root(size = this.size): Promise<Bytes> {
    const hashes: Bytes[] = [];
    for (let at = 0; at < size;) {
      let [height, width] = [0, 1];
      for (; at % (width * 2) === 0 && at + width * 2 <= size; width *= 2) height += 1;
      hashes.push(await this.#subtree(height, at / width));
      at += width;
    }
    return rootOf(nodeSha256, { hashes });
  }

  async note(key: SigningKey, size = this.size, extensions: string[] = []): Promise<string> {
    const { name: origin } = key.verifier;
    return signNote(key, formatCheckpoint({ origin, size, root: await this.root(size), extensions }));
  }

  async proof(oldSize: number, size = this.size): Promise<string[]> {
    if (oldSize === 0 || oldSize > size) return [];
    const subtree = (height: number, index: number) => this.#subtree(height, index);
    return (await proveConsistency(nodeSha256, { oldSize, size }, subtree)).map(formatBase64);
  }

  /** The body of a request to a witness. */
  async request(key: SigningKey, old: number, size = this.size): Promise<string> {
    return formatRequest(old, await this.proof(old, size), await this.note(key, size));
  }

  async #subtree(height: number, index: number): Promise<Bytes> {
    const name = `${height}/${index}`;
    const known = this.#hashes.get(name);
    if (known !== undefined) return known;
    // Leaves are random: they serve as their own hashes.
    const hash =
      height === 0
        ? Uint8Array.from(Buffer.from(this.#leaves[index]!, 'base64'))
        : await nodeHash(
            nodeSha256,
            await this.#subtree(height - 1, index * 2),
            await this.#subtree(height - 1, index * 2 + 1),
          );
    this.#hashes.set(name, hash);
    return hash;
  }
}

export function formatRequest(old: number | string, proof: readonly string[], note: string): string {
  return [`old ${old}`, ...proof, '', note].join('\n');
}
