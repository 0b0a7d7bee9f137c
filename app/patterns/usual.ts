// What is usual in a registry: how common something is, and how much honest people differ in it.
//
// It is learnt from the nine of ten people who show least of it, so that up to a tenth may cheat alike without hiding
// each other. The likelihood is a beta-binomial's, asked twice: of those nine alone, as people who stay below their
// limit (the truncation), and of all, where the tenth counts only as being above it. The one that makes it rarer is
// taken: the first says nothing where the nine show nothing, the second is moved by whoever is in the tenth. The spread
// is bounded: honest people differ at least by half of the mean, and at most by the mean (as a standard deviation).
import { betaOf, type Beta, type Share, type Spread } from './statistics.ts';

/**
 * `side`: whether more than others or less is looked for. `isSlip`: honest only by mistake (a wrong day, a wrong
 * picture): so rare that its spread is not seen, and taken to be as large as the mean.
 */
export type RateRule = { side: 'more' | 'less'; isSlip: boolean };

/** Where there are too few others to see how common slips are, so many of the visits are taken to be slips. */
const STATED_SLIPS = 1 / 200;
/** Fewer people than this say nothing about what is usual. */
const FEWEST_PEOPLE = 21;
/** A little more than a tenth, as not everybody has cases. */
const BEYOND = 0.125;
/** The square of the spread by the mean. */
const SPREADS = [0.25, 0.36, 0.5, 0.7, 1];
const ROUNDS = 3;
/** Of the logarithm of the likelihood: what fits nearly as well (99 %), so that few people are no strict measure. */
const NEARLY = 2.7;
const LEAST_MEAN = 1e-7;
const MOST_MEAN = 0.95;

/** Undefined: too few people are there. */
export function usualOf(shares: readonly Share[], rule: RateRule): Spread | undefined {
  const people = shares.filter(({ n }) => n > 0);
  if (people.length < FEWEST_PEOPLE) return rule.isSlip ? spreadAt(STATED_SLIPS, 1) : undefined;
  let usual = spreadAt(firstMean(people, rule), 1);
  for (let round = 0; round < ROUNDS; round += 1) {
    const made = limited(people, usual, rule);
    const [alone, all] = [fit(made, 'nine', rule), fit(made, 'all', rule)];
    usual = isRarer(alone, all, rule) ? alone : all;
  }
  return usual;
}

/** `spread` is the square of the standard deviation between people by the mean. */
export const spreadAt = (mean: number, spread: number): Spread => ({
  mean,
  rho: Math.min(0.5, (spread * mean) / (1 - mean)),
});

// Of the nine tenths with the least share.
function firstMean(people: readonly Share[], { side }: RateRule): number {
  const sign = side === 'more' ? 1 : -1;
  const least = people
    .toSorted((one, other) => sign * (one.hits / one.n - other.hits / other.n))
    .slice(0, Math.ceil(people.length * (1 - BEYOND)));
  const [n, hits] = [least.reduce((sum, one) => sum + one.n, 0), least.reduce((sum, one) => sum + one.hits, 0)];
  return Math.min(MOST_MEAN, (hits + 1) / (n + 1));
}

const isRarer = (one: Spread, other: Spread, { side }: RateRule): boolean =>
  side === 'more' ? reachOf(one, 2) < reachOf(other, 2) : reachOf(one, -1) > reachOf(other, -1);

/** So many standard deviations above or below the mean. */
const reachOf = ({ mean, rho }: Spread, deviations: number): number =>
  mean + deviations * Math.sqrt(mean * (1 - mean) * rho);

/** More: hits above `limit` are beyond it. Less: those at or below it. */
type Limited = Share & { limit: number; isBeyond: boolean };

// The limits are those of one chance, so that a tenth of the people, or fewer, is beyond.
function limited(people: readonly Share[], usual: Spread, { side }: RateRule): Limited[] {
  const beta = betaOf(usual);
  const none = chancesOfNone(people, beta);
  const chanceAt = ({ n, hits }: Share): number => {
    const below = upTo(side === 'more' ? hits - 1 : hits, { n, none, beta });
    return side === 'more' ? 1 - below : below;
  };
  const chances = people.map(chanceAt);
  const least = chances.toSorted((one, other) => one - other)[Math.floor(people.length * BEYOND)] ?? 0;
  return people.map(({ n, hits }, at) => {
    let limit = side === 'more' ? 0 : -1;
    if (side === 'more') while (limit < n && chanceAt({ n, hits: limit + 1 }) >= least) limit += 1;
    else while (limit < n - 1 && chanceAt({ n, hits: limit + 1 }) < least) limit += 1;
    return { n, hits, limit, isBeyond: (chances[at] ?? 1) < least };
  });
}

type Terms = { n: number; none: readonly number[]; beta: Beta };

/** The chance of at most `last` hits. */
function upTo(last: number, { n, none, beta }: Terms): number {
  let [chance, sum] = [none[n] ?? 0, 0];
  for (let at = 0; at <= last; at += 1) {
    sum += chance;
    chance *= ratioAt(at, n, beta);
  }
  return sum;
}

const ratioAt = (at: number, n: number, { a, b }: Beta): number =>
  ((n - at) * (a + at)) / ((at + 1) * (b + n - at - 1));

/** By n: the chance of no hit. */
function chancesOfNone(people: readonly Share[], { a, b }: Beta): number[] {
  const none = [1];
  const most = people.reduce((largest, { n }) => Math.max(largest, n), 0);
  for (let n = 0; n < most; n += 1) none.push(((none[n] ?? 0) * (b + n)) / (a + b + n));
  return none;
}

const LEAST_CHANCE = 1e-300;

type Asked = 'nine' | 'all';

function likelihood(
  people: readonly Limited[],
  usual: Spread,
  { side, of }: { side: RateRule['side']; of: Asked },
): number {
  const beta = betaOf(usual);
  const none = chancesOfNone(people, beta);
  let sum = 0;
  const add = (chance: number, sign: 1 | -1): void => void (sum += sign * Math.log(Math.max(LEAST_CHANCE, chance)));
  for (const { n, hits, limit, isBeyond } of people) {
    if (isBeyond && of === 'nine') continue;
    const below = of === 'nine' || isBeyond ? upTo(limit, { n, none, beta }) : 0;
    if (isBeyond) add(side === 'more' ? 1 - below : below, 1);
    else {
      let chance = none[n] ?? 0;
      for (let at = 0; at < hits; at += 1) chance *= ratioAt(at, n, beta);
      add(chance, 1);
      if (of === 'nine') add(side === 'more' ? below : 1 - below, -1);
    }
  }
  return sum;
}

// The widest spread, and the mean that spares most, of those that fit nearly as well as the best.
function fit(people: readonly Limited[], of: Asked, { side, isSlip }: RateRule): Spread {
  const fits = (isSlip ? [1] : SPREADS).map((spread) => {
    const at = (log: number): number => likelihood(people, spreadAt(Math.exp(log), spread), { side, of });
    const log = summit(at);
    return { spread, at, log, height: at(log) };
  });
  const enough = Math.max(...fits.map(({ height }) => height)) - NEARLY;
  const widest = fits.findLast(({ height }) => height >= enough);
  if (widest === undefined) return spreadAt(STATED_SLIPS, 1);
  const edge = side === 'more' ? Math.log(MOST_MEAN) : Math.log(LEAST_MEAN);
  return spreadAt(Math.exp(lastAbove(enough, { from: widest.log, to: edge, at: widest.at })), widest.spread);
}

const STEPS = 24;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

// Golden section (Kiefer 1953) over the logarithm of the mean.
function summit(at: (log: number) => number): number {
  let [low, high] = [Math.log(LEAST_MEAN), Math.log(MOST_MEAN)];
  let [left, right] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
  let [atLeft, atRight] = [at(left), at(right)];
  for (let step = 0; step < STEPS; step += 1)
    if (atLeft > atRight) {
      [high, right, atRight] = [right, left, atLeft];
      left = high - GOLDEN * (high - low);
      atLeft = at(left);
    } else {
      [low, left, atLeft] = [left, right, atRight];
      right = low + GOLDEN * (high - low);
      atRight = at(right);
    }
  return (low + high) / 2;
}

type Slope = { from: number; to: number; at: (log: number) => number };

function lastAbove(enough: number, { from, to, at }: Slope): number {
  let [inside, outside] = [from, to];
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (inside + outside) / 2;
    if (at(middle) >= enough) inside = middle;
    else outside = middle;
  }
  return inside;
}
