// What is usual, learnt from people some of whom cheat.
import { expect, test } from 'vitest';
import { randomFrom } from '#test/registries/random.ts';
import { chanceOf, SLIP } from './rates.ts';
import { usualOf, type RateRule } from './usual.ts';

const MORE: RateRule = { side: 'more', isSlip: false };
const LESS: RateRule = { side: 'less', isSlip: false };

/** People of whom the last `cheats` have `faked` of n. */
function people(count: number, rule: { mean: number; deviation: number }, cheats = { count: 0, faked: 0 }) {
  const random = randomFrom(count + cheats.count);
  return Array.from({ length: count }, (_, at) => {
    const n = 60 + random.below(120);
    if (at >= count - cheats.count) return { n, hits: Math.round(n * cheats.faked) };
    const share = random.share([rule.mean, rule.deviation]);
    return { n, hits: Array.from({ length: n }).filter(() => random.is(share)).length };
  });
}

test('a tenth that cheats alike moves what is usual by little, and is as unlikely as one alone', () => {
  const honest = { mean: 0.03, deviation: 0.02 };
  for (const cheats of [1, 20, 100]) {
    const usual = usualOf(people(1000, honest, { count: cheats, faked: 0.4 }), MORE);
    expect(usual?.mean, String(cheats)).toBeGreaterThan(0.027);
    expect(usual?.mean, String(cheats)).toBeLessThan(0.036);
    expect(chanceOf({ n: 120, hits: 48 }, usual ?? { mean: 0.5, rho: 0.5 }, MORE)).toBeLessThan(1e-5);
  }
});

test('slips are learnt where few people have one, where many have, and where a tenth cheats', () => {
  for (const mean of [0.0001, 0.002]) {
    const usual = usualOf(people(1000, { mean, deviation: 0 }), SLIP);
    expect(usual?.mean).toBeGreaterThan(mean * 0.9);
    expect(usual?.mean).toBeLessThan(mean * 1.8);
  }
  const usual = usualOf(people(1000, { mean: 0.001, deviation: 0 }, { count: 100, faked: 0.1 }), SLIP);
  expect(usual?.mean).toBeLessThan(0.002);
});

test('less is learnt from those who show most of it', () => {
  const usual = usualOf(people(500, { mean: 0.1, deviation: 0.03 }, { count: 50, faked: 0 }), LESS);
  expect(usual?.mean).toBeGreaterThan(0.085);
  expect(usual?.mean).toBeLessThan(0.11);
});

test('few people are no measure: of a share none, of slips a stated one', () => {
  const few = people(20, { mean: 0.1, deviation: 0 });
  expect([usualOf(few, MORE), usualOf(few, SLIP)?.mean]).toEqual([undefined, 1 / 200]);
});
