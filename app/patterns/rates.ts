// The chance of a technician's share of something, where honest people differ by region, fleets and habits: the null is
// a beta-binomial around what is usual (usual.ts).
import { betaBinomialTails, betaOf, poissonTails, type Share, type Spread } from './statistics.ts';
import type { RateRule } from './usual.ts';

export function chanceOf({ n, hits }: Share, spread: Spread, { side }: RateRule): number {
  const tails = betaBinomialTails(hits, n, betaOf(spread));
  return side === 'more' ? tails.atLeast : tails.atMost;
}

/** The chance of the most striking outcome of n. */
export const leastChance = (n: number, spread: Spread, rule: RateRule): number =>
  chanceOf({ n, hits: rule.side === 'more' ? n : 0 }, spread, rule);

export const SLIP: RateRule = { side: 'more', isSlip: true };

const NEGLIGIBLE = 1e-18;

/** The chance of as many hits where some are slips and others come by a known chance, `byChance` of them on average. */
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
