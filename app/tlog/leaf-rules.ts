// What holds from leaf to leaf: time does not go back, and each vehicle's leaves are a chain without gap or fork.
import { type Bytes, formatBase64 } from './bytes.ts';
import { type Leaf, parseLeaf } from './leaf.ts';
import { Tampered } from './verification.ts';

/** What must be known of the leaves so far to judge the next: their number, the last time, the end of each chain. */
export type LeafState = { size: number; at: string; chains: ReadonlyMap<string, { seq: number; hash: string }> };

export const NO_LEAVES: LeafState = { size: 0, at: '', chains: new Map() };

/** Takes in the leaves in their order. Throws `Tampered` at the first that breaks a rule. */
export class LeafRules {
  #size: number;
  #at: string;
  readonly #chains: Map<string, { seq: number; hash: string }>;

  constructor({ size, at, chains }: LeafState) {
    [this.#size, this.#at, this.#chains] = [size, at, new Map(chains)];
  }

  get state(): LeafState {
    return { size: this.#size, at: this.#at, chains: new Map(this.#chains) };
  }

  add(entry: Uint8Array, hash: Bytes): void {
    const broken = this.#broken(entry, hash);
    if (broken !== undefined) throw new Tampered(`Entry ${this.#size} breaks the rules of this log: ${broken}.`);
    this.#size += 1;
  }

  #broken(entry: Uint8Array, hash: Bytes): string | undefined {
    const leaf = readLeaf(entry);
    if (typeof leaf === 'string') return leaf;
    // Instants of one length and zone are in the order of their text.
    if (leaf.at < this.#at) return `it is of ${leaf.at}, earlier than the entry before, ${this.#at}`;
    const named = leaf.body.corrects ?? leaf.body.redacts ?? 0;
    if (named > 0 && named >= this.#size) return `it names entry ${named}, which is not before it`;
    this.#at = leaf.at;
    return leaf.subject === undefined ? undefined : this.#brokenChain(leaf.subject, leaf, hash);
  }

  #brokenChain(subject: string, { subjectSeq = 0, prev }: Leaf, hash: Bytes): string | undefined {
    const end = this.#chains.get(subject);
    const next = (end?.seq ?? 0) + 1;
    if (subjectSeq !== next)
      return `its vehicle's chain has ${next - 1} entries and this says that it is number ${subjectSeq}`;
    if (prev !== end?.hash) return "it does not follow the last entry of its vehicle's chain";
    this.#chains.set(subject, { seq: subjectSeq, hash: formatBase64(hash) });
    return undefined;
  }
}

function readLeaf(entry: Uint8Array): Leaf | string {
  try {
    return parseLeaf(entry);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
