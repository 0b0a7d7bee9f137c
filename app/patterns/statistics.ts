// Tails of distributions on the whole numbers.
//
// A tail is summed from the ratios of neighbouring terms, begun at the mode and divided by the sum of all terms. No
// gamma function is needed, so nothing cancels: the relative error is about 2e-16 a term that lies between the mode and
// the tail. simple-statistics 7.12.1 has the single terms of the binomial and of Poisson, up to a fixed epsilon, and no
// tails.

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

/** Of a share seen, the 95 % interval of the one behind it (Wilson, J. Am. Stat. Assoc. 22, 1927). */
export function wilsonInterval({ n, hits }: Share): { low: number; high: number } {
  const z2 = 1.959_964 ** 2;
  const middle = (hits + z2 / 2) / (n + z2);
  const half = Math.sqrt(((hits * (n - hits)) / n + z2 / 4) * z2) / (n + z2);
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}
