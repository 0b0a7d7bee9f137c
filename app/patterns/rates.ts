// A technician's share of something against that of all others. Honest technicians differ, by region, fleets and
// habits, so the null is a beta-binomial: the chance itself differs between people as much as it is seen to differ.
import type { Count } from './pattern.ts';
import {
  addShare,
  betaBinomialTails,
  betaOf,
  binomialTails,
  leastAt,
  noShares,
  poissonTails,
  spreadOf,
  type Share,
  type Spread,
} from './statistics.ts';
import type { ShareSums } from '#database/pattern-tables.ts';

/**
 * `side`: whether more than others or less is looked for. `isSlip`: honest only by mistake (a wrong day, a wrong
 * picture), so rare that its spread is not seen: it is taken to be at least as large as the rate itself, and one more
 * slip is counted.
 */
export type RateRule = { side: 'more' | 'less'; isSlip: boolean };

/** Where there are too few others to see how common slips are, so many of the visits are taken to be slips. */
const STATED_SLIPS = 1 / 200;
/** Fewer others than this say nothing about what is usual. */
const FEWEST_OTHERS = 20;
/** People differ at least by so much of the rate, as a standard deviation. */
const LEAST_DIFFERENCE = 0.5;
/** Fewer slips than this show no spread between people. */
const FEWEST_SLIPS = 30;
/** Anybody who is less likely than this is no measure of what is usual. */
const TRIMMED_AT = 1e-4;
const TRIMMINGS = 3;

/** What is usual, and whom that is taken from. */
export type Usual = { sums: ShareSums; from: ReadonlySet<string> };

export function usualRate(counts: readonly Count[], rule: RateRule): Usual {
  let from = counts.filter(({ n }) => n > 0);
  let usual = gather(from);
  for (let round = 0; round < TRIMMINGS; round += 1) {
    const kept = from.filter((count) => (rateChance(count, usual, rule) ?? 1) >= TRIMMED_AT);
    if (kept.length === from.length) break;
    from = kept;
    usual = gather(from);
  }
  return usual;
}

const gather = (counts: readonly Count[]): Usual => ({
  sums: counts.reduce((sums, count) => addShare(sums, count, 1), noShares),
  from: new Set(counts.map(({ technician }) => technician)),
});

/** Hits beyond those that are expected by a known chance. */
const unexplained = ({ n, hits, facts }: Count): Share => ({ n, hits: Math.max(0, hits - (facts['byChance'] ?? 0)) });

/** The rate of everybody but this technician, and its spread; undefined where too few others are there. */
export function usualWithout(count: Count, { sums, from }: Usual, rule: RateRule): Spread | undefined {
  const others = from.has(count.technician) ? addShare(sums, unexplained(count), -1) : sums;
  return others.people < FEWEST_OTHERS && !rule.isSlip ? undefined : usualSpread(others, rule);
}

export function usualSpread(sums: ShareSums, { side, isSlip }: RateRule): Spread {
  if (isSlip && sums.people < FEWEST_OTHERS) {
    const mean = Math.min(0.5, Math.max(STATED_SLIPS, sums.n <= 0 ? 0 : sums.hits / sums.n));
    return { mean, rho: mean / (1 - mean) };
  }
  if (sums.n <= 0) return { mean: 0.5, rho: 0.5 };
  const seen = spreadOf(sums);
  if (!isSlip) {
    const mean = Math.min(Math.max(sums.hits, 1) / sums.n, 1 - 1 / (sums.n + 1));
    // Of something rare few hits show no spread, though people differ.
    return { mean, rho: Math.max(seen.rho, side === 'more' ? (LEAST_DIFFERENCE ** 2 * mean) / (1 - mean) : 0) };
  }
  const mean = Math.min(0.5, (sums.hits + 1) / sums.n);
  return { mean, rho: Math.max(sums.hits < FEWEST_SLIPS ? 0 : seen.rho, mean / (1 - mean)) };
}

/** The chance that an honest technician shows as much; undefined where too few others are there. */
export function rateChance(count: Count, usual: Usual, rule: RateRule): number | undefined {
  const spread = usualWithout(count, usual, rule);
  return spread === undefined ? undefined : chanceOf(count, spread, rule);
}

export function chanceOf({ n, hits }: Share, spread: Spread, { side }: RateRule): number {
  const tails = betaBinomialTails(hits, n, betaOf(spread));
  return side === 'more' ? tails.atLeast : tails.atMost;
}

/** The chance of the most striking outcome of n. */
export const leastChance = (n: number, spread: Spread, rule: RateRule): number =>
  chanceOf({ n, hits: rule.side === 'more' ? n : 0 }, spread, rule);

/**
 * The chance that it is found, of n, at `level`, where the share `faked` of them is faked and the rest is as with the
 * others. Faked means a hit where more is looked for, and none where less is.
 */
export function ratePower(n: number, faked: number, { level, spread, rule }: { level: number } & RateGround): number {
  const beta = betaOf(spread);
  if (rule.side === 'more') {
    const k = leastAt(level, { from: 1, to: n }, (hits) => betaBinomialTails(hits, n, beta).atLeast);
    return k > n
      ? 0
      : mixed(n, faked, (fakes) => (fakes >= k ? 1 : betaBinomialTails(k - fakes, n - fakes, beta).atLeast));
  }
  const missing = leastAt(level, { from: 0, to: n }, (fewer) => betaBinomialTails(n - fewer, n, beta).atMost);
  if (missing > n) return 0;
  const most = n - missing;
  return mixed(n, faked, (fakes) => betaBinomialTails(most, n - fakes, beta).atMost);
}

export type RateGround = { spread: Spread; rule: RateRule };

/** The mean of `chance` over the number of fakes among n. */
function mixed(n: number, faked: number, chance: (fakes: number) => number): number {
  if (faked >= 1) return chance(n);
  const deviation = 9 * Math.sqrt(n * faked * (1 - faked)) + 4;
  const [from, to] = [Math.max(0, Math.floor(n * faked - deviation)), Math.min(n, Math.ceil(n * faked + deviation))];
  let sum = 0;
  let above = binomialTails(from, n, faked).atLeast;
  for (let fakes = from; fakes <= to && above > 1e-12; fakes += 1) {
    const beyond = binomialTails(fakes + 1, n, faked).atLeast;
    sum += (above - beyond) * chance(fakes);
    above = beyond;
  }
  return sum;
}

/** The chance of as many hits where some are slips and others come by a known chance, `byChance` of them on average. */
export function slipChance(count: Count, usual: Usual, byChance: number): number | undefined {
  const spread = usualWithout(count, usual, SLIP);
  return spread === undefined ? undefined : slipChanceOf(count, spread, byChance);
}

export const SLIP: RateRule = { side: 'more', isSlip: true };

const NEGLIGIBLE = 1e-18;

export function slipChanceOf({ n, hits }: Share, spread: Spread, byChance: number): number {
  const beta = betaOf(spread);
  const slips = (least: number): number => betaBinomialTails(least, n, beta).atLeast;
  if (byChance === 0) return slips(hits);
  let above = 1;
  let chance = 0;
  for (let met = 0; met < hits && above > NEGLIGIBLE * chance; met += 1) {
    const beyond = poissonTails(met + 1, byChance).atLeast;
    chance += (above - beyond) * slips(hits - met);
    above = beyond;
  }
  return Math.min(1, chance + above);
}

/** As ratePower, for a pattern of which slips and `byChance` hits are honest. */
export function slipPower(
  n: number,
  faked: number,
  { level, spread, byChance }: { level: number } & SlipGround,
): number {
  const k = leastAt(level, { from: 1, to: n }, (hits) => slipChanceOf({ n, hits }, spread, byChance));
  return k > n ? 0 : binomialTails(k, n, faked).atLeast;
}

export type SlipGround = { spread: Spread; byChance: number };
