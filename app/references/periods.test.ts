import { expect, test } from 'vitest';
import { gapSentence, gapsOf, periodBar } from './periods.ts';
import { coverageSentence, presentCoverage } from './present-reference.ts';
import { kilograms, tonnes, twelveMonthsFrom } from './reference.ts';

const period = (fromOn: string, toOn: string) => ({ fromOn, toOn });

test('the days between periods are gaps; where they touch or overlap there is none', () => {
  const periods = [
    period('2026-03-10', '2027-03-09'),
    period('2024-02-12', '2025-02-11'),
    period('2024-06-01', '2024-07-01'),
    period('2025-03-10', '2026-03-09'),
  ];
  expect(gapsOf(periods).map(gapSentence)).toEqual([
    '26 days from 12 February 2025 to 9 March 2025 are not covered by a verification.',
  ]);
  expect(gapsOf([period('2026-01-01', '2026-01-31'), period('2026-02-02', '2026-02-03')]).map(gapSentence)).toEqual([
    '1 February 2026 is not covered by a verification.',
  ]);
  expect(gapsOf([])).toEqual([]);
});

test('the bar reaches from the first covered day to the last, the current period on top', () => {
  expect(periodBar([], '2026-01-01')).toBeNull();
  expect(periodBar([period('2026-01-01', '2026-06-30'), period('2025-01-01', '2025-12-31')], '2026-03-01')).toEqual({
    from: 'January 2025',
    to: 'June 2026',
    parts: [
      { at: 0, length: 666, isCurrent: false },
      { at: 668, length: 330, isCurrent: true },
    ],
  });
});

test.each([
  ['2026-03-10', '2027-03-09'],
  ['2026-01-01', '2026-12-31'],
  ['2024-02-29', '2025-02-28'],
  ['2023-03-01', '2024-02-29'],
])('12 months from %s end on %s', (from, to) => {
  expect(twelveMonthsFrom(from)).toBe(to);
});

test.each([
  [null, null, 'Not covered', 'No verification covers today, none has been recorded'],
  [null, '2026-08-21', 'Not covered', 'No verification covers today, the last one ended on 21 August 2026'],
  [null, '2027-08-21', 'Not covered', 'No verification covers today, the next one begins later'],
  ['2026-11-21', '2026-11-21', 'Ends today', 'A verification covers today, recorded to 21 November 2026'],
  ['2026-11-22', '2026-11-22', 'Ends in 1 day', 'A verification covers today, recorded to 22 November 2026'],
  ['2026-12-21', '2026-12-21', 'Ends in 30 days', 'A verification covers today, recorded to 21 December 2026'],
  ['2026-12-22', '2026-12-22', 'Current', 'A verification covers today, recorded to 22 December 2026'],
])('covered to %s, recorded to %s: %s', (coveredTo, verifiedTo, words, sentence) => {
  expect(presentCoverage({ coveredTo }, '2026-11-21').words).toBe(words);
  const { answer, more } = coverageSentence({ coveredTo, verifiedTo }, '2026-11-21');
  expect(`${answer}, ${more}`).toBe(sentence);
});

test('masses in words', () => {
  expect([80_000, 60_500, null].map(tonnes)).toEqual(['80\u00a0t', '60.5\u00a0t', '']);
  expect([20, 1000, null].map(kilograms)).toEqual(['20\u00a0kg', '1,000\u00a0kg', '']);
});
