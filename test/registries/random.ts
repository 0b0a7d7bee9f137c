// Seeded chance, so that every run invents the same registry.
import type { Choice } from './parameters.ts';

export type Random = {
  /** 0 to 1, 1 excluded. */
  next: () => number;
  normal: (mean: number, deviation: number) => number;
  below: (count: number) => number;
  between: (range: readonly [number, number] | readonly number[]) => number;
  is: (share: number) => boolean;
  choose: (choice: Choice) => number;
  pick: <T>(from: readonly T[]) => T;
  /** A share drawn around a mean with a deviation between people. */
  share: (spread: readonly number[]) => number;
  hex: (digits: number) => string;
  shuffle: <T>(from: T[]) => T[];
};

/** sfc32 of PractRand (Chris Doty-Humphrey, public domain). */
export function randomFrom(seed: number): Random {
  let [a, b, c, counter] = [0x9e37_79b9, 0x243f_6a88, seed | 0, 1];
  const word = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 15; round += 1) word();
  const next = (): number => word() / 4_294_967_296;
  const normal = (mean: number, deviation: number): number =>
    mean + deviation * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const gamma = (shape: number): number => {
    // Marsaglia and Tsang, ACM TOMS 26, 2000; a shape below 1 is raised first.
    if (shape < 1) return gamma(shape + 1) * (1 - next()) ** (1 / shape);
    const d = shape - 1 / 3;
    for (;;) {
      const x = normal(0, 1);
      const v = (1 + x / Math.sqrt(9 * d)) ** 3;
      if (v > 0 && Math.log(1 - next()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
    }
  };
  const below = (count: number): number => Math.floor(next() * count);
  return {
    next,
    normal,
    below,
    between: ([from = 0, to = 0]) => from + (to - from) * next(),
    is: (share) => next() < share,
    choose: (choice) => {
      let left = next();
      for (const [share, value] of choice) if ((left -= share) < 0) return value;
      return choice.at(-1)?.[1] ?? 0;
    },
    pick: (from) => from[below(from.length)]!,
    share: ([mean = 0, deviation = 0]) => {
      if (deviation === 0) return mean;
      const total = (mean * (1 - mean)) / deviation ** 2 - 1;
      const [one, other] = [gamma(mean * total), gamma((1 - mean) * total)];
      return one / (one + other);
    },
    hex: (digits) => {
      let text = '';
      while (text.length < digits) text += word().toString(16).padStart(8, '0');
      return text.slice(0, digits);
    },
    shuffle: (from) => {
      for (let at = from.length - 1; at > 0; at -= 1) {
        const other = below(at + 1);
        [from[at], from[other]] = [from[other]!, from[at]!];
      }
      return from;
    },
  };
}
