// What the next visit to a truck, by somebody else, says of a line. Drift is honest too, and which of two visits is
// right is not known, so nobody is held against those who disagree with everybody: each is expected to disagree as
// often as he does with all others.
import { doesAgree } from './agreement-numbers.ts';
import { addHit, countEach } from './count.ts';
import type { Count } from './pattern.ts';
import { axleIn, type Sample, type SampleTolerance, type SampleVisit } from './sample.ts';

type Pair = { earlier: SampleVisit; later: SampleVisit; hit: boolean };
type Share = { n: number; hits: number };

/** Of a person with few visits beside others, the mean counts as so many. */
const SHRUNK_TO = 10;
const LEAST_MEAN = 1e-3;
/** With fewer mutual visits, or fewer with others, nobody takes turns. */
const FEWEST_MUTUAL = 8;
const FEWEST_OTHERS = 3;

function pairsOf(sample: Sample, tolerance: SampleTolerance): Pair[] {
  return [...sample.next].flatMap(([earlier, later]) => {
    if (earlier.technician === later.technician) return [];
    const unchanged = later.axles.filter(({ sensorReplaced, otherTrailer }) => !sensorReplaced && !otherTrailer);
    const agree = unchanged.map((axle) => doesAgree(axle, axleIn(earlier, axle.axle), tolerance));
    if (!agree.includes(true) && !agree.includes(false)) return [];
    return [{ earlier, later, hit: agree.includes(false) }];
  });
}

const shareOf = (pairs: readonly Pair[]): Share => ({ n: pairs.length, hits: pairs.filter(({ hit }) => hit).length });

/** How often somebody is expected to disagree with `without`: as often as with all others. */
type Expecting = (other: string, ...without: readonly string[]) => number;

/** Of somebody's visits beside others, so many count: those with whom he disagrees most may be cheats. */
const COUNTED = 7 / 8;

function expecting(pairs: readonly Pair[]): {
  of: ReadonlyMap<string, readonly Pair[]>;
  expects: Expecting;
  mean: number;
} {
  const of = new Map<string, Pair[]>();
  for (const pair of pairs)
    for (const one of [pair.earlier.technician, pair.later.technician]) {
      const own = of.get(one);
      if (own === undefined) of.set(one, [pair]);
      else own.push(pair);
    }
  const beside = new Map(
    [...of].map(([one, own]) => [
      one,
      [...Map.groupBy(own, (pair) => otherIn(pair, one))]
        .map(([other, shared]) => ({ other, ...shareOf(shared) }))
        .toSorted((a, b) => a.hits / a.n - b.hits / b.n),
    ]),
  );
  const all = [...beside.values()].map((own) => counted(own)).reduce(add, NONE);
  const usual = all.hits / Math.max(1, all.n);
  return {
    of,
    mean: Math.max(LEAST_MEAN, usual),
    expects: (other, ...without) => {
      const { n, hits } = counted((beside.get(other) ?? []).filter((one) => !without.includes(one.other)));
      return (hits + SHRUNK_TO * usual) / (n + SHRUNK_TO);
    },
  };
}

const NONE: Share = { n: 0, hits: 0 };
const add = (one: Share, other: Share): Share => ({ n: one.n + other.n, hits: one.hits + other.hits });

// Of shares in rising order.
function counted(shares: readonly Share[]): Share {
  const most = shares.reduce((sum, { n }) => sum + n, 0) * COUNTED;
  let sum = NONE;
  for (const share of shares) {
    if (sum.n + share.n > most) break;
    sum = add(sum, share);
  }
  return sum;
}

const otherIn = ({ earlier, later }: Pair, one: string): string =>
  earlier.technician === one ? later.technician : earlier.technician;

const meanOf = (numbers: readonly number[]): number =>
  numbers.length === 0 ? 0 : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/**
 * facts.expected: how often those who came next disagree with others, by how often people do (1). Left out are those
 * with whom they disagree most, so that cheats do not explain each other.
 */
export function countNextDisagrees(sample: Sample, tolerance: SampleTolerance): Count[] {
  const { of, expects, mean } = expecting(pairsOf(sample, tolerance));
  return countEach(sample, (count, visits) => {
    const self = visits[0]?.technician ?? '';
    const asked = (of.get(self) ?? []).filter(({ earlier }) => earlier.technician === self);
    count.n = asked.length;
    count.facts = { expected: meanOf(asked.map(({ later }) => expects(later.technician, self))) / mean };
    for (const { earlier, later, hit } of asked) if (hit) addHit(count, [earlier, later]);
  });
}

/**
 * Two who come after each other again and again: their mutual lines fit, those with others do not. Counted are the
 * visits beside others; facts.partners: how many partners were tried; facts.mutual: mutual visits; facts.expected: as
 * above, without the partner.
 */
export function countTakeTurns(sample: Sample, tolerance: SampleTolerance): Count[] {
  const { of, expects, mean } = expecting(pairsOf(sample, tolerance));
  return countEach(sample, (count, visits) => {
    const self = visits[0]?.technician ?? '';
    const own = of.get(self) ?? [];
    const partners = [...Map.groupBy(own, (pair) => otherIn(pair, self))].filter(
      ([, mutual]) => mutual.length >= FEWEST_MUTUAL,
    );
    const [partner, mutual] = partners.toSorted(([, one], [, other]) => other.length - one.length)[0] ?? ['', []];
    const beside = own.filter((pair) => otherIn(pair, self) !== partner);
    const others = new Set(beside.filter(({ hit }) => hit).map((pair) => otherIn(pair, self)));
    const expected = meanOf(beside.map((pair) => expects(otherIn(pair, self), self, partner))) / mean;
    const inside = shareOf(mutual);
    // Asked of those whose mutual lines fit at least twice as well.
    const outside = shareOf(beside);
    const isMutual = 2 * inside.hits * outside.n <= outside.hits * inside.n;
    if (partner === '' || others.size < FEWEST_OTHERS || !isMutual) return;
    count.n = beside.length;
    count.facts = { expected, mutual: inside.n, partners: partners.length };
    for (const { earlier, later, hit } of beside) if (hit) addHit(count, [earlier, later]);
  });
}
