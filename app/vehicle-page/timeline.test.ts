import { expect, test } from 'vitest';
import { FIRST_POLICY } from '#app/policy/policy.ts';
import { timelineOf, type TimelineRecords } from './timeline.ts';
import type { VerdictFacts } from '#app/vehicles/verdict.ts';

const at = (day: string) => new Date(`${day}T01:00:00Z`);
const NOTHING: TimelineRecords = {
  from: null,
  addedAt: null,
  verdictKnownFrom: null,
  visits: [],
  firstKnownAt: null,
  isTakenOver: true,
  states: [],
  validations: [],
  dues: [],
  certificates: [],
  reports: [],
  absences: [],
};
const TODAY = '2026-11-21';
const timeline = (records: Partial<TimelineRecords>, facts: VerdictFacts) =>
  timelineOf(
    { ...NOTHING, verdictKnownFrom: records.addedAt ?? null, ...records },
    { facts, today: TODAY, zone: 'Australia/Sydney', policy: FIRST_POLICY },
  );
const lines = ({ items }: ReturnType<typeof timelineOf>) =>
  items.map((item) => `${item.day} ${item.kind === 'verdict' ? item.verdict : item.words}`);

test('a year of one truck, the latest first; a verdict after what brought it about', () => {
  const shown = timeline(
    {
      addedAt: at('2026-01-05'),
      visits: [
        { at: at('2026-01-10'), words: 'Calibrated by Jo: Steer' },
        { at: at('2026-08-20'), words: 'Calibrated by Jo: Steer, Drive' },
      ],
      firstKnownAt: at('2026-01-10'),
      dues: [
        { at: at('2026-01-10'), nextDueOn: '2026-07-11' },
        { at: at('2026-08-20'), nextDueOn: '2027-02-18' },
      ],
      validations: [{ at: at('2026-01-12'), validated: true, nextDueOn: '2026-07-11' }],
      certificates: [{ addedAt: at('2026-01-12'), removedAt: at('2026-08-20'), imported: false }],
    },
    { hasCalibration: true, validated: true, noneCounts: false, nextDueOn: '2027-02-18' },
  );
  expect(lines(shown)).toEqual([
    '2026-08-20 valid',
    '2026-08-20 Calibrated by Jo: Steer, Drive',
    '2026-08-20 Certificate removed',
    '2026-07-12 overdue',
    '2026-06-11 due-soon',
    '2026-01-12 valid',
    '2026-01-12 Validated, due 11 Jul 2026',
    '2026-01-12 Certificate added',
    '2026-01-10 not-validated',
    '2026-01-10 Calibrated by Jo: Steer',
    '2026-01-05 never-calibrated',
    '2026-01-05 Added to the registry',
  ]);
  expect(shown.since).toBe('5 January 2026');
  expect(shown.periods.map(({ verdict }) => verdict)).toEqual([
    'never-calibrated',
    'not-validated',
    'valid',
    'due-soon',
    'overdue',
    'valid',
  ]);
  // 5 January to 21 November are 321 days, both included; 12 July to 19 August are 39.
  expect(shown.periods[4]?.part).toBeCloseTo((39 / 321) * 100, 6);
  expect(shown.periods.reduce((sum, { part }) => sum + part, 0)).toBeCloseTo(100, 6);
});

test('a truck of which nothing is known begins today', () => {
  const shown = timeline({}, { hasCalibration: false, validated: false, noneCounts: false, nextDueOn: null });
  expect(lines(shown)).toEqual([`${TODAY} never-calibrated`]);
  expect(shown.periods).toEqual([{ verdict: 'never-calibrated', from: 0, part: 100 }]);
});

test('several things on one day leave one verdict; a withdrawn validation and an absence are told', () => {
  const shown = timeline(
    {
      addedAt: at('2026-11-01'),
      firstKnownAt: at('2026-11-01'),
      validations: [
        { at: at('2026-11-01'), validated: true, nextDueOn: null },
        { at: at('2026-11-10'), validated: false, nextDueOn: null },
      ],
      absences: [
        { at: at('2026-11-12'), removed: true },
        { at: at('2026-11-13'), removed: false },
      ],
    },
    { hasCalibration: true, validated: false, noneCounts: false, nextDueOn: null },
  );
  expect(lines(shown)).toEqual([
    '2026-11-13 Restored',
    '2026-11-12 Removed from the registry',
    '2026-11-10 not-validated',
    '2026-11-10 Validation withdrawn',
    '2026-11-01 valid',
    '2026-11-01 Added to the registry',
    '2026-11-01 Validated',
  ]);
});

test('of what came from the former register, the verdict is known since its last validation there', () => {
  const shown = timeline(
    {
      addedAt: at('2024-01-01'),
      verdictKnownFrom: at('2026-10-01'),
      firstKnownAt: at('2024-02-01'),
      validations: [{ at: at('2026-10-01'), validated: true, nextDueOn: '2026-10-20' }],
      certificates: [{ addedAt: at('2026-11-01'), removedAt: null, imported: true }],
    },
    { hasCalibration: true, validated: true, noneCounts: false, nextDueOn: '2026-10-20' },
  );
  expect(shown.since).toBe('1 October 2026');
  expect(lines(shown)).toEqual([
    '2026-11-01 Certificate taken over from the former register',
    '2026-10-21 overdue',
    '2026-10-01 due-soon',
    '2026-10-01 Validated, due 20 Oct 2026',
    '2024-01-01 Added to the registry',
  ]);
});

test('what the records cannot explain, today’s verdict is today’s', () => {
  const shown = timeline(
    { addedAt: at('2026-01-01') },
    { hasCalibration: true, validated: true, noneCounts: false, nextDueOn: null },
  );
  expect(lines(shown)).toEqual([`${TODAY} valid`, '2026-01-01 never-calibrated', '2026-01-01 Added to the registry']);
});

test('until a visit counts the truck was not validated, whatever was ticked', () => {
  const visit = (day: string, visitId: string, state: 'counts' | 'waits' | 'accepted' | 'set-aside') => ({
    at: at(day),
    visitId,
    state,
    day: 'that day',
  });
  const shown = timeline(
    {
      addedAt: at('2026-01-05'),
      firstKnownAt: at('2026-02-01'),
      isTakenOver: false,
      validations: [{ at: at('2026-01-05'), validated: true, nextDueOn: null }],
      states: [
        visit('2026-02-01', 'a', 'waits'),
        visit('2026-02-10', 'a', 'accepted'),
        visit('2026-03-01', 'b', 'counts'),
        visit('2026-03-05', 'a', 'set-aside'),
        visit('2026-03-09', 'b', 'set-aside'),
      ],
      dues: [
        { at: at('2026-02-10'), nextDueOn: '2026-08-02' },
        { at: at('2026-03-09'), nextDueOn: null },
      ],
    },
    { hasCalibration: true, validated: true, noneCounts: true, nextDueOn: null },
  );
  expect(lines(shown)).toEqual([
    '2026-03-09 not-validated',
    '2026-03-09 Visit of that day: set aside',
    '2026-03-05 Visit of that day: set aside',
    '2026-02-10 valid',
    '2026-02-10 Visit of that day: accepted',
    '2026-02-01 not-validated',
    '2026-01-05 never-calibrated',
    '2026-01-05 Added to the registry',
    '2026-01-05 Validated',
  ]);
});
