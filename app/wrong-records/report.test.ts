import { expect, test } from 'vitest';
import type { ReportAudience, ReportStep } from '#database/report-tables.ts';
import { actBehind, DECISIONS, KINDS, mayRead, numberWords, refusalOf, stateOf, STEPS } from './report.ts';

const on = (day: string, ...steps: ReportStep[]) => steps.map((step) => ({ step, onDay: day }));
const DAY = '2026-12-01';

test.each([
  [[], 'received'],
  [['received'], 'received'],
  [['received', 'added'], 'received'],
  [['received', 'confirmed'], 'confirmed'],
  [['received', 'confirmed', 'opened'], 'opened'],
  [['received', 'confirmed', 'asked', 'added'], 'asked'],
  [['received', 'confirmed', 'asked', 'answered', 'answered'], 'answered'],
  [['received', 'confirmed', 'asked', 'answered', 'decided'], 'decided'],
  [['received', 'confirmed', 'asked', 'decided', 'second-look'], 'second-look'],
  [['received', 'confirmed', 'asked', 'decided', 'second-look', 'decided'], 'decided'],
  [['received', 'taken-back'], 'closed'],
  [['received', 'confirmed', 'spam'], 'closed'],
] as const)('after %j it is %s', (steps, state) => {
  expect(stateOf(on(DAY, ...steps), DAY)).toBe(state);
});

test('it closes by itself 30 days after the decision, and a second look may be asked for until then', () => {
  const steps = on(DAY, 'received', 'confirmed', 'opened', 'decided');
  expect(stateOf(steps, '2026-12-31')).toBe('decided');
  expect(stateOf(steps, '2027-01-01')).toBe('closed');
  const asked = { step: 'second-look', by: 'reporter' } as const;
  expect(refusalOf(steps, { ...asked, today: '2026-12-31' })).toBeUndefined();
  expect(refusalOf(steps, { ...asked, today: '2027-01-01' })).toBe('stale');
  const again = [...steps, ...on(DAY, 'second-look', 'decided')];
  expect(refusalOf(again, { ...asked, today: DAY })).toBe('second-look-used');
});

test('the technician has 14 days before it is decided without an answer', () => {
  const steps = on(DAY, 'received', 'confirmed', 'asked');
  const decided = { step: 'decided', by: 'office' } as const;
  expect(refusalOf(steps, { ...decided, today: '2026-12-15' })).toBe('not-answered');
  expect(refusalOf(steps, { ...decided, today: '2026-12-16' })).toBeUndefined();
  expect(refusalOf([...steps, ...on(DAY, 'answered')], { ...decided, today: DAY })).toBeUndefined();
});

test('nobody takes a step of somebody else, and no step from a state that it does not follow', () => {
  const audiences: readonly ReportAudience[] = ['reporter', 'technician', 'office'];
  const lives = [
    on(DAY, 'received'),
    on(DAY, 'received', 'confirmed'),
    on(DAY, 'received', 'confirmed', 'asked'),
    on(DAY, 'received', 'confirmed', 'asked', 'answered'),
    on(DAY, 'received', 'confirmed', 'opened', 'decided'),
    on(DAY, 'received', 'taken-back'),
  ];
  const table = lives.map((steps) => [
    stateOf(steps, DAY),
    ...audiences.map((by) =>
      Object.keys(STEPS)
        .filter((step) => refusalOf(steps, { step: step as ReportStep, by, today: DAY }) === undefined)
        .join(' '),
    ),
  ]);
  expect(table).toEqual([
    ['received', 'confirmed added taken-back', '', ''],
    ['confirmed', 'added taken-back', '', 'asked spam'],
    ['asked', 'added taken-back', 'answered', ''],
    ['answered', 'added taken-back', 'answered', 'asked decided'],
    ['decided', 'second-look', '', ''],
    ['closed', '', '', ''],
  ]);
});

test('the reporter reads what the office decided, and not what the technician said', () => {
  const step = (name: ReportStep) => ({ step: name, by: STEPS[name].by });
  const read = (reader: ReportAudience) =>
    (['received', 'added', 'answered', 'decided'] as const).filter((name) => mayRead(reader, step(name)));
  expect(read('reporter')).toEqual(['received', 'added', 'decided']);
  expect(read('technician')).toEqual(['received', 'added', 'answered']);
  expect(read('office')).toEqual(['received', 'added', 'answered', 'decided']);
});

test('an act that was undone stands behind no decision', () => {
  const behind = (value: string, ...done: string[]) =>
    DECISIONS.filter((one) => one.value === value).map(
      (one) =>
        actBehind(
          one,
          done.map((kind) => ({ kind })),
        )?.kind,
    );
  expect(behind('right', 'photo.hidden')).toEqual([undefined]);
  expect(behind('photo', 'visit.accepted', 'photo.hidden')).toEqual(['photo.hidden']);
  expect(behind('photo', 'photo.shown', 'photo.hidden')).toEqual([undefined]);
  expect(behind('photo', 'photo.hidden', 'photo.shown', 'photo.hidden')).toEqual(['photo.hidden']);
  expect(behind('set-aside', 'visit.accepted', 'visit.set-aside')).toEqual([undefined]);
});

test('a number has the year, and of a weighbridge no plate is wrong', () => {
  expect(numberWords({ year: 2026, number: 121 })).toBe('R-2026-0121');
  expect(KINDS.filter(({ ofTruck }) => ofTruck === undefined).map(({ value }) => value)).toEqual([
    'figures',
    'date',
    'other',
  ]);
});
