// The worked examples of the method's page, computed another way: with term by term sums, and by trying 50,000 times.
import { expect, test } from 'vitest';
import { randomFrom } from '#test/registries/random.ts';
import { EXAMPLE_LEVEL, exampleOf } from './examples.ts';
import { METHOD } from './method.ts';
import { PATTERN_KINDS } from './pattern.ts';

const TRIES = 50_000;

test('every pattern has an example and its words', () => {
  for (const pattern of PATTERN_KINDS) {
    const { p, isListed } = exampleOf(pattern);
    expect(p, pattern).toBeGreaterThan(0);
    expect(isListed, pattern).toBe(p <= EXAMPLE_LEVEL);
    expect(
      Object.values(METHOD[pattern]).every((part) => part !== ''),
      pattern,
    ).toBe(true);
  }
});

test('invented volts: 125 round ones of 400, where 80 are expected', () => {
  // The binomial of one in five, in logarithms of whole numbers, doubled because half of the level goes to round
  // numbers.
  let chance = 0;
  for (let hits = 125; hits <= 400; hits += 1) {
    let log = hits * Math.log(0.2) + (400 - hits) * Math.log(0.8);
    for (let at = 1; at <= hits; at += 1) log += Math.log(400 - hits + at) - Math.log(at);
    chance += Math.exp(log);
  }
  expect(exampleOf('invented-volts').p / (2 * chance)).toBeCloseTo(1, 9);
  expect(exampleOf('invented-volts').isListed).toBe(true);
});

test('too fast: three hits of a hundred, where one of ten thousand is usual and people differ', () => {
  // With a mean as large as its spread the beta-binomial is nearly geometric: (n mean / (1 + n mean))^hits.
  const { p } = exampleOf('too-fast');
  expect(p / (0.01 / 1.01) ** 3).toBeGreaterThan(0.9);
  expect(p / (0.01 / 1.01) ** 3).toBeLessThan(1.1);
});

test('never found one out: 90 visits are not enough where shares differ between 5 and 11 percent', () => {
  // A share from the Beta distribution with this mean and spread, then 90 visits of that share: none out, how often?
  const { p, n, usual, isListed } = exampleOf('never-found-out');
  const random = randomFrom(1);
  const { mean = 0, rho = 0 } = usual ?? {};
  let none = 0;
  for (let attempt = 0; attempt < TRIES; attempt += 1)
    none += (1 - random.share([mean, Math.sqrt(mean * (1 - mean) * rho)])) ** n;
  expect(none / TRIES / p).toBeGreaterThan(0.95);
  expect(none / TRIES / p).toBeLessThan(1.05);
  expect(isListed).toBe(false);
});

test('other trailers: 20 of 110, where 5 percent are usual, are not listed', () => {
  const { p, n, hits, usual, isListed } = exampleOf('other-trailer');
  const random = randomFrom(2);
  const { mean = 0, rho = 0 } = usual ?? {};
  let asMany = 0;
  for (let attempt = 0; attempt < 40_000; attempt += 1) {
    const share = random.share([mean, Math.sqrt(mean * (1 - mean) * rho)]);
    let found = 0;
    for (let visit = 0; visit < n; visit += 1) if (random.is(share)) found += 1;
    if (found >= hits) asMany += 1;
  }
  expect(Math.abs(asMany / 40_000 - p)).toBeLessThan(4 * Math.sqrt(p / 40_000));
  expect(isListed).toBe(false);
});

test('tickets used twice: six of a hundred, of which a counter explains none and slips one in a thousand', () => {
  // Slips from the geometric, meetings from Poisson, six or more together.
  const slip = (k: number) => (0.1 / 1.1) ** k;
  const meets = (k: number) => (Math.exp(-0.05) * 0.05 ** k) / [1, 1, 2, 6, 24, 120, 720][k]!;
  let sum = 0;
  for (let met = 0; met <= 6; met += 1) sum += meets(met) * (met === 6 ? 1 : slip(6 - met));
  expect(exampleOf('ticket-twice').p / sum).toBeGreaterThan(0.8);
  expect(exampleOf('ticket-twice').p / sum).toBeLessThan(1.2);
});
