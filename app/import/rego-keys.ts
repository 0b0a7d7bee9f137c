// Which keys of an export mean the same rego, among a million of them.
// Buys: 16 MB instead of the 150 of a Map, within an import's promise of 500. Deletable when an export says so itself.

const SHORT = 10;
const BASE = 37;
const FIRST_CAPACITY = 1 << 12;

/** Takes in the keys one by one; `collisions` has the regos that more than one of them means. */
export class RegoKeys {
  readonly collisions = new Map<string, string[]>();
  readonly #short = new NumberSet();
  readonly #long = new Set<string>();
  // Only keys that are not their own rego.
  readonly #odd = new Map<string, string>();

  add(rego: string, key: string): void {
    if (this.#isNew(rego)) {
      if (key !== rego) this.#odd.set(rego, key);
      return;
    }
    this.collisions.set(rego, [...(this.collisions.get(rego) ?? [this.#odd.get(rego) ?? rego]), key]);
  }

  #isNew(rego: string): boolean {
    if (rego.length <= SHORT) return this.#short.add(numberOf(rego));
    if (this.#long.has(rego)) return false;
    this.#long.add(rego);
    return true;
  }
}

// Digits from 1, so that leading zeros count; ten of them are below 2^53. 0 is no rego's.
function numberOf(rego: string): number {
  let number = 0;
  for (const character of rego) number = number * BASE + Number.parseInt(character, 36) + 1;
  return number;
}

/** A set of whole numbers above 0, as an open hash table of eight bytes each, at most half full. */
class NumberSet {
  #slots = new Float64Array(FIRST_CAPACITY);
  #size = 0;

  /** False when it was in already. */
  add(number: number): boolean {
    if (this.#size * 2 >= this.#slots.length) this.#grow();
    const place = this.#placeOf(number);
    if (this.#slots[place] === number) return false;
    this.#slots[place] = number;
    this.#size += 1;
    return true;
  }

  #placeOf(number: number): number {
    const { length } = this.#slots;
    // Capacities are powers of two, and 2^32 - 5 is prime: neighbours do not fall together.
    let place = (number % 4_294_967_291) % length;
    while (this.#slots[place] !== 0 && this.#slots[place] !== number) place = (place + 1) % length;
    return place;
  }

  #grow(): void {
    const numbers = this.#slots;
    this.#slots = new Float64Array(numbers.length * 2);
    for (const number of numbers) if (number !== 0) this.#slots[this.#placeOf(number)] = number;
  }
}
