// Typed arrays that grow, and texts by number.

class Growing<T extends Int32Array | Float64Array> {
  length = 0;
  #values: T;
  readonly #make: (length: number) => T;
  constructor(make: (length: number) => T) {
    this.#make = make;
    this.#values = make(64);
  }
  push(value: number): void {
    if (this.length === this.#values.length) {
      const longer = this.#make(this.length * 2);
      longer.set(this.#values);
      this.#values = longer;
    }
    this.#values[this.length] = value;
    this.length += 1;
  }
  /** What was pushed; nothing may be pushed afterwards. */
  cut(): T {
    const exact = this.#make(this.length);
    exact.set(this.#values.subarray(0, this.length));
    this.#values = exact;
    return exact;
  }
}

export const int32 = (): Growing<Int32Array> => new Growing((length) => new Int32Array(length));
export const float64 = (): Growing<Float64Array> => new Growing((length) => new Float64Array(length));

/** Numbers texts from 0, in the order in which they first come. */
export function numbering(): { of: (text: string) => number; names: readonly string[] } {
  const known = new Map<string, number>();
  const names: string[] = [];
  return {
    names,
    of: (text) => {
      const number = known.get(text);
      if (number !== undefined) return number;
      known.set(text, names.length);
      names.push(text);
      return names.length - 1;
    },
  };
}

/** The number at `index`, which is there: an index of these columns never lies outside them. */
export const read = (column: Int32Array | Float64Array | Uint8Array, index: number): number => column[index] ?? 0;
