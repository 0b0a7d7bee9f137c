// Numbers of 53 bits that stand for longer things, so that equal ones are found by sorting numbers. Among four million
// things two different ones share a number with a chance of 0.001.

/** Mixes whole numbers into one (cyrb53, by bryc, public domain). */
export function hashOf(length: number, part: (at: number) => number): number {
  let [one, other] = [0xdead_beef, 0x41c6_ce57];
  for (let at = 0; at < length; at += 1) {
    const value = part(at);
    one = Math.imul(one ^ value, 2_654_435_761);
    other = Math.imul(other ^ value, 1_597_334_677);
    one = (one << 13) | (one >>> 19);
    other = (other << 17) | (other >>> 15);
  }
  one = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909);
  other = Math.imul(other ^ (other >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909);
  return 4_294_967_296 * (2_097_151 & other) + (one >>> 0);
}

export const hashOfText = (text: string): number => hashOf(text.length, (at) => text.charCodeAt(at));

/** Places of `keys` that hold equal numbers, in groups of two or more, each in rising order. Zeros are left out. */
export function* equalKeys(keys: Float64Array): Generator<readonly number[]> {
  const sorted = keys.slice().sort();
  const repeated = new Map<number, number[]>();
  for (let at = 1; at < sorted.length; at += 1) {
    const key = sorted[at] ?? 0;
    if (key !== 0 && key === sorted[at - 1]) repeated.set(key, []);
  }
  for (let at = 0; at < keys.length; at += 1) repeated.get(keys[at] ?? 0)?.push(at);
  yield* repeated.values();
}

/** How many pairs of `keys` are equal; zeros are left out. Sorts `keys`. */
export function equalPairs(keys: Float64Array): number {
  keys.sort();
  let [pairs, run] = [0, 0];
  for (let at = 1; at < keys.length; at += 1) {
    run = keys[at] !== 0 && keys[at] === keys[at - 1] ? run + 1 : 0;
    pairs += run;
  }
  return pairs;
}
