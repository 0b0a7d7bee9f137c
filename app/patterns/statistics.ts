// Tails of distributions on the whole numbers, and the spread of a rate between technicians.
//
// A tail is summed from the ratios of neighbouring terms, begun at the mode and divided by the sum of all terms. No
// gamma function is needed, so nothing cancels: the relative error is about 2e-16 a term that lies between the mode and
// the tail. simple-statistics 7.12.1 has the single terms of the binomial and of Poisson, up to a fixed epsilon, and no
// tails.
import type { ShareSums } from '#database/pattern-tables.ts';

/** The distribution on 0 to `last`; `ratio(k)` is the chance of k + 1 divided by that of k. */
type Ratios = { last: number; mode: number; ratio: (k: number) => number };
type Tails = { atLeast: number; atMost: number };

const NEGLIGIBLE = 1e-18;

function tailsAt(k: number, { last, mode, ratio }: Ratios): Tails {
  const sums = { total: 0, atLeast: 0, atMost: 0 };
  const add = (at: number, term: number): void => {
    sums.total += term;
    if (at >= k) sums.atLeast += term;
    if (at <= k) sums.atMost += term;
  };
  add(mode, 1);
  for (let at = mode, term = 1; at < last; at += 1) {
    term *= ratio(at);
    add(at + 1, term);
    if (term <= NEGLIGIBLE * (at + 1 >= k ? sums.atLeast : 0)) break;
    if (term === 0) break;
  }
  for (let at = mode, term = 1; at > 0; at -= 1) {
    term /= ratio(at - 1);
    add(at - 1, term);
    if (term <= NEGLIGIBLE * (at - 1 <= k ? sums.atMost : 0)) break;
    if (term === 0) break;
  }
  return { atLeast: Math.min(1, sums.atLeast / sums.total), atMost: Math.min(1, sums.atMost / sums.total) };
}

/** Chances of at least, and of at most, `k` hits in `n` tries of chance `p` (0 to 1). */
export function binomialTails(k: number, n: number, p: number): Tails {
  if (p <= 0) return { atLeast: k <= 0 ? 1 : 0, atMost: k >= 0 ? 1 : 0 };
  if (p >= 1) return { atLeast: k <= n ? 1 : 0, atMost: k >= n ? 1 : 0 };
  const odds = p / (1 - p);
  return tailsAt(k, {
    last: n,
    mode: Math.min(n, Math.floor((n + 1) * p)),
    ratio: (at) => ((n - at) / (at + 1)) * odds,
  });
}

/** The same where the chance itself is drawn from Beta(a, b) (Skellam, J. R. Stat. Soc. B 10, 1948). */
export function betaBinomialTails(k: number, n: number, { a, b }: Beta): Tails {
  const ratio = (at: number): number => ((n - at) * (a + at)) / ((at + 1) * (b + n - at - 1));
  // Of two summits (a and b below 1) any start serves: the terms are divided by their sum.
  const mode = a + b > 2 ? Math.round(((n + 1) * (a - 1)) / (a + b - 2)) : 0;
  return tailsAt(k, { last: n, mode: Math.max(0, Math.min(n, mode)), ratio });
}

/** Chances of at least, and of at most, `k` events where `mean` are expected. */
export function poissonTails(k: number, mean: number): Tails {
  if (mean <= 0) return { atLeast: k <= 0 ? 1 : 0, atMost: 1 };
  const last = Math.ceil(Math.max(k, mean) + 60 + 12 * Math.sqrt(Math.max(k, mean)));
  return tailsAt(k, { last, mode: Math.floor(mean), ratio: (at) => mean / (at + 1) });
}

export type Beta = { a: number; b: number };

/** The Beta distribution of this mean and intraclass correlation `rho` = 1 / (a + b + 1). */
export function betaOf({ mean, rho }: Spread): Beta {
  const total = 1 / rho - 1;
  return { a: mean * total, b: (1 - mean) * total };
}

/** The mean of a rate, and how much it differs between people: its variance is mean (1 - mean) rho. */
export type Spread = { mean: number; rho: number };

/** `hits` of `n`, of one technician. */
export type Share = { n: number; hits: number };

/** Sums over technicians, from which `spreadOf` is computed; one technician can be taken out again. */
export const noShares: ShareSums = { people: 0, n: 0, hits: 0, nn: 0, between: 0 };

/** `sums` with `share` added (`sign` 1), or taken out (-1). */
export function addShare(sums: ShareSums, { n, hits }: Share, sign: 1 | -1): ShareSums {
  if (n === 0) return sums;
  return {
    people: sums.people + sign,
    n: sums.n + sign * n,
    hits: sums.hits + sign * hits,
    nn: sums.nn + sign * n * n,
    between: sums.between + (sign * hits * hits) / n,
  };
}

const LEAST_RHO = 1e-6;
/** Standard normal quantile of 99 %. */
const Z_99 = 2.326_347_874;

/**
 * The rate and its spread between technicians, by the analysis of variance (Ridout, Demétrio and Firth, Biometrics 55,
 * 1999). The mean square between technicians is taken at its upper 99 % limit (chi square by Wilson and Hilferty), so
 * that a spread from few technicians is rather too large, and the test too careful.
 */
export function spreadOf({ people, n, hits, nn, between }: ShareSums): Spread {
  const mean = hits / n;
  const freedom = people - 1;
  const size = (n - nn / n) / freedom;
  const limit = (1 - 2 / (9 * freedom) - Z_99 * Math.sqrt(2 / (9 * freedom))) ** 3;
  const msb = (between - (hits * hits) / n) / freedom / Math.max(limit, 0.01);
  const msw = (hits - between) / Math.max(1, n - people);
  const rho = (msb - msw) / (msb + (size - 1) * msw);
  return { mean, rho: Math.min(0.9, Math.max(LEAST_RHO, Number.isFinite(rho) ? rho : LEAST_RHO)) };
}

/** The least k with chance(k) at or below `level`; `from` to `to`, chance falling. `to + 1` where there is none. */
export function leastAt(
  level: number,
  { from, to }: { from: number; to: number },
  chance: (k: number) => number,
): number {
  let [low, high] = [from, to + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (chance(middle) <= level) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The least n from which on power(n) is at least `wanted`; undefined: not by `most`. */
export function neededN(wanted: number, power: (n: number) => number, most: number): number | undefined {
  // The power of a discrete test saws, by a few n, so each candidate is asked with later ones.
  const isEnough = (n: number): boolean => [n, n + 1, n + 2, n + 4, n + 7, n + 12].every((at) => power(at) >= wanted);
  let high = 4;
  while (!isEnough(high)) {
    if (high >= most) return undefined;
    high *= 2;
  }
  return leastAt(-1, { from: Math.floor(high / 2), to: high - 1 }, (n) => (isEnough(n) ? -1 : 0));
}
