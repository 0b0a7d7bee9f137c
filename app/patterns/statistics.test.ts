// The tails against values of mpmath with 40 digits, and against sums of their own by exact whole numbers.
import { expect, test } from 'vitest';
import { betaBinomialTails, betaOf, binomialTails, poissonTails, wilsonInterval } from './statistics.ts';

const isNear = (value: number, expected: number): void => {
  expect(Math.abs(value / expected - 1), `${value} for ${expected}`).toBeLessThan(1e-12);
};

test('binomial tails are right to twelve digits, far out too', () => {
  isNear(binomialTails(22, 60, 0.2).atLeast, 0.002_043_538_811_190_94);
  isNear(binomialTails(90, 100, 0.5).atLeast, 1.531_645_087_718_99e-17);
  isNear(binomialTails(10, 100, 0.5).atMost, 1.531_645_087_718_99e-17);
  isNear(binomialTails(40, 1000, 0.01).atLeast, 4.688_553_566_249_80e-13);
  isNear(binomialTails(3, 2000, 0.0001).atLeast, 0.001_147_007_768_920_69);
  expect(binomialTails(0, 10, 0.3).atLeast).toBe(1);
});

test('beta-binomial tails are right to twelve digits', () => {
  isNear(betaBinomialTails(30, 100, { a: 2.5, b: 30 }).atLeast, 0.001_910_019_345_225_84);
  isNear(betaBinomialTails(5, 500, { a: 0.9, b: 9000 }).atLeast, 3.143_430_379_842_47e-7);
  isNear(betaBinomialTails(12, 40, { a: 0.3, b: 0.4 }).atLeast, 0.529_969_603_553_465);
  isNear(betaBinomialTails(400, 1000, { a: 14.7, b: 170 }).atLeast, 8.009_815_353_719_35e-21);
  isNear(betaBinomialTails(0, 83, { a: 14.7, b: 170 }).atMost, 0.003_486_484_138_881_26);
  isNear(betaBinomialTails(2, 900, { a: 3, b: 40 }).atMost, 0.000_775_989_510_068_446);
});

test('Poisson tails are right to twelve digits', () => {
  isNear(poissonTails(1, 1e-9).atLeast, 9.999_999_995e-10);
  isNear(poissonTails(5, 0.1).atLeast, 7.667_801_686_189_30e-8);
  isNear(poissonTails(40, 10).atLeast, 7.341_636_314_560_47e-13);
  isNear(poissonTails(900, 700).atLeast, 2.503_655_356_763_67e-13);
});

test('every tail of a half is what whole numbers give', () => {
  const n = 40;
  let choose = 1n;
  let above = 2n ** BigInt(n);
  for (let k = 0; k <= n; k += 1) {
    isNear(binomialTails(k, n, 0.5).atLeast, Number(above) / 2 ** n);
    above -= choose;
    choose = (choose * BigInt(n - k)) / BigInt(k + 1);
  }
});

test('a beta-binomial with both parameters 1 is even', () => {
  for (let k = 0; k <= 50; k += 1) isNear(betaBinomialTails(k, 50, { a: 1, b: 1 }).atLeast, (51 - k) / 51);
});

test('the evidence: of 83 visits none found out has a chance of 0.001, where 8 % are out and nobody differs', () => {
  expect(binomialTails(0, 82, 0.08).atMost).toBeGreaterThan(0.001);
  expect(binomialTails(0, 83, 0.08).atMost).toBeLessThan(0.001);
});

test('a Beta distribution has the mean and the spread that were asked for', () => {
  const { a, b } = betaOf({ mean: 0.1, rho: 0.02 });
  expect([a / (a + b), 1 / (a + b + 1)]).toEqual([expect.closeTo(0.1, 12), expect.closeTo(0.02, 12)]);
});

test('Wilson’s own interval is that of the textbooks', () => {
  const { low, high } = wilsonInterval({ n: 10, hits: 8 });
  expect([low, high]).toEqual([expect.closeTo(0.4902, 4), expect.closeTo(0.9433, 4)]);
  expect(wilsonInterval({ n: 20, hits: 0 }).low).toBe(0);
});
