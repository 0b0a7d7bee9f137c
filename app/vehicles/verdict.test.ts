import { expect, test } from 'vitest';
import { addDays } from '#app/platform/time/calendar.ts';
import { FIRST_POLICY } from '#app/policy/policy.ts';
import { judge, verdictBounds, withdrawnAt, type VerdictFacts } from './verdict.ts';
import { VERDICTS, type Verdict } from './verdict-table.ts';

const TODAY = '2026-11-21';
const validated = (nextDueOn: string | null): VerdictFacts => ({
  hasCalibration: true,
  validated: true,
  noneCounts: false,
  nextDueOn,
});

test.each<[string, VerdictFacts, Verdict, boolean, string]>([
  [
    'nothing recorded',
    { hasCalibration: false, validated: false, noneCounts: false, nextDueOn: null },
    'never-calibrated',
    false,
    'Not valid today. No calibration has been recorded for this vehicle.',
  ],
  [
    'nothing recorded, but a due date',
    { hasCalibration: false, validated: false, noneCounts: false, nextDueOn: '2027-01-01' },
    'never-calibrated',
    false,
    'Not valid today. No calibration has been recorded for this vehicle.',
  ],
  [
    'recorded, not validated',
    { hasCalibration: true, validated: false, noneCounts: false, nextDueOn: '2027-05-18' },
    'not-validated',
    false,
    'Not valid today. Calibrations are recorded, but none has been validated.',
  ],
  [
    'due yesterday',
    validated('2026-11-20'),
    'overdue',
    false,
    'Not valid today. Calibration was due on 20 November 2026, 1 day ago.',
  ],
  [
    'due 50 days ago',
    validated('2026-10-02'),
    'overdue',
    false,
    'Not valid today. Calibration was due on 2 October 2026, 50 days ago.',
  ],
  [
    'due today: valid to the end of the day',
    validated('2026-11-21'),
    'due-soon',
    true,
    'Valid today. Next calibration due today.',
  ],
  ['due tomorrow', validated('2026-11-22'), 'due-soon', true, 'Valid today. Next calibration due tomorrow.'],
  [
    'due in 9 days',
    validated('2026-11-30'),
    'due-soon',
    true,
    'Valid today. Next calibration due on 30 November 2026, in 9 days.',
  ],
  [
    'due in 30 days',
    validated('2026-12-21'),
    'due-soon',
    true,
    'Valid today. Next calibration due on 21 December 2026, in 30 days.',
  ],
  ['due in 31 days', validated('2026-12-22'), 'valid', true, 'Next calibration due on 22 December 2026, in 31 days.'],
  ['no due date', validated(null), 'valid', true, 'Valid today. No due date is recorded.'],
  [
    'validated without an entry: the tick alone makes nothing valid',
    { hasCalibration: false, validated: true, noneCounts: false, nextDueOn: '2027-05-14' },
    'never-calibrated',
    false,
    'Not valid today. No calibration has been recorded for this vehicle.',
  ],
  [
    'validated, but no visit counts',
    { hasCalibration: true, validated: true, noneCounts: true, nextDueOn: '2027-05-14' },
    'not-validated',
    false,
    'Not valid today. Calibrations are recorded, but none counts.',
  ],
])('%s', (_name, facts, verdict, tick, sentence) => {
  expect(judge(facts, TODAY, FIRST_POLICY)).toMatchObject({ verdict, tick, sentence });
});

test('a withdrawn validation is not one that never was', () => {
  const facts = {
    hasCalibration: true,
    validated: false,
    noneCounts: false,
    nextDueOn: null,
    withdrawnOn: '2026-11-20',
  };
  expect(judge(facts, TODAY, FIRST_POLICY)).toMatchObject({
    verdict: 'not-validated',
    sentence: 'Not valid today. The validation was withdrawn on 20 November 2026.',
  });
  const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour));
  const decided = (...decisions: boolean[]) =>
    withdrawnAt(decisions.map((validatedThen, hour) => ({ at: at(hour), validated: validatedThen })));
  expect(decided()).toBeNull();
  expect(decided(false)).toBeNull();
  expect(decided(false, true)).toBeNull();
  expect(decided(true, false, false)).toEqual(at(1));
  expect(decided(true, false, true, false)).toEqual(at(3));
});

test('the policy says how soon is due soon', () => {
  const facts = validated('2026-12-22');
  expect(judge(facts, TODAY, { dueSoonDays: 31 }).verdict).toBe('due-soon');
  expect(judge(facts, TODAY, { dueSoonDays: 30 }).verdict).toBe('valid');
  expect(judge(validated(TODAY), TODAY, { dueSoonDays: 1 }).verdict).toBe('due-soon');
});

test.each([1, 30, 39])(
  'exactly one verdict fits any vehicle, and the bounds for SQL choose the same: %i days',
  (dueSoonDays) => {
    const policy = { dueSoonDays };
    const dues = [null, ...Array.from({ length: 80 }, (_, index) => addDays(TODAY, index - 40))];
    for (const hasCalibration of [true, false])
      for (const validatedNow of [true, false])
        for (const [nextDueOn, noneCounts] of dues.flatMap((due) => [[due, true] as const, [due, false] as const])) {
          const facts = { hasCalibration, validated: validatedNow, noneCounts, nextDueOn };
          const chosen = VERDICTS.filter(({ verdict }) => {
            const bounds = verdictBounds(verdict, TODAY, policy);
            const due =
              nextDueOn === null
                ? bounds.orNoDue
                : (bounds.dueFrom ?? '') <= nextDueOn && nextDueOn <= (bounds.dueTo ?? '9999');
            return (
              (bounds.validated === null || bounds.validated === (validatedNow && !noneCounts)) &&
              bounds.calibrated === hasCalibration &&
              due
            );
          });
          expect(chosen.map(({ verdict }) => verdict)).toEqual([judge(facts, TODAY, policy).verdict]);
        }
  },
);
